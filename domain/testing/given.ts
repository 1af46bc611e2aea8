import { expect, test } from 'vitest';

import type { Decider, DomainEvent } from '../shared/decider.ts';

/**
 * Tests a decision: `given(product, added()).when(remove()).thenHappened(removed())`. Each of the last methods fails the test with a
 * difference; `thenNothing` expects an accepted command without events. (No method is named `then`: an object with `then` is awaited.)
 */
export const given = <State, Command, Event extends DomainEvent, Rejection>(
  decider: Decider<State, Command, Event, Rejection>,
  ...history: readonly Event[]
) => ({
  when: (command: Command) => {
    const before = history.reduce(decider.evolve, decider.initial);
    const decision = decider.decide(before, command);
    return {
      thenHappened: (...events: readonly [Event, ...Event[]]): void => expect(decision).toEqual({ ok: true, events }),
      thenNothing: (): void => expect(decision).toEqual({ ok: true, events: [] }),
      thenRejected: (rejection: Rejection): void => expect(decision).toEqual({ ok: false, rejection }),
    };
  },
});

type Decided<Command, Event, Rejection> = readonly [
  title: string,
  history: readonly Event[],
  command: Command,
  outcome: readonly Event[] | Rejection,
];

/** Has a test for each row: after the history, the command leads to these events, none if it changes nothing, or to the rejection. */
export const testDecisions = <State, Command, Event extends DomainEvent, Rejection extends object>(
  decider: Decider<State, Command, Event, Rejection>,
  decided: readonly Decided<Command, Event, Rejection>[],
): void =>
  decided.forEach(([title, history, command, outcome]) => {
    const before = history.reduce(decider.evolve, decider.initial);
    const expected = Array.isArray(outcome) ? { ok: true, events: outcome } : { ok: false, rejection: outcome };
    test(title, () => expect(decider.decide(before, command)).toEqual(expected));
  });
