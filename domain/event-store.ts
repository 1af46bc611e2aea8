import type { Brand } from './shared/ids.ts';
import type { DomainEvent } from './shared/decider.ts';
import { personalText } from './shared/text.ts';
import type { Instant } from './shared/time.ts';

export type Category =
  'product' | 'cart' | 'order' | 'payment' | 'stock' | 'invoices' | 'credit-notes' | 'tax' | 'review' | 'message' | 'staff' | 'wishlist';

/**
 * A stream's name is category, dash, id: `order-0b8c…`. An event's data does not repeat the id. Invoices and credit notes have one stream
 * each for a financial year, `invoices-2026-2027`. The category `tax` has a single stream, `tax`.
 */
export type StreamName = `${Exclude<Category, 'tax'>}-${string}` | 'tax';

/** Events of a stream are numbered from 0. */
export type Revision = number;

/** The position of an event in the whole log increases, with gaps in some stores. No event is at 0. */
export type LogPosition = Brand<bigint, 'LogPosition'>;

export const logPosition = (value: bigint): LogPosition => {
  if (value < 0n) throw new Error(`Not a log position: ${value}`);
  return value as LogPosition;
};

export const maxPosition = (positions: readonly (LogPosition | undefined)[]): LogPosition | undefined =>
  positions.reduce((newest, each) => (each !== undefined && (newest === undefined || each > newest) ? each : newest), undefined);

/** This position is before the first event of the log. */
export const START = logPosition(0n);

/**
 * The end of a stream as a writer knows it. The hash belongs to the last event in the stream's hash chain, so it identifies the whole
 * history of the stream.
 */
export type StreamHead = { readonly revision: Revision; readonly hash: string };

export const NO_STREAM: StreamHead = { revision: -1, hash: '' };

export type Actor = { readonly kind: 'visitor' | 'user' | 'admin' | 'system'; readonly id: string };

/** A repeated `commandId` on the same stream and head is a repetition of the command. */
export type CommandMetadata = {
  readonly commandId: string;
  /** Everything that a request or job run starts has this id. */
  readonly correlationId: string;
  /** The id names the event or request that caused this command. */
  readonly causationId: string;
  readonly actor: Actor;
  /** The span in which the event was appended (W3C Trace Context), if tracing is on. Followers of the log continue it. */
  readonly traceparent?: string | undefined;
};

export type EventMetadata = CommandMetadata & {
  readonly eventId: string;
  /** The application wrote the event at this time. It is for the audit only: rules and views use the times in the data. */
  readonly recordedAt: Instant;
  /** The event's data were written in this version. On reading, the data are upcast to the current version. */
  readonly version: number;
  /** The hash is SHA-256 in hex, over the previous event's hash and everything that is stored of this event. */
  readonly hash: string;
};

type RecordedOf<Event extends DomainEvent> = {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: LogPosition;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
};

/** Replaces personal texts whose encryption key was erased. */
export const ERASED = personalText('erased');
/** Replaces personal texts whose encryption key is damaged: they can be read again when the key is restored from a backup. */
export const UNREADABLE = personalText('unreadable');

/** Returns whether nobody can be reached by this text, because its key was erased or is damaged. */
export const isLost = (text: string): boolean => text === ERASED || text === UNREADABLE;

/** An event read from the log: upcast, and with its personal fields decrypted or `erased`. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event extends DomainEvent ? RecordedOf<Event> : never;

export type StreamHistory<Event extends DomainEvent> = { readonly events: readonly Recorded<Event>[]; readonly head: StreamHead };

/** The position is that of the last event appended, and the head is the stream's new head. */
export type Appended = {
  readonly position: LogPosition;
  readonly head: StreamHead;
  /** The value is true if another call appended the same command before. It may have decided otherwise: its events are in the log. */
  readonly repeated: boolean;
};

/** Command handlers use this part of the event store. */
export interface Streams {
  /**
   * Returns the events of a stream after `after` (default: all), oldest first. An unknown stream has no events and the head `NO_STREAM`.
   */
  read<Event extends DomainEvent>(stream: StreamName, after?: StreamHead): Promise<StreamHistory<Event>>;

  /**
   * Appends one or more events: all or none. Repeating the same command on the same head appends nothing and returns `repeated` with the
   * position of the earlier events, which may differ from these. Throws `WrongRevision` when the stream does not end at `expected`
   * (`WrongHead`: at its revision, but with an event of another hash), and `EventStoreUnavailable` when the store does not answer in time
   * (the events may still reach the log: retry with the same command id).
   */
  append<Event extends DomainEvent>(
    stream: StreamName,
    expected: StreamHead,
    events: readonly Event[],
    metadata: CommandMetadata,
  ): Promise<Appended>;
}

/** The part of AbortSignal that is used here, because the domain has no DOM types. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Followers use this part of the event store: it returns the log in order, each event once. */
export interface Feed {
  /** Returns at most `limit` events of these categories after `after`, in log order; empty if there are none yet. */
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]>;

  /**
   * Yields all events of these categories after `after` in log order, then new events as they are appended, in pages that are never empty.
   * Ends without an error when `until` is aborted. Continues by itself after an outage of the store.
   */
  follow(after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncIterable<readonly Recorded[]>;

  at(position: LogPosition): Promise<Recorded | undefined>;

  /** Returns the position of the newest event of these categories, or `START` if there is none. */
  head(categories: readonly Category[]): Promise<LogPosition>;
}

export interface EventStore extends Streams, Feed {
  close(): Promise<void>;
}

/** Another event was appended to the stream between reading and appending. */
export class WrongRevision extends Error {
  override readonly name: string = 'WrongRevision';
  constructor(
    readonly stream: StreamName,
    readonly expected: Revision,
    readonly actual: Revision,
  ) {
    super(`${stream} is at revision ${actual}, not ${expected}`);
  }
}

/** The stream ends at the expected revision, but with another event than the writer has read. */
export class WrongHead extends WrongRevision {
  override readonly name = 'WrongHead';
  constructor(stream: StreamName, revision: Revision) {
    super(stream, revision, revision);
    this.message = `${stream} ends at revision ${revision} with another event than expected`;
  }
}

/** The store did not answer in time. The call may have been executed. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/**
 * An administrator truncated or deleted a stream. Its remaining events are not its history, so no command is decided on them. `Feed` may
 * still have the missing events.
 */
export class StreamIncomplete extends Error {
  override readonly name = 'StreamIncomplete';
  constructor(
    readonly stream: StreamName,
    readonly how: 'truncated' | 'deleted' | 'deleted for ever',
    /** Everything from `from` on is missing if there is no `to`. */
    readonly from: Revision,
    readonly to?: Revision,
  ) {
    super(
      `${stream} was ${how} in the event store: ${to === undefined ? `all events from ${from} on` : `the events ${from} to ${to}`} are missing`,
    );
  }
}

/** Reads a stream for an erasure: an incomplete stream counts as empty, and `onCut` is called. */
export const readUnlessCut = async <Event extends DomainEvent>(
  log: Pick<Streams, 'read'>,
  stream: StreamName,
  onCut?: () => void,
): Promise<StreamHistory<Event>> => {
  try {
    return await log.read<Event>(stream);
  } catch (error) {
    if (!(error instanceof StreamIncomplete)) throw error;
    onCut?.();
    return { events: [], head: NO_STREAM };
  }
};
