import type { Category, LogPosition, Revision, StreamName } from '#domain/event-store.ts';

/** An event as a store is handed it: text for text what will be kept, place in the log still open. */
export type SealedEvent = {
  readonly stream: StreamName;
  readonly revision: Revision;
  /** A UUID. */
  readonly eventId: string;
  readonly type: string;
  /** JSON text, personal fields encrypted. */
  readonly data: string;
  /** JSON text; its last member is `hash`. */
  readonly metadata: string;
};

/** An event as a store keeps it. */
export type StoredEvent = SealedEvent & { readonly position: LogPosition };

/** With the rolling hash that stands beside it, where the log keeps one. */
export type SealedStoredEvent = StoredEvent & { readonly rollingHash?: string | undefined };

/** A position of the log and the rolling hash that stands there, in hex: empty for an event that was written past the shop. */
export type LogSeal = { readonly position: LogPosition; readonly rollingHash: string };

/** As they stand in the log, where a swap shows: in the order of their revisions two that changed places would look whole. */
export const inLogOrder = (stored: readonly StoredEvent[]): readonly StoredEvent[] =>
  stored.toSorted((one, other) => (one.position < other.position ? -1 : 1));

/**
 * Somebody who administers the event store truncated or deleted a stream of the shop: what is left of it is not its history, and nothing is
 * decided on that. What is missing may still stand in the log, where `storedPage` finds it.
 */
export class StreamIncomplete extends Error {
  override readonly name = 'StreamIncomplete';
  constructor(
    readonly stream: StreamName,
    readonly how: 'truncated' | 'deleted' | 'deleted for ever',
    /** The first and the last revision that are missing; without a last one, all from there on. */
    readonly from: Revision,
    readonly to?: Revision,
  ) {
    super(
      `${stream} was ${how} in the event store: ${to === undefined ? `all events from ${from} on` : `the events ${from} to ${to}`} are missing`,
    );
  }
}

/** The log as it is kept, unopened: for the audit, which must see what is there and not what we make of it. */
export interface StoredLog {
  /**
   * The stored events of a stream after revision `after` (default: all), oldest first, at most `limit` (default 1,000). Throws
   * `StreamIncomplete`, as `read` and `append` do.
   */
  storedStream(stream: StreamName, after?: Revision, limit?: number): Promise<readonly StoredEvent[]>;

  /** At most `limit` stored events of these categories after `after`, in log order. */
  storedPage(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;

  /** Where somebody may cut streams behind the shop's back: those of which something is missing. */
  cutStreams?(): Promise<readonly StreamIncomplete[]>;

  /**
   * Where streams can be read one after the other: at most `limit` stored events at positions up to `to`, in the order of streams and revisions,
   * after this event (default: from the first).
   */
  storedStreams?(
    after: Pick<StoredEvent, 'stream' | 'revision'> | undefined,
    limit: number,
    to: LogPosition,
  ): Promise<readonly StoredEvent[]>;

  /** Where the log itself is sealed: the rolling hashes of the events from one position to another, both among them. */
  seals?(from: LogPosition, to: LogPosition): Promise<readonly LogSeal[]>;

  /** The position that was given out last, and the rolling hash up to it. */
  sealedHead?(): Promise<LogSeal>;
}

export const categories = ['product', 'cart', 'order'] as const satisfies readonly Category[];

/** Whether these are all categories there are, so that nothing need be filtered. */
export const isWholeLog = (wanted: readonly Category[]): boolean => categories.every((category) => wanted.includes(category));

const STREAM = /^(product|cart|order)-[\x21-\x7e]{1,200}$/;

/** Takes a category, a dash and an id of visible ASCII. Throws on anything else: what names a stream also frames it in storage. */
export const categoryOf = (stream: string): Category => {
  const named = STREAM.exec(stream)?.[1];
  const category = categories.find((each) => each === named);
  if (!category) throw new Error(`Not a stream name: ${JSON.stringify(stream)}`);
  return category;
};
