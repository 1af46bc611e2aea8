import { expect } from 'vitest';

import type { Decider, DomainEvent } from '../shared/decider.ts';

/**
 * A decision told in three words: `given(product, added()).when(remove()).thenHappened(removed())`. Each of the last words fails the
 * test with the difference; `thenNothing` is an accepted command that causes no event. (Not `then`: an object with that is awaited.)
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
