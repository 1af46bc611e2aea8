import { expect, test } from 'vitest';

import type { Decider, DomainEvent } from '../shared/decider.ts';

/** Expects that after the history the command leads to these events, none if it changes nothing, or to the rejection. */
export const expectDecision = <State, Command, Event extends DomainEvent, Rejection extends object>(
  decider: Decider<State, Command, Event, Rejection>,
  history: readonly Event[],
  command: Command,
  outcome: readonly Event[] | Rejection,
): void => {
  const decision = decider.decide(history.reduce(decider.evolve, decider.initial), command);
  expect(decision).toEqual(Array.isArray(outcome) ? { ok: true, events: outcome } : { ok: false, rejection: outcome });
};

/** Has a test for each row, which is a title and the arguments of `expectDecision`. */
export const testDecisions = <State, Command, Event extends DomainEvent, Rejection extends object>(
  decider: Decider<State, Command, Event, Rejection>,
  decided: readonly (readonly [title: string, history: readonly Event[], command: Command, outcome: readonly Event[] | Rejection])[],
): void => decided.forEach(([title, ...decision]) => test(title, () => expectDecision(decider, ...decision)));
