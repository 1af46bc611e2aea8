import { LRUCache } from 'lru-cache';

import { NO_STREAM, type Category, type StreamHead, type StreamName, type Streams } from '#domain/event-store.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { categoryOf } from './event-store/stored-event.ts';

/** What the events of a stream, up to this head, have made of an aggregate. */
export type Known<State> = { readonly state: State; readonly head: StreamHead };

/** What was once worked out, kept where it outlasts the process, so that a long history is not folded from its beginning again. */
export type Snapshots = {
  find(stream: StreamName): Promise<Known<unknown> | undefined>;
  save(stream: StreamName, known: Known<unknown>): Promise<void>;
};

type Fold<State, Event> = Pick<Decider<State, never, Event, unknown>, 'initial' | 'evolve'>;

/**
 * The aggregate as the log has it now. With `since` (of `performance.now()`): as the log had it at that moment or later, so that those who
 * came together and took turns do not each ask the log what it told the one before them.
 */
export type Load = <State, Event extends DomainEvent>(
  decider: Fold<State, Event>,
  stream: StreamName,
  since?: number,
) => Promise<Known<State>>;

/**
 * The aggregate as this process last saw it; one that it has not met is taken to be not there yet, which an append on it will prove
 * or refute without a read before. For a decision that leads to no append, `load` it. Only for categories without snapshots.
 */
export type Presume = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Known<State>;

/** The aggregate as this process last saw it, if it did. The log may have gone on since: only an append at this head is safe. */
export type Recall = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Known<State> | undefined;

export type Aggregates = {
  readonly load: Load;
  readonly presume: Presume;
  readonly recall: Recall;
  /** What an append at `before` has made of it. */
  keep<State>(stream: StreamName, before: StreamHead, known: Known<State>): void;
  /** Remembers nothing any more: what was read before somebody was erased tells of them. */
  forget(): void;
  /** Waits for the snapshots that are being saved. */
  close(): Promise<void>;
};

export type AggregatesOptions = {
  readonly streams: Pick<Streams, 'read'>;
  /** For the categories whose streams may grow long. */
  readonly snapshots?: { readonly [Of in Category]?: Snapshots };
  /** How many aggregates this process remembers at most: those that were used last. */
  readonly capacity?: number;
  /** A snapshot is saved every so many events. */
  readonly snapshotEvery?: number;
  /** A snapshot could not be saved: nothing is lost, the next one will do. */
  readonly onTrouble?: (error: unknown) => void;
};

/** `asOf`: when the log was last asked, at this moment or after it, and ended there. */
type Remembered = Known<unknown> & { readonly asOf: number };

/** Of what the log was not asked about. */
const NEVER = -Infinity;

const isBefore = (one: StreamHead, other: StreamHead | undefined): boolean => other !== undefined && one.revision < other.revision;

/**
 * The aggregates that this process has to do with, in memory. What is remembered or was saved is believed only as far as the log
 * holds the very event that it ends with; otherwise the whole history is read.
 */
export const aggregatesOn = (options: AggregatesOptions): Aggregates => {
  const { streams, snapshots = {}, capacity = 5_000, snapshotEvery = 100, onTrouble = () => undefined } = options;
  const remembered = new LRUCache<StreamName, Remembered>({ max: capacity });
  const saving = new Set<Promise<void>>();

  // The streams of a category are folded by one decider alone, so what is remembered is a state of the one who asks.
  const recall: Recall = <State>(_: unknown, stream: StreamName) => remembered.get(stream) as Known<State> | undefined;

  const remember = (stream: StreamName, { state, head }: Known<unknown>, asOf: number): void => {
    // An answer that was overtaken on its way.
    if (!isBefore(head, remembered.get(stream)?.head)) remembered.set(stream, { state, head, asOf });
  };

  const presume: Presume = (decider, stream) => {
    const known = recall(decider, stream) ?? { state: decider.initial, head: NO_STREAM };
    remember(stream, known, remembered.get(stream)?.asOf ?? NEVER);
    return known;
  };

  /** Beside whatever asked for it, which does not wait. */
  const save = (stream: StreamName, known: Known<unknown>): void => {
    const saved = snapshots[categoryOf(stream)]?.save(stream, known).catch(onTrouble);
    if (!saved) return;
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  };

  /** The aggregate from what was known of it, unless the log does not hold what that ends with. */
  const catchUp = async <State, Event extends DomainEvent>({ evolve }: Fold<State, Event>, stream: StreamName, known: Known<State>) => {
    const { revision, hash } = known.head;
    // From one event before the head, so that the answer shows whether the head is there.
    const { events, head } = await streams.read<Event>(stream, { revision: revision - 1, hash: '' });
    const [last, ...news] = events;
    if (last?.metadata.hash !== hash) return undefined;
    return { read: news.length, known: { state: asEvents<Event>(news).reduce(evolve, known.state), head } };
  };

  const fromStart = async <State, Event extends DomainEvent>({ initial, evolve }: Fold<State, Event>, stream: StreamName) => {
    const { events, head } = await streams.read<Event>(stream);
    return { read: events.length, known: { state: asEvents<Event>(events).reduce(evolve, initial), head } };
  };

  const load: Load = async <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName, since = Infinity) => {
    const recalled = remembered.get(stream);
    // As in `recall`; of what was saved likewise.
    if (recalled && recalled.asOf >= since) return recalled as Known<State>;
    const asOf = performance.now();
    const start = (recalled ?? (await snapshots[categoryOf(stream)]?.find(stream))) as Known<State> | undefined;
    const hasEvents = start !== undefined && start.head.revision >= 0;
    const caughtUp = hasEvents ? await catchUp(decider, stream, start) : undefined;
    if (hasEvents && !caughtUp) remembered.delete(stream);
    const { read, known } = caughtUp ?? (await fromStart(decider, stream));
    remember(stream, known, asOf);
    if (read >= snapshotEvery) save(stream, known);
    return known;
  };

  const partOf = ({ revision }: StreamHead): number => Math.floor((revision + 1) / snapshotEvery);

  return {
    load,
    presume,
    recall,
    keep: (stream, before, known) => {
      // An append may have been answered as it was long ago, so it does not tell where the log ends now.
      remember(stream, known, NEVER);
      if (partOf(before) !== partOf(known.head)) save(stream, known);
    },
    forget: () => remembered.clear(),
    close: async () => {
      await Promise.all(saving);
    },
  };
};

/** A recorded event is that event and more; through a union that is not named yet the compiler cannot see it. */
const asEvents = <Event extends DomainEvent>(recorded: readonly DomainEvent[]): readonly Event[] => recorded as readonly Event[];
