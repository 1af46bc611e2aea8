import { expect } from 'vitest';

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
