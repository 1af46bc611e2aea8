import type { Actor, EventMetadata, LogPosition, Recorded, Revision, StreamName } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/instant.ts';

import { metadataOf } from './codec.ts';
import type { EventRow } from './event-rows.ts';

/** Metadata of an event, of which most who fold it want to know only who acted: nothing more is read for that. */
class HandedMetadata implements EventMetadata {
  readonly #row: EventRow;
  #all: EventMetadata | undefined;

  constructor(row: EventRow) {
    this.#row = row;
  }

  get #read(): EventMetadata {
    return (this.#all ??= metadataOf(this.#row));
  }

  get actor(): Actor {
    return this.#all?.actor ?? this.#row.actor ?? this.#read.actor;
  }
  get eventId(): string {
    return this.#row.eventId;
  }
  get commandId(): string {
    return this.#read.commandId;
  }
  get correlationId(): string {
    return this.#read.correlationId;
  }
  get causationId(): string {
    return this.#read.causationId;
  }
  get traceparent(): string | undefined {
    return this.#read.traceparent;
  }
  get recordedAt(): Instant {
    return this.#read.recordedAt;
  }
  get version(): number {
    return this.#read.version;
  }
  get hash(): string {
    return this.#read.hash;
  }
}

/** An event that another thread has opened. Data and metadata are made of their bytes when they are first touched. */
class HandedEvent {
  readonly stream: StreamName;
  readonly type: string;
  readonly #row: EventRow;
  #data: object | undefined;
  #metadata: EventMetadata | undefined;

  constructor(row: EventRow) {
    this.stream = row.stream;
    this.type = row.type;
    this.#row = row;
  }

  get revision(): Revision {
    return this.#row.revision;
  }

  get position(): LogPosition {
    return this.#row.position;
  }

  /** Throws what made it impossible to open, by name and message. */
  get data(): object {
    return (this.#data ??= JSON.parse(this.#row.data) as object); // written by the codec
  }

  get metadata(): EventMetadata {
    return (this.#metadata ??= new HandedMetadata(this.#row));
  }
}

/** An event of another thread's page, as the store would have given it. */
export const handedEvent = (row: EventRow): Recorded => new HandedEvent(row);
