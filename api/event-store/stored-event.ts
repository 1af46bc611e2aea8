import type { Category, LogPosition, Revision, StreamIncomplete, StreamName } from '#domain/event-store.ts';

/** A store receives an event like this: the texts are those to be stored, and the position is not known yet. */
export type SealedEvent = {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly eventId: string;
  readonly type: string;
  /** The text is JSON with encrypted personal fields. */
  readonly data: string;
  /** The text is JSON whose last member is `hash`. */
  readonly metadata: string;
};

export type StoredEvent = SealedEvent & { readonly position: LogPosition };

export type SealedStoredEvent = StoredEvent & { readonly rollingHash?: string | undefined };

/** The rolling hash stored at a position is hex; it is empty for an event that the shop did not write. */
export type LogSeal = { readonly position: LogPosition; readonly rollingHash: string };

/** The log as it is stored: the audit must see the stored texts, not their interpretation. */
export interface StoredLog {
  /**
   * Returns the events after revision `after` (default: all), oldest first, at most `limit` (default 1,000). Throws `StreamIncomplete`, as
   * `read` and `append` do.
   */
  storedStream(stream: StreamName, after?: Revision, limit?: number): Promise<readonly StoredEvent[]>;

  storedPage(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;

  /** Exists for stores whose administrators can cut streams. */
  cutStreams?(): Promise<readonly StreamIncomplete[]>;

  /**
   * Exists for stores that can read stream by stream: returns at most `limit` events with positions up to `to`, by stream and revision,
   * after this event.
   */
  storedStreams?(
    after: Pick<StoredEvent, 'stream' | 'revision'> | undefined,
    limit: number,
    to: LogPosition,
  ): Promise<readonly StoredEvent[]>;

  /** Exists for stores that seal the log: returns the rolling hashes in a range of positions, both ends inclusive. */
  seals?(from: LogPosition, to: LogPosition): Promise<readonly LogSeal[]>;

  /** Returns the last position assigned, and the rolling hash up to it. */
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
  'review',
  'message',
  'staff',
  'wishlist',
] as const satisfies readonly Category[];

/**
 * Returns the first word of a stream's name, by which logs are indexed. Each category has another one, including those of later releases.
 */
export const firstSegment = (streamOrCategory: string): string => streamOrCategory.split('-', 1)[0] ?? '';

/** Returns whether all categories are wanted, so that no filter is needed. */
export const isWholeLog = (wanted: readonly Category[]): boolean => streamCategories.every((category) => wanted.includes(category));

const STREAM = new RegExp(`^(?:(${streamCategories.filter((each) => each !== 'tax').join('|')})-[\\x21-\\x7e]{1,200}|(tax))$`);

/**
 * Throws on anything but a category, a dash and an id of visible ASCII, or `tax`, since stored texts are separated by control characters.
 */
export const parseCategory = (stream: string): Category => {
  const [, kind, single] = STREAM.exec(stream) ?? [];
  const category = streamCategories.find((each) => each === (kind ?? single));
  if (!category) throw new Error(`Not a stream name: ${JSON.stringify(stream)}`);
  return category;
};
