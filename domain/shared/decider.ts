/** The data of an event is plain JSON: no Date, Map, bigint or undefined. */
export type DomainEvent = { readonly type: string; readonly data: object };

/** A command results in its events (none when nothing changes), or in a rejection. */
export type Decision<Event, Rejection> =
  { readonly ok: true; readonly events: readonly Event[] } | { readonly ok: false; readonly rejection: Rejection };

/** An aggregate consists of an initial state and two pure functions. */
export type Decider<State, Command, Event, Rejection> = {
  readonly initial: State;
  readonly decide: (state: State, command: Command) => Decision<Event, Rejection>;
  readonly evolve: (state: State, event: Event) => State;
};

export const accept = <Event>(...events: readonly Event[]): { ok: true; events: readonly Event[] } => ({ ok: true, events });
export const reject = <Rejection>(rejection: Rejection): { ok: false; rejection: Rejection } => ({ ok: false, rejection });

/**
 * Handles the `default` case of a fold: an event of a later release, whose type is unknown here, leaves the state unchanged. The parameter
 * is `never`, so a new event of the union compiles only once the fold has a case for it.
 */
export const afterUnknown = <State>(_: never, state: State): State => state;
