import type { Brand } from './shared/ids.ts';
import type { DomainEvent } from './shared/decider.ts';
import { personalText } from './shared/text.ts';
import type { Instant } from './shared/time.ts';

/** The kind of a stream. */
export type Category = 'product' | 'cart' | 'order' | 'payment' | 'stock' | 'invoices' | 'credit-notes' | 'tax';

/** Category, dash, id: `order-0b8c…`. An event's data does not repeat the id. Invoices and credit notes have a stream each
 * for a financial year, `invoices-2026-2027`. `tax` is the only stream of its category. */
export type StreamName = `${Exclude<Category, 'tax'>}-${string}` | 'tax';

/** The number of an event in its stream: the first is 0. */
export type Revision = number;

/** The place of an event in the whole log: increases, with gaps in some stores. No event is at 0. */
export type LogPosition = Brand<bigint, 'LogPosition'>;

export const logPosition = (value: bigint): LogPosition => {
  if (value < 0n) throw new Error(`Not a log position: ${value}`);
  return value as LogPosition;
};

/** The newest of these positions; undefined if there are none. */
export const newestOf = (positions: readonly (LogPosition | undefined)[]): LogPosition | undefined =>
  positions.reduce((newest, each) => (each !== undefined && (newest === undefined || each > newest) ? each : newest), undefined);

/** Before the first event of the log. */
export const START = logPosition(0n);

/**
 * The end of a stream as a writer knows it. The hash is that of the last event in the stream's hash chain, so it identifies the whole
 * history of the stream.
 */
export type StreamHead = { readonly revision: Revision; readonly hash: string };

/** The head of a stream that has no event yet. */
export const NO_STREAM: StreamHead = { revision: -1, hash: '' };

export type Actor = { readonly kind: 'visitor' | 'user' | 'admin' | 'system'; readonly id: string };

/** The metadata that a command's handler passes on. The same `commandId` on the same stream and head is a repetition of the command. */
export type CommandMetadata = {
  readonly commandId: string;
  /** The request, or the run of a job, that everything caused by it shares. */
  readonly correlationId: string;
  /** The event or request that asked for this command. */
  readonly causationId: string;
  readonly actor: Actor;
  /** With tracing: the span in which it was appended (W3C Trace Context), which followers of the log continue. */
  readonly traceparent?: string | undefined;
};

/** The metadata of every event in the log. */
export type EventMetadata = CommandMetadata & {
  readonly eventId: string;
  /** When the application wrote it. For the audit: rules and views use the times in the data. */
  readonly recordedAt: Instant;
  /** The version of the event's data as written; when it is read, the data are upcast to the current version. */
  readonly version: number;
  /** SHA-256 over the previous event's hash and everything stored of this one, in hex. */
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

/** The value of personal texts whose key was erased. */
export const ERASED = personalText('erased');

/** An event from the log, upcast, with its personal fields decrypted (or `erased`). */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event extends DomainEvent ? RecordedOf<Event> : never;

export type StreamHistory<Event extends DomainEvent> = { readonly events: readonly Recorded<Event>[]; readonly head: StreamHead };

/** Where the events of a command were appended: the position of the last one, and the stream's new head. */
export type Appended = {
  readonly position: LogPosition;
  readonly head: StreamHead;
  /** The same command was appended before, by another call, which may have decided otherwise: read the log for its events. */
  readonly repeated: boolean;
};

/** The interface of the event store for command handlers. */
export interface Streams {
  /** The events of a stream after `after` (default: all), oldest first. An unknown stream has none, and the head `NO_STREAM`. */
  read<Event extends DomainEvent>(stream: StreamName, after?: StreamHead): Promise<StreamHistory<Event>>;

  /**
   * Appends one or more events: all or none. Repeating the same command on the same head appends nothing and returns `repeated` with the
   * position of the first time's events, which may differ from these. Throws `WrongRevision` when the stream does not end at `expected`
   * (`WrongHead`: at its revision, but with an event of another hash), `EventStoreUnavailable` when
   * the store does not answer in time (the events may be in the log, or still get there: retry with the same command id).
   */
  append<Event extends DomainEvent>(
    stream: StreamName,
    expected: StreamHead,
    events: readonly Event[],
    metadata: CommandMetadata,
  ): Promise<Appended>;
}

/** The part of AbortSignal that is used here; the domain has no DOM types. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The interface of the event store for followers: the log in order, each event once. */
export interface Feed {
  /** At most `limit` events of these categories after `after`, in log order; empty when there are none yet. */
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]>;

  /**
   * All events of these categories after `after`, in log order, then new ones as they are appended, in pages that are never empty. Ends,
   * without an error, when `until` is aborted. Continues by itself after an outage of the store.
   */
  follow(after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncIterable<readonly Recorded[]>;

  /** The event at this position, if there is one. */
  at(position: LogPosition): Promise<Recorded | undefined>;

  /** The position of the newest event of these categories, `START` when there is none. */
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

/** The stream ends at the revision expected, but with another event than the writer has read. */
export class WrongHead extends WrongRevision {
  override readonly name = 'WrongHead';
  constructor(stream: StreamName, revision: Revision) {
    super(stream, revision, revision);
    this.message = `${stream} ends at revision ${revision} with another event than expected`;
  }
}

/** The store did not answer, or not in time. The call may have been executed. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/**
 * An administrator truncated or deleted a stream. The rest of it is not its history, so nothing is decided on it. `Feed` may still
 * have the missing events.
 */
export class StreamIncomplete extends Error {
  override readonly name = 'StreamIncomplete';
  constructor(
    readonly stream: StreamName,
    readonly how: 'truncated' | 'deleted' | 'deleted for ever',
    /** Without a last one, all from `from` on. */
    readonly from: Revision,
    readonly to?: Revision,
  ) {
    super(
      `${stream} was ${how} in the event store: ${to === undefined ? `all events from ${from} on` : `the events ${from} to ${to}`} are missing`,
    );
  }
}

/** For erasing: an incomplete stream counts as one without events; `onCut` is told. */
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
