import type { EventMetadata, LogPosition, Recorded, Revision, StreamName } from '#domain/event-store.ts';

import { metadataOf } from './codec.ts';
import { rowsIn, type EventRow, type PageBytes } from './event-rows.ts';

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
    return (this.#metadata ??= metadataOf(this.#row));
  }
}

/** The events of a page, as the store would have given them. */
export const handedEvents = (page: PageBytes): readonly Recorded[] => rowsIn(page).map((row) => new HandedEvent(row));
