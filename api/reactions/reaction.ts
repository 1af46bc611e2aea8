import type { Category, Recorded } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import type { CausedMail } from '../mail/outbox.ts';

/**
 * What is done about one event. Commands are sent here, and may come again, so they have to be such as happen once; mails are handed
 * back, and put into the outbox in the transaction that notes the event as done. Throws what keeps it from being done now.
 */
type React<Event extends DomainEvent> = (event: Recorded<Event>) => Promise<readonly CausedMail[]>;

/** Something that follows from events, whoever brought them about. */
export type Reaction = {
  /** Of its checkpoint: given once, for ever. */
  readonly name: string;
  readonly categories: readonly Category[];
  /** A reaction that has no checkpoint yet begins at the end of the log, so that nobody hears of what is long past, unless it says this. */
  readonly from?: 'beginning' | undefined;
  /** Whether there is anything to do about events of this type. */
  concerns(type: string): boolean;
  readonly react: React<DomainEvent>;
};

type Definition<Event extends DomainEvent> = {
  readonly name: string;
  readonly categories: readonly Category[];
  readonly from?: 'beginning';
  /** The events that it is about, and what is done about them; the others are passed by. */
  readonly on: { readonly [Type in Event['type']]?: React<Extract<Event, { type: Type }>> };
};

/** Makes a reaction of events of this union. */
export const reactionTo = <Event extends DomainEvent>({ name, categories, from, on }: Definition<Event>): Reaction => {
  // Each type stands with the handler of its own event, which the compiler cannot follow through a look-up by text.
  const handlers = new Map(Object.entries(on) as [string, React<DomainEvent>][]);
  return {
    name,
    categories,
    from,
    concerns: (type) => handlers.has(type),
    react: async (event) => (await handlers.get(event.type)?.(event)) ?? [],
  };
};
