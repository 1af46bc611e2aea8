import type { CartRejection } from '#domain/cart/cart.ts';
import {
  NO_STREAM,
  WrongRevision,
  type CommandMetadata,
  type LogPosition,
  type StreamHead,
  type StreamName,
  type Streams,
} from '#domain/event-store.ts';
import type { OrderRejection } from '#domain/order/order.ts';
import type { PaymentRejection } from '#domain/payment/payment.ts';
import type { ProductRejection } from '#domain/product/product.ts';
import type { StockRejection } from '#domain/stock/stock.ts';
import type { TaxRejection } from '#domain/tax/tax.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { aggregatesOn, type Aggregates } from './aggregates.ts';
import { keyedMutex, type KeyedMutex } from '../platform/keyed-mutex.ts';

/** A new code does not compile until `http/rejection-answers.ts` has a status and a sentence for it. */
export type Rejection = ProductRejection | CartRejection | OrderRejection | PaymentRejection | StockRejection | TaxRejection;

/** Thrown here only, made an answer in http/errors only. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(readonly rejection: Rejection) {
    super(rejection.code);
  }
}

/** The new state, and the position of the last event appended; none when nothing was. */
export type Executed<State> = { readonly state: State; readonly position?: LogPosition };

/**
 * `isRepeated` is set when the command may be sent more than once under its id, and true when it was: then the log is searched for its
 * events, which are its outcome.
 */
export type RequestMetadata = CommandMetadata & { readonly isRepeated?: boolean };

/**
 * A command, or what makes it before each decision, from the state and its head. If that throws `WrongRevision`, the state is loaded and the
 * command made again.
 */
export type CommandFor<State, Command extends object> = Command | ((state: State, head: StreamHead) => Promise<Command>);

/** `isNew`: the stream is expected not to exist and is not read first. Should it exist, the append is refused, and it is loaded. */
export type ExecuteOptions = { readonly isNew?: boolean };

/**
 * Throws `Rejected`, `MutexTimeout`, what the event store throws, and `WrongRevision` when other processes append to the stream faster than
 * this one decides.
 */
export type Execute = <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
  decider: Decider<State, Command, Event, No>,
  stream: StreamName,
  command: CommandFor<State, Command>,
  metadata: RequestMetadata,
  options?: ExecuteOptions,
) => Promise<Executed<State>>;

/** Against other processes: commands of this one on a stream wait for each other. */
const ATTEMPTS = 20;

/**
 * The command handler of every aggregate: load, decide, append at the revision that was decided on; if another process has appended
 * meanwhile, again. A cached aggregate costs one append and no read, since an append at a stale revision is refused.
 */
export const executeOn = (
  streams: Streams,
  aggregates: Aggregates = aggregatesOn({ streams }),
  mutex: KeyedMutex = keyedMutex(),
): Execute => {
  const positionOf = async (stream: StreamName, commandId: string): Promise<LogPosition | undefined> => {
    const { events } = await streams.read(stream);
    return events.findLast(({ metadata }) => metadata.commandId === commandId)?.position;
  };

  const handle = async <State, Command extends object, Event extends DomainEvent, No extends Rejection>(
    decider: Decider<State, Command, Event, No>,
    stream: StreamName,
    command: CommandFor<State, Command>,
    metadata: RequestMetadata,
    { isNew = false }: ExecuteOptions,
  ): Promise<Executed<State>> => {
    const outcomeAt = async (position: LogPosition) => ({ state: (await aggregates.load(decider, stream)).state, position });
    let unchecked = aggregates.cached(decider, stream) ?? (isNew ? { state: decider.initial, head: NO_STREAM } : undefined);
    let mayBeDone = metadata.isRepeated === true;

    for (let conflicts = 0; ; unchecked = undefined) {
      const generation = aggregates.generation();
      const before = unchecked ?? (await aggregates.load(decider, stream));
      // After the load: if the first attempt's append arrives later than this, it takes the revision that ours expects.
      const position = mayBeDone ? await positionOf(stream, metadata.commandId) : undefined;
      if (position !== undefined) return outcomeAt(position);

      try {
        const decision = decider.decide(before.state, typeof command === 'function' ? await command(before.state, before.head) : command);
        if (!decision.ok || decision.events.length === 0) {
          // Without an append nothing shows that the state is stale: the log is asked before the answer is no, or nothing to do.
          if (unchecked) continue;
          if (!decision.ok) throw new Rejected(decision.rejection);
          return { state: before.state };
        }

        const { position, head, repeated } = await streams.append(stream, before.head, decision.events, metadata);
        // The first attempt's append arrived after all, and may have decided otherwise.
        if (repeated) return outcomeAt(position);
        const state = decision.events.reduce(decider.evolve, before.state);
        aggregates.appended(stream, before.head, { state, head }, generation);
        return { state, position };
      } catch (error) {
        if (!(error instanceof WrongRevision) || ++conflicts === ATTEMPTS) throw error;
        // They may be those of this very command, sent to another process.
        mayBeDone = metadata.isRepeated !== undefined;
      }
    }
  };

  return (decider, stream, command, metadata, options = {}) => mutex(stream, () => handle(decider, stream, command, metadata, options));
};
