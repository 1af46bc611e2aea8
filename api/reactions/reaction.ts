import type { Category, Recorded } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import type { CausedMail } from '../mail/outbox.ts';

/**
 * Handles one event. It may send commands, which must be idempotent because they may be repeated. It returns mails, which are put into the
 * outbox in the transaction that marks the event as handled. Throws if the event cannot be handled now.
 */
type React<Event extends DomainEvent> = (event: Recorded<Event>) => Promise<readonly CausedMail[]>;

export type Reaction = {
  /** The name of its checkpoint must never change. */
  readonly name: string;
  readonly categories: readonly Category[];
  /** Without a checkpoint a reaction starts at the end of the log, so that it sends no mails about old events, unless this is set. */
  readonly from?: 'beginning' | undefined;
  /** The types of the events that it handles. */
  readonly handles: readonly string[];
  readonly react: React<DomainEvent>;
};

type Definition<Event extends DomainEvent> = {
  readonly name: string;
  readonly categories: readonly Category[];
  readonly from?: 'beginning';
  /** Maps event types to handlers; other events are skipped. */
  readonly on: { readonly [Type in Event['type']]?: React<Extract<Event, { type: Type }>> };
};

export const reactionTo = <Event extends DomainEvent>({ name, categories, from, on }: Definition<Event>): Reaction => {
  // The cast is safe: each handler is stored under its event type, which the compiler cannot follow.
  const handlers = new Map(Object.entries(on) as [string, React<DomainEvent>][]);
  return {
    name,
    categories,
    from,
    handles: [...handlers.keys()],
    react: async (event) => (await handlers.get(event.type)?.(event)) ?? [],
  };
};
