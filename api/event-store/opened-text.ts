import { EventStoreUnavailable } from '#domain/event-store.ts';

import type { StoredEvent } from './stored-event.ts';

/** An event whose personal fields are open, still in texts: what can be handed to another thread. */
export type OpenedText = Omit<StoredEvent, 'data'> & {
  /** JSON text in today's shape, or why there is none. */
  readonly data: string | Trouble;
};

/** An error, as it goes from one thread to another. */
export type Trouble = { readonly name: string; readonly message: string };

export const troubleOf = (error: unknown): Trouble =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };

export const errorOf = ({ name, message }: Trouble): Error =>
  name === 'EventStoreUnavailable' ? new EventStoreUnavailable(message) : Object.assign(new Error(message), { name });

type Part = OpenedText[keyof OpenedText];

/** Events as one list of texts and numbers, which is copied to another thread in a fraction of the time that objects take. */
export type HandedPage = readonly Part[];

/** Of each event so many parts, as they come here one after the other. */
export const PARTS = 7;

export const toHand = (events: readonly OpenedText[]): HandedPage => {
  const page: Part[] = [];
  for (const { stream, revision, position, eventId, type, metadata, data } of events)
    page.push(stream, revision, position, eventId, type, metadata, data);
  return page;
};
