import type { Category, Recorded } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import type { CausedMail } from '../mail/outbox.ts';

/**
 * Handles one event. It may send commands, which must be idempotent since they may be repeated; it returns mails, which go into the outbox
 * in the transaction that marks the event as handled. Throws if the event cannot be handled now.
 */
type React<Event extends DomainEvent> = (event: Recorded<Event>) => Promise<readonly CausedMail[]>;

/** An event handler that follows the log. */
export type Reaction = {
  /** The name of its checkpoint, never changed. */
  readonly name: string;
  readonly categories: readonly Category[];
  /** Without a checkpoint a reaction starts at the end of the log, so that no mail is sent about old events, unless this is set. */
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

export const reactionTo = <Event extends DomainEvent>({ name, categories, from, on }: Definition<Event>): Reaction => {
  // Each handler is stored under its event type; the compiler cannot follow that lookup.
  const handlers = new Map(Object.entries(on) as [string, React<DomainEvent>][]);
  return {
    name,
    categories,
    from,
    concerns: (type) => handlers.has(type),
    react: async (event) => (await handlers.get(event.type)?.(event)) ?? [],
  };
};
