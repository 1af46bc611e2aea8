import type { Brand } from './shared/brand.ts';
import type { DomainEvent } from './shared/decider.ts';
import type { Instant } from './shared/instant.ts';

/** What a stream tells of; the part of its name before the first dash. */
export type Category = 'product' | 'cart' | 'order';

/** Category, dash, id: `order-0b8c…`. An event's data does not repeat the id. */
export type StreamName = `${Category}-${string}`;

/** Place of an event in its stream: the first is 0. */
export type Revision = number;

/** Place of an event in the whole log: grows along the log, may have gaps in some stores. Nothing is at 0. */
export type LogPosition = Brand<bigint, 'LogPosition'>;

export const logPosition = (value: bigint): LogPosition => {
  if (value < 0n) throw new Error(`Not a log position: ${value}`);
  return value as LogPosition;
};

/** Before the first event of the log. */
export const START = logPosition(0n);

/**
 * The end of a stream as a writer knows it. The hash is that of the last event in the stream's hash chain, so whoever
 * names a head has seen the history that it stands for.
 */
export type StreamHead = { readonly revision: Revision; readonly hash: string };

/** The head of a stream that has no event yet. */
export const NO_STREAM: StreamHead = { revision: -1, hash: '' };

/** Who acts (decisions, section 6). */
export type Actor = { readonly kind: 'visitor' | 'user' | 'admin' | 'system'; readonly id: string };

/** What the handler of a command knows of it. The same `commandId` on the same stream and head is the same command given again. */
export type CommandMetadata = {
  readonly commandId: string;
  /** The request, or the run of a job, that everything caused by it shares. */
  readonly correlationId: string;
  /** The event or request that asked for this command. */
  readonly causationId: string;
  readonly actor: Actor;
  /** Where traces are kept: the span in which it was appended (W3C Trace Context), for those who follow the log to continue. */
  readonly traceparent?: string | undefined;
};

/** What stands beside every event in the log (decisions, section 6). */
export type EventMetadata = CommandMetadata & {
  readonly eventId: string;
  /** When the application wrote it. For the audit: rules and screens take their times from the data. */
  readonly recordedAt: Instant;
  /** Version of the shape in which it was written; what is read here is already upcast to today's. */
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

/** What every personal text reads once its key is gone. */
export const ERASED = 'erased';

/** An event as the log holds it, upcast and with its personal fields open (or reading `erased`). */
export type Recorded<Event extends DomainEvent = DomainEvent> = Event extends DomainEvent ? RecordedOf<Event> : never;

export type History<Event extends DomainEvent> = { readonly events: readonly Recorded<Event>[]; readonly head: StreamHead };

/** Where the events of a command stand: position of the last one, and the head that it is. */
export type Appended = {
  readonly position: LogPosition;
  readonly head: StreamHead;
  /** The same command had been appended before, by another call, which may have decided otherwise: read what stands in the log. */
  readonly repeated: boolean;
};

/** The half of the event store that command handlers need. */
export interface Streams {
  /** The events of a stream after `after` (default: all), oldest first. A stream that is not there has none and `NO_STREAM`. */
  read<Event extends DomainEvent>(stream: StreamName, after?: StreamHead): Promise<History<Event>>;

  /**
   * Appends one or more events as one: all or none. Retrying the same command on the same head appends nothing and answers with
   * `repeated` and where the events of the first time stand, which need not be these. Throws `WrongRevision` when the stream does
   * not end at `expected` (`WrongHead`: at its revision, but with an event of another hash; EventStoreDB compares revisions alone),
   * `EventStoreUnavailable` when the store does not answer in time (the events may then be in the log, or still come to it: retry
   * with the same command id).
   */
  append<Event extends DomainEvent>(
    stream: StreamName,
    expected: StreamHead,
    events: readonly Event[],
    metadata: CommandMetadata,
  ): Promise<Appended>;
}

/** What of an AbortSignal the domain needs; an AbortSignal is one. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The half of the event store that followers need: the log in order, nothing skipped, nothing twice. */
export interface Feed {
  /** At most `limit` events of these categories after `after`, in log order; empty when there are none yet. */
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]>;

  /**
   * All events of these categories after `after`, in log order, then the new ones as they are appended, in pages that are
   * never empty. Ends, without an error, when `until` is aborted. Comes back by itself after the store was away.
   */
  follow(after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncIterable<readonly Recorded[]>;

  /** The event at this very position, if there is one. */
  at(position: LogPosition): Promise<Recorded | undefined>;

  /** Position of the newest event of these categories, `START` when there is none. */
  head(categories: readonly Category[]): Promise<LogPosition>;
}

export interface EventStore extends Streams, Feed {
  close(): Promise<void>;
}

/** Somebody appended to the stream between the reading and the append. */
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

/** The stream ends at the revision expected, but with another event than the one that the writer has seen. */
export class WrongHead extends WrongRevision {
  override readonly name = 'WrongHead';
  constructor(stream: StreamName, revision: Revision) {
    super(stream, revision, revision);
    this.message = `${stream} ends at revision ${revision} with another event than expected`;
  }
}

/** The store did not answer, or not in time. What was asked of it may have happened. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
