import type { CartRejection } from '#domain/cart/cart.ts';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';

import {
  NO_STREAM,
  WrongRevision,
  type CommandMetadata,
  type LogPosition,
  type StreamHead,
  type StreamName,
  type Streams,
} from '#domain/event-store.ts';
import type { MessageRejection } from '#domain/message/message.ts';
import type { WishlistRejection } from '#domain/wishlist/wishlist.ts';
import type { OrderRejection } from '#domain/order/order.ts';
import type { PaymentRejection } from '#domain/payment/payment.ts';
import type { ProductRejection } from '#domain/product/product.ts';
import type { ReviewRejection } from '#domain/review/review.ts';
import type { StaffRejection } from '#domain/staff/staff.ts';
import type { StockRejection } from '#domain/stock/stock.ts';
import type { TaxRejection } from '#domain/tax/tax.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { batcher } from '../platform/batcher.ts';
import { keyedMutex, type KeyedMutex } from '../platform/keyed-mutex.ts';
import { createAggregates, type Aggregates, type Versioned } from './aggregates.ts';

/** A new code compiles only once `http/rejection-answers.ts` has a status and a sentence for it. */
export type Rejection =
  | ProductRejection
  | CartRejection
  | OrderRejection
  | PaymentRejection
  | StockRejection
  | TaxRejection
  | ReviewRejection
  | MessageRejection
  | StaffRejection
  | WishlistRejection;

/** Only the command handlers throw it, and only `api/http` turns it into a response. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(readonly rejection: Rejection) {
    super(rejection.code);
  }
}

/** The new state and the position of the last event appended. The position is missing when nothing was appended. */
export type Executed<State> = { readonly state: State; readonly position?: LogPosition };

/**
 * `isRepeated` is set when a client may send the command more than once under its id, and true when it did: then the handler searches the
 * log for the command's events and returns their outcome.
 */
export type RequestMetadata = CommandMetadata & { readonly isRepeated?: boolean };

/**
 * A command, or a function that makes it from the state and its head before each decision. An error that the function throws fails this
 * command alone.
 */
export type CommandFor<State, Command extends object> = Command | ((state: State, head: StreamHead) => Promise<Command>);

export type ExecuteOptions<State> = {
  /** The stream is expected not to exist and is not read first. Should it exist, the append is refused, and it is loaded. */
  readonly isNew?: boolean;
  /** The command is decided on this state alone. Throws `WrongRevision` when the stream has later events. */
  readonly at?: Versioned<State>;
  /** Asks a read model for the state, in place of the stream, of which only the rest is read. Such a state is not cached. */
  readonly known?: () => Promise<Versioned<State>>;
  /**
   * Commands that wait for the stream are decided one after the other on its state, and appended together. For idempotent commands, which
   * are not searched for in the log, and without the other options.
   *
   * Optimisation: one perfume takes thousands of reservations a second.
   */
  readonly together?: boolean;
};

/**
 * Throws `Rejected`, `MutexTimeout`, the errors of the event store, and `WrongRevision` when other processes were first on the stream until
 * the time for the command was over.
 */
export type Execute = <State, Command extends object, Event extends DomainEvent, R extends Rejection>(
  decider: Decider<State, Command, Event, R>,
  stream: StreamName,
  command: CommandFor<State, Command>,
  metadata: RequestMetadata,
  options?: ExecuteOptions<State>,
) => Promise<Executed<State>>;

export type CommandHandlerParts = {
  readonly aggregates?: Aggregates;
  /** Within this process. */
  readonly mutex?: KeyedMutex;
  /** Among processes, for fairness alone: an append at a stale revision is refused with and without it. Default: none. */
  readonly lock?: KeyedMutex;
  /** How long a command is decided again after conflicts, in ms. */
  readonly timeout?: number | undefined;
  /** In ms. */
  readonly now?: () => number;
};

const TIMEOUT_MS = 5_000;
/** When a batch is sent again, the event store searches only this many events for those of the batch. */
const MOST_TOGETHER = 20;
/** After a conflict, commands on the stream take its lock until the last conflict is this long ago. */
const CONTENDED_MS = 1_000;
/** A process that always wins sees no conflict. After this many batches in a row it queues for the lock behind the other processes. */
const MOST_WINS = 8;

type AnyDecider = Decider<unknown, object, DomainEvent, Rejection>;
type Asked = { readonly command: CommandFor<unknown, object>; readonly metadata: RequestMetadata };
type Outcome = Executed<unknown> | { readonly error: unknown };
type Task = {
  readonly decider: AnyDecider;
  readonly stream: StreamName;
  readonly batch: readonly Asked[];
  /** The metadata of the events that are appended. */
  readonly metadata: RequestMetadata;
  readonly options: ExecuteOptions<unknown>;
};

/** Events of several commands have the shop as their actor; events of one command have its sender. */
const metadataOf = (stream: StreamName, [first, ...others]: readonly Asked[]): CommandMetadata => {
  if (first && others.length === 0) return first.metadata;
  const commandId = randomUUID();
  return { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'system', id: stream } };
};

/** Decides the commands one after the other, each on the state that the command before it left. */
const decideAll = async ({ decider, batch }: Task, { state: before, head }: Versioned<unknown>) => {
  const made = await Promise.allSettled(
    batch.map(async ({ command }) => (typeof command === 'function' ? command(before, head) : command)),
  );
  const events: DomainEvent[] = [];
  let state = before;
  const outcomes = made.map((command): Outcome => {
    if (command.status === 'rejected') return { error: command.reason };
    const decision = decider.decide(state, command.value);
    if (!decision.ok) return { error: new Rejected(decision.rejection) };
    state = decision.events.reduce(decider.evolve, state);
    events.push(...decision.events);
    return { state };
  });
  return { outcomes, events, state, isDecided: made.some(({ status }) => status === 'fulfilled') };
};

/**
 * The command handler of every aggregate loads, decides, and appends at the revision that it decided on. If another process has appended
 * meanwhile, it loads and decides again, under the stream's lock. A cached aggregate costs one append and no read, since an append at a stale revision is
 * refused.
 */
export const createExecute = (streams: Streams, parts: CommandHandlerParts = {}): Execute => {
  const { mutex = keyedMutex(), lock = (_, work) => work(), timeout = TIMEOUT_MS, now = () => performance.now() } = parts;
  const { aggregates = createAggregates({ streams }) } = parts;
  /** How many batches each stream took in a row; infinite after a conflict. */
  const wins = new LRUCache<StreamName, number>({ max: 1_000, ttl: CONTENDED_MS, ttlResolution: 0, perf: { now } });

  const findPosition = async (stream: StreamName, commandId: string): Promise<LogPosition | undefined> => {
    const { events } = await streams.read(stream);
    return events.findLast(({ metadata }) => metadata.commandId === commandId)?.position;
  };
  const outcomeAt = async ({ decider, stream }: Task, position: LogPosition): Promise<Outcome[]> => [
    { state: (await aggregates.load(decider, stream)).state, position },
  ];
  const loaded = async ({ decider, stream, options: { known } }: Task): Promise<Versioned<unknown>> => {
    if (!known) return aggregates.load(decider, stream);
    const { state, head: from } = await known();
    const { events, head } = await streams.read(stream, from);
    return { state: (events as readonly DomainEvent[]).reduce(decider.evolve, state), head };
  };
  const assumed = ({ decider, stream, options: { isNew = false, at, known } }: Task): Versioned<unknown> | undefined => {
    if (at || known) return at;
    return aggregates.cached(decider, stream) ?? (isNew ? { state: decider.initial, head: NO_STREAM } : undefined);
  };

  /** Resolves with the conflict when another process was first. `unchecked` is a state that may be stale. */
  const attempt = async (task: Task, mayBeDone: boolean, unchecked?: Versioned<unknown>): Promise<readonly Outcome[] | WrongRevision> => {
    const { stream, metadata, options } = task;
    const generation = aggregates.generation();
    const before = unchecked ?? (await loaded(task));
    // The log is searched after the load: an append of the first attempt that arrives even later takes the revision that ours expects.
    const done = mayBeDone ? await findPosition(stream, metadata.commandId) : undefined;
    if (done !== undefined) return outcomeAt(task, done);
    const { at } = options;
    if (at && at.head.hash !== before.head.hash) throw new WrongRevision(stream, at.head.revision, before.head.revision);

    const { outcomes, events, state, isDecided } = await decideAll(task, before);
    // Without an append nothing shows whether the cached state is stale, so the log is read before the answer is a refusal or "nothing to
    // do".
    if (events.length === 0) return unchecked && isDecided ? attempt(task, mayBeDone) : outcomes;
    try {
      const { position, head, repeated } = await streams.append(stream, before.head, events, metadata);
      // The append of the first attempt arrived meanwhile and may have decided otherwise.
      if (repeated) return await outcomeAt(task, position);
      if (!options.known) aggregates.appended(stream, before.head, { state, head }, generation);
      return outcomes.map((outcome) => ('error' in outcome ? outcome : { ...outcome, position }));
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error;
      wins.set(stream, Infinity);
      return error;
    }
  };

  const handle = async (task: Task): Promise<readonly Outcome[]> => {
    const { stream, metadata, options } = task;
    const { together = false } = options;
    const deadline = now() + timeout;
    const isRepeated = together ? undefined : metadata.isRepeated;
    const won = wins.get(stream) ?? 0;
    if (won < MOST_WINS) {
      const outcomes = await attempt(task, isRepeated === true, assumed(task));
      if (!(outcomes instanceof WrongRevision)) {
        if (together) wins.set(stream, won + 1);
        return outcomes;
      }
    } else if (won === MOST_WINS) wins.set(stream, 0);
    return lock(stream, async () => {
      let unchecked = won === MOST_WINS ? assumed(task) : undefined;
      // Those who have met no conflict yet append without the lock.
      for (let conflicts = 1; ; conflicts++, unchecked = undefined) {
        // Events of others may be those of this very command, sent to another process.
        const outcomes = await attempt(task, isRepeated !== undefined, unchecked);
        if (!(outcomes instanceof WrongRevision)) return outcomes;
        if (now() < deadline) continue;
        outcomes.message = `Gave up after ${conflicts} conflicts: ${outcomes.message}`;
        throw outcomes;
      }
    });
  };

  const run = (decider: AnyDecider, stream: StreamName, batch: readonly Asked[], options: ExecuteOptions<unknown>) =>
    mutex(stream, () => handle({ decider, stream, batch, options, metadata: metadataOf(stream, batch) }));

  type Queue = { readonly ask: (asked: Asked) => Promise<Outcome>; waiting: number };
  const queues = new Map<StreamName, Queue>();
  const executeTogether = async (decider: AnyDecider, stream: StreamName, asked: Asked): Promise<Outcome> => {
    const newQueue = (): Queue => ({
      ask: batcher((batch: readonly Asked[]) => run(decider, stream, batch, { together: true }), MOST_TOGETHER),
      waiting: 0,
    });
    const queue = queues.get(stream) ?? newQueue();
    queues.set(stream, queue);
    queue.waiting++;
    try {
      return await queue.ask(asked);
    } finally {
      if (--queue.waiting === 0) queues.delete(stream);
    }
  };

  return async <State, Command extends object, Event extends DomainEvent, R extends Rejection>(
    decider: Decider<State, Command, Event, R>,
    stream: StreamName,
    command: CommandFor<State, Command>,
    metadata: RequestMetadata,
    options: ExecuteOptions<State> = {},
  ) => {
    // One decider folds all streams of a category.
    const any = decider as unknown as AnyDecider;
    const asked = { command, metadata } as Asked;
    const [outcome] = options.together ? [await executeTogether(any, stream, asked)] : await run(any, stream, [asked], options);
    if (!outcome || 'error' in outcome) throw outcome?.error;
    return outcome as Executed<State>;
  };
};
