import type { Category, Recorded } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import type { CausedMail } from '../mail/outbox.ts';

/**
 * Handles one event. Commands are sent here, and may be sent again, so they must be idempotent; mails are returned, and put into the outbox
 * in the transaction that marks the event as done. Throws if the event cannot be handled now.
 */
type React<Event extends DomainEvent> = (event: Recorded<Event>) => Promise<readonly CausedMail[]>;

/** An event handler that follows the log. */
export type Reaction = {
  /** The name of its checkpoint, never changed. */
  readonly name: string;
  readonly categories: readonly Category[];
  /** A reaction without checkpoint begins at the end of the log, so that no mail is sent about old events, unless this is set. */
  readonly from?: 'beginning' | undefined;
  /** Whether it handles events of this type. */
  concerns(type: string): boolean;
  readonly react: React<DomainEvent>;
};

type Definition<Event extends DomainEvent> = {
  readonly name: string;
  readonly categories: readonly Category[];
  readonly from?: 'beginning';
  /** The handlers by event type; other events are skipped. */
  readonly on: { readonly [Type in Event['type']]?: React<Extract<Event, { type: Type }>> };
};

/** Makes a reaction to events of this union. */
export const reactionTo = <Event extends DomainEvent>({ name, categories, from, on }: Definition<Event>): Reaction => {
  // Each handler is stored under its own event's type, which the compiler cannot follow through a look-up by text.
  const handlers = new Map(Object.entries(on) as [string, React<DomainEvent>][]);
  return {
    name,
    categories,
    from,
    concerns: (type) => handlers.has(type),
    react: async (event) => (await handlers.get(event.type)?.(event)) ?? [],
  };
};
