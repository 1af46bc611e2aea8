import { randomUUID } from 'node:crypto';

import { WrongRevision, type CommandMetadata, type StreamName, type Streams } from '#domain/event-store.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { batcher } from '../platform/batcher.ts';
import type { KeyedMutex } from '../platform/keyed-mutex.ts';
import type { Aggregates } from './aggregates.ts';
import { Rejected, type Executed, type Rejection } from './execute.ts';

/** `command` makes the command after the aggregate was loaded, again for each attempt. May throw, for this command alone. */
type Asked<Command> = { readonly command: () => Promise<Command>; readonly metadata: CommandMetadata };

/** Throws `Rejected`, what `command` throws, `MutexTimeout`, and what the event store throws. */
export type ExecuteTogether = <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
  decider: Decider<State, Command, Event, No>,
  stream: StreamName,
  asked: Asked<Command>,
) => Promise<Executed<State>>;

/** Against other processes. */
const ATTEMPTS = 20;
/** So many events the event store searches for those of a command that was sent again. */
const MOST_TOGETHER = 20;

/** Events of several commands are the shop's; of one, its sender's. */
const metadataOf = ([first, ...others]: readonly Asked<unknown>[], name: string): CommandMetadata => {
  if (first && others.length === 0) return first.metadata;
  const commandId = randomUUID();
  return { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'system', id: name } };
};

/**
 * The command handler of aggregates that many want to change at once: the commands that wait for a stream are decided one after the other
 * on its state, and appended together.
 *
 * Optimisation: one perfume takes thousands of reservations a second instead of as many as there are commits one after the other.
 */
export const executeTogetherOn = (streams: Streams, aggregates: Aggregates, mutex: KeyedMutex): ExecuteTogether => {
  type Outcome = Executed<unknown> | { readonly error: unknown };
  type AnyDecider = Decider<unknown, object, DomainEvent, Rejection>;
  type Queue = (asked: Asked<object>) => Promise<Outcome>;

  const handle = async (decider: AnyDecider, stream: StreamName, batch: readonly Asked<object>[]): Promise<readonly Outcome[]> => {
    let unchecked = aggregates.cached(decider, stream);
    for (let conflicts = 0; ; unchecked = undefined) {
      const generation = aggregates.generation();
      const before = unchecked ?? (await aggregates.load(decider, stream));
      const commands = await Promise.allSettled(batch.map(({ command }) => command()));
      const events: DomainEvent[] = [];
      let { state } = before;
      const outcomes = commands.map((made): Outcome => {
        if (made.status === 'rejected') return { error: made.reason };
        const decision = decider.decide(state, made.value);
        if (!decision.ok) return { error: new Rejected(decision.rejection) };
        state = decision.events.reduce(decider.evolve, state);
        events.push(...decision.events);
        return { state };
      });
      if (events.length === 0) {
        // Without an append nothing shows that the state is stale.
        if (unchecked) continue;
        return outcomes;
      }
      try {
        const { position, head, repeated } = await streams.append(stream, before.head, events, metadataOf(batch, stream));
        // The same command was appended by another call, which may have decided otherwise.
        if (repeated) continue;
        aggregates.appended(stream, before.head, { state, head }, generation);
        return outcomes.map((outcome) => ('error' in outcome ? outcome : { ...outcome, position }));
      } catch (error) {
        if (!(error instanceof WrongRevision) || ++conflicts === ATTEMPTS) throw error;
      }
    }
  };

  const queues = new Map<StreamName, { readonly ask: Queue; waiting: number }>();
  return async <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
    decider: Decider<State, Command, Event, No>,
    stream: StreamName,
    asked: Asked<Command>,
  ) => {
    // One decider folds all streams of a category.
    const any = decider as unknown as AnyDecider;
    const queue = queues.get(stream) ?? {
      ask: batcher((batch: readonly Asked<object>[]) => mutex(stream, () => handle(any, stream, batch)), MOST_TOGETHER),
      waiting: 0,
    };
    queues.set(stream, queue);
    queue.waiting++;
    try {
      const outcome = await queue.ask(asked);
      if ('error' in outcome) throw outcome.error;
      return outcome as Executed<State>;
    } finally {
      if (--queue.waiting === 0) queues.delete(stream);
    }
  };
};
