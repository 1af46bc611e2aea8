import { LRUCache } from 'lru-cache';

import type { Category, StreamHead, StreamName, Streams } from '#domain/event-store.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { parseCategory } from '../event-store/stored-event.ts';

/** A state is kept with the head of its stream up to which it was folded. */
export type Versioned<State> = { readonly state: State; readonly head: StreamHead };

/** Saved states spare each process from folding a long stream from its first event. */
export type Snapshots = {
  /** A snapshot is saved after this many events. Default: 100. */
  readonly every?: number;
  find(stream: StreamName): Promise<Versioned<unknown> | undefined>;
  save(stream: StreamName, known: Versioned<unknown>): Promise<void>;
};

type Fold<State, Event> = Pick<Decider<State, never, Event, unknown>, 'initial' | 'evolve'>;

/** Returns the state as the log has it now. Throws what the event store throws. */
export type Load = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Promise<Versioned<State>>;

/** Returns the state that this process cached. It may be stale, which only an append at its head shows. */
export type Cached = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Versioned<State> | undefined;

export type Aggregates = {
  readonly load: Load;
  readonly cached: Cached;
  /** Returns a number that grows with each `forget`. */
  generation(): number;
  /** Caches the state after an append at `before`, unless `forget` was called since this generation. */
  appended<State>(stream: StreamName, before: StreamHead, after: Versioned<State>, generation: number): void;
  /** Empties the cache after an erasure, and keeps commands and reads under way from caching states with erased personal data. */
  forget(): void;
  /** Waits until the snapshots under way are saved. */
  close(): Promise<void>;
};

export type AggregatesOptions = {
  readonly streams: Pick<Streams, 'read'>;
  /** Only categories whose streams may grow long need snapshots. */
  readonly snapshots?: { readonly [Of in Category]?: Snapshots };
  /** The cache holds this many aggregates and evicts the least recently used. */
  readonly capacity?: number;
  /** The function is called when a snapshot could not be saved. Nothing is lost: a later snapshot replaces it. */
  readonly onTrouble?: (error: unknown) => void;
};

const EVERY = 100;

const isBefore = (one: StreamHead, other: StreamHead | undefined): boolean => other !== undefined && one.revision < other.revision;

/**
 * Loads aggregates from their streams and caches them. A cached or saved state counts only if the log still holds the event that it ends
 * with; otherwise the whole stream is read again.
 */
export const createAggregates = (options: AggregatesOptions): Aggregates => {
  const { streams, snapshots = {}, capacity = 5_000, onTrouble = () => undefined } = options;
  const cache = new LRUCache<StreamName, Versioned<unknown>>({ max: capacity });
  const saving = new Set<Promise<void>>();
  let generation = 0;

  // Each category has one decider, so the cached state has the type that the caller expects.
  const cached: Cached = <State>(_: unknown, stream: StreamName) => cache.get(stream) as Versioned<State> | undefined;

  const put = (stream: StreamName, known: Versioned<unknown>, takenIn: number): void => {
    // An older answer may arrive after a newer one.
    if (takenIn === generation && !isBefore(known.head, cache.get(stream)?.head)) cache.set(stream, known);
  };

  /** Saves a snapshot in the background, so that no command waits for it. */
  const save = (stream: StreamName, known: Versioned<unknown>, takenIn: number): void => {
    if (takenIn !== generation) return;
    const saved = snapshots[parseCategory(stream)]?.save(stream, known).catch(onTrouble);
    if (!saved) return;
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  };

  /** Folds newer events onto an earlier state. Returns undefined when the log does not hold the event that the state ends with. */
  const catchUp = async <State, Event extends DomainEvent>({ evolve }: Fold<State, Event>, stream: StreamName, known: Versioned<State>) => {
    const { revision, hash } = known.head;
    // The read starts one event before the head, so that the answer shows whether the head is still there.
    const { events, head } = await streams.read<Event>(stream, { revision: revision - 1, hash: '' });
    const [last, ...news] = events;
    if (last?.metadata.hash !== hash) return undefined;
    return { read: news.length, known: { state: asEvents<Event>(news).reduce(evolve, known.state), head } };
  };

  const fromStart = async <State, Event extends DomainEvent>({ initial, evolve }: Fold<State, Event>, stream: StreamName) => {
    const { events, head } = await streams.read<Event>(stream);
    return { read: events.length, known: { state: asEvents<Event>(events).reduce(evolve, initial), head } };
  };

  const load: Load = async <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => {
    const takenIn = generation;
    const start = cached(decider, stream) ?? ((await snapshots[parseCategory(stream)]?.find(stream)) as Versioned<State> | undefined);
    const hasEvents = start !== undefined && start.head.revision >= 0;
    const caughtUp = hasEvents ? await catchUp(decider, stream, start) : undefined;
    if (hasEvents && !caughtUp) cache.delete(stream);
    const { read, known } = caughtUp ?? (await fromStart(decider, stream));
    put(stream, known, takenIn);
    if (read >= getSnapshotInterval(stream)) save(stream, known, takenIn);
    return known;
  };

  const getSnapshotInterval = (stream: StreamName): number => snapshots[parseCategory(stream)]?.every ?? EVERY;
  const getSnapshotNumber = (stream: StreamName, { revision }: StreamHead): number =>
    Math.floor((revision + 1) / getSnapshotInterval(stream));

  return {
    load,
    cached,
    generation: () => generation,
    appended: (stream, before, after, takenIn) => {
      put(stream, after, takenIn);
      if (getSnapshotNumber(stream, before) !== getSnapshotNumber(stream, after.head)) save(stream, after, takenIn);
    },
    forget: () => {
      generation++;
      cache.clear();
    },
    close: async () => {
      await Promise.all(saving);
    },
  };
};

/** The cast is safe: a recorded event is the event and more fields. The compiler cannot see that through a generic union. */
const asEvents = <Event extends DomainEvent>(recorded: readonly DomainEvent[]): readonly Event[] => recorded as readonly Event[];
