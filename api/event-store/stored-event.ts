import type { Category, LogPosition, Revision, StreamIncomplete, StreamName } from '#domain/event-store.ts';

/** As given to a store: the texts as they will be stored, position not known yet. */
export type SealedEvent = {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly eventId: string;
  readonly type: string;
  /** JSON text, personal fields encrypted. */
  readonly data: string;
  /** JSON text; its last member is `hash`. */
  readonly metadata: string;
};

export type StoredEvent = SealedEvent & { readonly position: LogPosition };

/** With the rolling hash, if the log has one. */
export type SealedStoredEvent = StoredEvent & { readonly rollingHash?: string | undefined };

/** The rolling hash stored at a position, in hex; empty for an event written by somebody else. */
export type LogSeal = { readonly position: LogPosition; readonly rollingHash: string };

/** The log as stored: the audit must see what is there, not how we interpret it. */
export interface StoredLog {
  /**
   * After revision `after` (default: all), oldest first, at most `limit` (default 1,000). Throws `StreamIncomplete`, as do `read` and
   * `append`.
   */
  storedStream(stream: StreamName, after?: Revision, limit?: number): Promise<readonly StoredEvent[]>;

  /** In log order. */
  storedPage(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;

  /** For stores whose administrators can cut streams. */
  cutStreams?(): Promise<readonly StreamIncomplete[]>;

  /**
   * For stores that can read stream by stream: at most `limit` events with positions up to `to`, by stream and revision, after this event.
   */
  storedStreams?(
    after: Pick<StoredEvent, 'stream' | 'revision'> | undefined,
    limit: number,
    to: LogPosition,
  ): Promise<readonly StoredEvent[]>;

  /** For stores that seal the log: the rolling hashes in a range of positions, inclusive. */
  seals?(from: LogPosition, to: LogPosition): Promise<readonly LogSeal[]>;

  /** The last position assigned, and the rolling hash up to it. */
  sealedHead?(): Promise<LogSeal>;
}

export const streamCategories = [
  'product',
  'cart',
  'order',
  'payment',
  'stock',
  'invoices',
  'credit-notes',
  'tax',
] as const satisfies readonly Category[];

/** The first word of a stream's name: another one for each category, also for those of a later release. Logs are indexed by it. */
export const firstSegment = (streamOrCategory: string): string => streamOrCategory.split('-', 1)[0] ?? '';

/** Then no filter is needed. */
export const isWholeLog = (wanted: readonly Category[]): boolean => streamCategories.every((category) => wanted.includes(category));

const STREAM = new RegExp(`^(?:(${streamCategories.filter((each) => each !== 'tax').join('|')})-[\\x21-\\x7e]{1,200}|(tax))$`);

/** Throws on anything but a category, a dash and an id of visible ASCII, or `tax`, since stored texts are separated by control characters. */
export const categoryOf = (stream: string): Category => {
  const [, kind, single] = STREAM.exec(stream) ?? [];
  const category = streamCategories.find((each) => each === (kind ?? single));
  if (!category) throw new Error(`Not a stream name: ${JSON.stringify(stream)}`);
  return category;
};
