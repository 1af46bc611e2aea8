import { WrongRevision, type CommandMetadata, type LogPosition, type StreamName, type Streams } from '#domain/event-store.ts';
import type { Rejection } from '#domain/rejections.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

/** The domain said no. Thrown here only, made an answer in http/errors only. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(readonly rejection: Rejection) {
    super(rejection.code);
  }
}

/** What became of the aggregate, and where in the log that stands; no position when there was nothing to do. */
export type Executed<State> = { readonly state: State; readonly position?: LogPosition };

/**
 * Has the domain decide on a command and appends what follows from it. Throws `Rejected`, what the event store throws, and
 * `WrongRevision` when the stream moves faster than we can decide.
 */
export type Execute = <State, Command, Event extends DomainEvent, No extends Rejection>(
  decider: Decider<State, Command, Event, No>,
  stream: StreamName,
  command: Command,
  metadata: CommandMetadata,
) => Promise<Executed<State>>;

const ATTEMPTS = 3;

/** The command handler of every aggregate: load, decide, append. */
export const executeOn =
  (streams: Streams): Execute =>
  async <State, Command, Event extends DomainEvent, No extends Rejection>(
    decider: Decider<State, Command, Event, No>,
    stream: StreamName,
    command: Command,
    metadata: CommandMetadata,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const { events, head } = await streams.read<Event>(stream);
      // A recorded event is that event and more; through a union that is not named yet the compiler cannot see it.
      const history = events as readonly DomainEvent[] as readonly Event[];
      const before = history.reduce(decider.evolve, decider.initial);
      const decision = decider.decide(before, command);
      if (!decision.ok) throw new Rejected(decision.rejection);
      if (decision.events.length === 0) return { state: before };
      try {
        const { position } = await streams.append(stream, head, decision.events, metadata);
        return { state: decision.events.reduce(decider.evolve, before), position };
      } catch (error) {
        // Somebody appended between our read and our append: decide again, on what is true now.
        if (!(error instanceof WrongRevision) || attempt === ATTEMPTS) throw error;
      }
    }
  };
