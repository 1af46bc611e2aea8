import type { EventMetadata, LogPosition, Recorded, Revision, StreamName } from '#domain/event-store.ts';

import { metadataOf } from './codec.ts';
import { errorOf, PARTS, type HandedPage, type OpenedText } from './opened-text.ts';

/** An event that another thread has opened. Data and metadata are made of their texts when they are first touched. */
class HandedEvent {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: LogPosition;
  readonly type: string;
  readonly #eventId: string;
  readonly #metadataText: string;
  readonly #dataText: OpenedText['data'];
  #data: object | undefined;
  #metadata: EventMetadata | undefined;

  /** The parts are where `toHand` has put them. */
  constructor(page: HandedPage, at: number) {
    this.stream = page[at] as StreamName;
    this.revision = page[at + 1] as Revision;
    this.position = page[at + 2] as LogPosition;
    this.#eventId = page[at + 3] as string;
    this.type = page[at + 4] as string;
    this.#metadataText = page[at + 5] as string;
    this.#dataText = page[at + 6] as OpenedText['data'];
  }

  /** Throws what made it impossible to open, by name and message. */
  get data(): object {
    return (this.#data ??= this.#parsed());
  }

  #parsed(): object {
    if (typeof this.#dataText !== 'string') throw errorOf(this.#dataText);
    const data: object = JSON.parse(this.#dataText); // written by the codec
    return data;
  }

  get metadata(): EventMetadata {
    const { stream, revision, position, type } = this;
    const event = { stream, revision, position, type, eventId: this.#eventId, data: '', metadata: this.#metadataText };
    return (this.#metadata ??= metadataOf(event));
  }
}

/** The events of a page, as the store would have given them. */
export const handedEvents = (page: HandedPage): readonly Recorded[] => {
  const events: Recorded[] = [];
  for (let at = 0; at < page.length; at += PARTS) events.push(new HandedEvent(page, at));
  return events;
};
