import { LRUCache } from 'lru-cache';

import type { Category, StreamHead, StreamName, Streams } from '#domain/event-store.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';

import { categoryOf } from '../event-store/stored-event.ts';

/** A state, and the head of its stream that it was folded up to. */
export type Versioned<State> = { readonly state: State; readonly head: StreamHead };

/** Saved states, so that not every process folds a long stream from its first event. */
export type Snapshots = {
  /** In events. Default: 100. */
  readonly every?: number;
  find(stream: StreamName): Promise<Versioned<unknown> | undefined>;
  save(stream: StreamName, known: Versioned<unknown>): Promise<void>;
};

type Fold<State, Event> = Pick<Decider<State, never, Event, unknown>, 'initial' | 'evolve'>;

/** As the log has it now. Throws what the event store throws. */
export type Load = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Promise<Versioned<State>>;

/** As this process last saw it. It may be stale, which only an append at its head shows. */
export type Cached = <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => Versioned<State> | undefined;

export type Aggregates = {
  readonly load: Load;
  readonly cached: Cached;
  /** Raised by `forget`. */
  generation(): number;
  /** Caches what an append at `before` has made of the aggregate, whose state was taken in this generation. */
  appended<State>(stream: StreamName, before: StreamHead, after: Versioned<State>, generation: number): void;
  /** States from before an erasure hold personal data: also those of commands and reads under way are not cached. */
  forget(): void;
  /** Waits for snapshots that are being saved. */
  close(): Promise<void>;
};

export type AggregatesOptions = {
  readonly streams: Pick<Streams, 'read'>;
  /** For categories whose streams may grow long. */
  readonly snapshots?: { readonly [Of in Category]?: Snapshots };
  /** The most that are cached: those used last. */
  readonly capacity?: number;
  /** A snapshot could not be saved: nothing is lost, the next one will do. */
  readonly onTrouble?: (error: unknown) => void;
};

const EVERY = 100;

const isBefore = (one: StreamHead, other: StreamHead | undefined): boolean => other !== undefined && one.revision < other.revision;

/**
 * Aggregates, folded from their streams and cached. A cached or saved state counts only if the log holds the very event that it ends with;
 * otherwise the whole stream is read.
 */
export const aggregatesOn = (options: AggregatesOptions): Aggregates => {
  const { streams, snapshots = {}, capacity = 5_000, onTrouble = () => undefined } = options;
  const cache = new LRUCache<StreamName, Versioned<unknown>>({ max: capacity });
  const saving = new Set<Promise<void>>();
  let generation = 0;

  // One decider folds all streams of a category, so that the cached state is one of its own.
  const cached: Cached = <State>(_: unknown, stream: StreamName) => cache.get(stream) as Versioned<State> | undefined;

  const put = (stream: StreamName, known: Versioned<unknown>, takenIn: number): void => {
    // Answers may arrive out of order.
    if (takenIn === generation && !isBefore(known.head, cache.get(stream)?.head)) cache.set(stream, known);
  };

  /** In the background: no command waits for it. */
  const save = (stream: StreamName, known: Versioned<unknown>, takenIn: number): void => {
    if (takenIn !== generation) return;
    const saved = snapshots[categoryOf(stream)]?.save(stream, known).catch(onTrouble);
    if (!saved) return;
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  };

  /** The aggregate from an earlier state; undefined when the log does not hold the event that the state ends with. */
  const catchUp = async <State, Event extends DomainEvent>({ evolve }: Fold<State, Event>, stream: StreamName, known: Versioned<State>) => {
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

  const load: Load = async <State, Event extends DomainEvent>(decider: Fold<State, Event>, stream: StreamName) => {
    const takenIn = generation;
    const start = cached(decider, stream) ?? ((await snapshots[categoryOf(stream)]?.find(stream)) as Versioned<State> | undefined);
    const hasEvents = start !== undefined && start.head.revision >= 0;
    const caughtUp = hasEvents ? await catchUp(decider, stream, start) : undefined;
    if (hasEvents && !caughtUp) cache.delete(stream);
    const { read, known } = caughtUp ?? (await fromStart(decider, stream));
    put(stream, known, takenIn);
    if (read >= everyOf(stream)) save(stream, known, takenIn);
    return known;
  };

  const everyOf = (stream: StreamName): number => snapshots[categoryOf(stream)]?.every ?? EVERY;
  const partOf = (stream: StreamName, { revision }: StreamHead): number => Math.floor((revision + 1) / everyOf(stream));

  return {
    load,
    cached,
    generation: () => generation,
    appended: (stream, before, after, takenIn) => {
      put(stream, after, takenIn);
      if (partOf(stream, before) !== partOf(stream, after.head)) save(stream, after, takenIn);
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

/** A recorded event is that event and more, which the compiler cannot see through an unnamed union. */
const asEvents = <Event extends DomainEvent>(recorded: readonly DomainEvent[]): readonly Event[] => recorded as readonly Event[];
