import { NO_STREAM, WrongRevision, type CommandMetadata, type LogPosition, type StreamName, type Streams } from '#domain/event-store.ts';
import type { Rejection } from '#domain/rejections.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { aggregatesOn, type Aggregates } from './aggregates.ts';
import { keyedMutex, type KeyedMutex } from './keyed-mutex.ts';

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
 * A command as it is given. `isRepeated` says of one that may be given more than once, under the same id, whether it was before: then it is
 * looked for in the history, and what is found there is not done again.
 */
export type Given = CommandMetadata & { readonly isRepeated?: boolean };

/** A command, or what makes it for the state that it is decided on: asked anew whenever that has changed, right before the decision. */
export type CommandFor<State, Command extends object> = Command | ((state: State) => Promise<Command>);

/**
 * Has the domain decide on a command and appends what follows from it. Of an aggregate that is `'new'` nothing is read first, since nothing
 * has happened to it as far as the caller knows; should that be wrong, the append shows it. Throws `Rejected`, `MutexTimeout`, what the event store
 * throws, and `WrongRevision` when the stream moves faster than we can decide.
 */
export type Execute = <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
  decider: Decider<State, Command, Event, No>,
  stream: StreamName,
  command: CommandFor<State, Command>,
  metadata: Given,
  isNew?: 'new',
) => Promise<Executed<State>>;

/** Of writers in other processes: those in this one take turns. */
const ATTEMPTS = 20;

/**
 * The command handler of every aggregate: recall or load, decide, append. One that is remembered costs one append and no read, since an
 * append is refused when the stream has gone on.
 */
export const executeOn = (
  streams: Streams,
  aggregates: Aggregates = aggregatesOn({ streams }),
  mutex: KeyedMutex = keyedMutex(),
): Execute => {
  /** Where the log has what this command brought about, if it does. */
  const alreadyAt = async (stream: StreamName, { commandId }: Given): Promise<LogPosition | undefined> => {
    const { events } = await streams.read(stream);
    return events.findLast(({ metadata }) => metadata.commandId === commandId)?.position;
  };

  const decideAndAppend = async <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
    decider: Decider<State, Command, Event, No>,
    stream: StreamName,
    command: CommandFor<State, Command>,
    metadata: Given,
    isNew: 'new' | undefined,
    asked: number,
  ): Promise<Executed<State>> => {
    let conflicts = 0;
    let since = asked;
    let mayBeDone = metadata.isRepeated === true;
    const guess = isNew && { state: decider.initial, head: NO_STREAM };
    for (let recalled = aggregates.recall(decider, stream) ?? guess; ; recalled = undefined) {
      const before = recalled ?? (await aggregates.load(decider, stream, since));
      // Looked for after the head is known: an append that arrives later than this is in the way of ours.
      const position = mayBeDone ? await alreadyAt(stream, metadata) : undefined;
      if (position !== undefined) return { state: (await aggregates.load(decider, stream)).state, position };
      const decision = decider.decide(before.state, typeof command === 'function' ? await command(before.state) : command);
      if (!decision.ok || decision.events.length === 0) {
        // No append, so nothing would show that memory is behind: a no, and that there is nothing to do, are told by the log alone.
        if (recalled) continue;
        if (!decision.ok) throw new Rejected(decision.rejection);
        return { state: before.state };
      }
      try {
        const { position, head, repeated } = await streams.append(stream, before.head, decision.events, metadata);
        // An earlier attempt at this command arrived after all. It may have decided otherwise, so what counts is what stands in the log.
        if (repeated) return { state: (await aggregates.load(decider, stream)).state, position };
        const state = decision.events.reduce(decider.evolve, before.state);
        aggregates.keep(stream, before.head, { state, head });
        return { state, position };
      } catch (error) {
        // Somebody appended since we looked: decide again, on what is true now.
        if (!(error instanceof WrongRevision) || ++conflicts === ATTEMPTS) throw error;
        since = performance.now();
        // That may have been this very command, from a process that was thought dead.
        mayBeDone = metadata.isRepeated !== undefined;
      }
    }
  };

  return (decider, stream, command, metadata, isNew) => {
    const asked = performance.now();
    return mutex(stream, () => decideAndAppend(decider, stream, command, metadata, isNew, asked));
  };
};
