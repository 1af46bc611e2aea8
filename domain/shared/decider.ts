/** What every event is: its name and its data, which is JSON as it stands (no Date, Map, bigint, undefined). */
export type DomainEvent = { readonly type: string; readonly data: object };

/** What the domain says to a command: the events it causes (none when there is nothing to do), or why not. */
export type Decision<Event, Rejection> =
  { readonly ok: true; readonly events: readonly Event[] } | { readonly ok: false; readonly rejection: Rejection };

/** An aggregate as three pure functions' worth of knowledge: where it begins, what it decides, what becomes of it. */
export type Decider<State, Command, Event, Rejection> = {
  readonly initial: State;
  readonly decide: (state: State, command: Command) => Decision<Event, Rejection>;
  readonly evolve: (state: State, event: Event) => State;
};

export const accept = <Event>(...events: readonly Event[]): { ok: true; events: readonly Event[] } => ({ ok: true, events });
export const reject = <Rejection>(rejection: Rejection): { ok: false; rejection: Rejection } => ({ ok: false, rejection });

/**
 * For the `default` of a fold: what is known after an event of a later release, whose type this one does not know. Since that is `never`, an
 * event that is added to the union does not compile until the fold has a case for it.
 */
export const afterUnknown = <State>(_: never, state: State): State => state;
