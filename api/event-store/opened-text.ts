import { EventStoreUnavailable } from '#domain/event-store.ts';

/** The data of an event whose personal fields are open, in today's shape, as JSON text, or why there are none. */
export type OpenedText = string | Trouble;

/** An error, as it goes from one thread to another. */
export type Trouble = { readonly name: string; readonly message: string };

export const troubleOf = (error: unknown): Trouble =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };

export const errorOf = ({ name, message }: Trouble): Error =>
  name === 'EventStoreUnavailable' ? new EventStoreUnavailable(message) : Object.assign(new Error(message), { name });
