/** An event: its name and its data, which is plain JSON (no Date, Map, bigint, undefined). */
export type DomainEvent = { readonly type: string; readonly data: object };

/** The result of a command: the events it causes (none when nothing changes), or a rejection. */
export type Decision<Event, Rejection> =
  { readonly ok: true; readonly events: readonly Event[] } | { readonly ok: false; readonly rejection: Rejection };

/** An aggregate as an initial state and two pure functions. */
export type Decider<State, Command, Event, Rejection> = {
  readonly initial: State;
  readonly decide: (state: State, command: Command) => Decision<Event, Rejection>;
  readonly evolve: (state: State, event: Event) => State;
};

export const accept = <Event>(...events: readonly Event[]): { ok: true; events: readonly Event[] } => ({ ok: true, events });
export const reject = <Rejection>(rejection: Rejection): { ok: false; rejection: Rejection } => ({ ok: false, rejection });

/**
 * For the `default` of a fold: the state after an event of a later release, whose type is unknown here. Since the parameter is `never`, a
 * new event of the union does not compile until the fold has a case for it.
 */
export const afterUnknown = <State>(_: never, state: State): State => state;
