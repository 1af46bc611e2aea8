import { START, type LogPosition, type StreamName } from '#domain/event-store.ts';

import { RefusedValues, Superseded } from '../follower/failures.ts';
import { systemClock, type Clock } from '../follower/clock.ts';
import { createTableSet, type TableSet, type StoredTable } from '../engine/table-set.ts';
import {
  stateAfter,
  type AnyRow,
  type ByTable,
  type Commit,
  type CheckpointState,
  type ParkedEvent,
  type ReadModelStorage,
} from '../engine/read-model-storage.ts';
import { assertUnchanged } from '../follower/lease.ts';
import { MemoryLease } from '../follower/memory-lease.ts';
import { addRows } from '../engine/fold.ts';

type Rows = Map<string, AnyRow>;

export type StoredState = {
  state: Omit<CheckpointState, 'holder' | 'blockedStreams' | 'queuedStream'>;
  readonly lease: MemoryLease;
  unknown: number;
  tables: ReadonlyMap<string, Rows>;
  parked: Map<LogPosition, ParkedEvent>;
  queue: Set<StreamName>;
};

const formatName = ({ projector, name }: TableSet): string => `${projector.name} ${projector.version} ${name}`;

/** Copies a row with its columns only, as a database would store it. */
const storedRow = (row: AnyRow, { columns }: StoredTable): AnyRow => {
  try {
    return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]));
  } catch (error) {
    throw new RefusedValues(error);
  }
};

const pickRows = (table: ReadonlyMap<string, AnyRow> | undefined, keys: readonly string[]): readonly AnyRow[] =>
  keys.map((key) => table?.get(key)).filter((row) => row !== undefined);

const emptyTables = (tableSet: TableSet): ReadonlyMap<string, Rows> => new Map(tableSet.tables.map(({ name }) => [name, new Map()]));

/** Runs calls one after the other, like a row lock. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

type Run = <Result>(tableSet: TableSet, work: () => Promise<Result>) => Promise<Result>;

/** Stores read models in memory. It outlives the simulated processes that use it, and stores copies of rows. */
export class MemoryStorage implements ReadModelStorage {
  readonly #states: Map<string, StoredState>;
  readonly #run: Run;

  constructor(
    readonly clock: Clock = systemClock,
    /** The function is called after each change with the set of tables that has changed. */
    readonly onCommit: (tableSet: TableSet, stored: StoredState) => void = () => {},
    inside?: { readonly states: Map<string, StoredState>; readonly run: Run },
  ) {
    const mutexes = new Map<string, Mutex>();
    this.#states = inside?.states ?? new Map();
    this.#run =
      inside?.run ??
      ((tableSet, work) => {
        const mutex = mutexes.get(formatName(tableSet)) ?? new Mutex();
        mutexes.set(formatName(tableSet), mutex);
        return mutex.run(work);
      });
  }

  stored = (tableSet: TableSet): StoredState | undefined => this.#states.get(formatName(tableSet));

  #ensured(tableSet: TableSet): StoredState {
    const state = { position: START, eventId: '', stream: undefined, revision: undefined, epoch: 0, built: false };
    const made = () => ({
      state,
      lease: new MemoryLease(),
      unknown: 0,
      tables: emptyTables(tableSet),
      parked: new Map(),
      queue: new Set<StreamName>(),
    });
    const stored = this.stored(tableSet) ?? made();
    this.#states.set(formatName(tableSet), stored);
    return stored;
  }

  #expect(tableSet: TableSet, state?: CheckpointState): StoredState {
    const stored = this.stored(tableSet);
    if (!stored) throw new Superseded(`There is no ${formatName(tableSet)}`);
    if (state) assertUnchanged(state, { ...stored.state, holder: stored.lease.holder });
    return stored;
  }

  #heldOf = ({ state, lease: { holder }, parked, queue }: StoredState): CheckpointState => ({
    ...state,
    holder,
    blockedStreams: new Set([...parked.values()].map(({ event }) => event.stream)),
    queuedStream: [...queue].sort().at(0),
  });

  claim(tableSet: TableSet, holder: string): Promise<CheckpointState | undefined> {
    return this.#run(tableSet, async () => {
      const stored = this.#ensured(tableSet);
      return stored.lease.claim(holder, this.clock.now()) ? this.#heldOf(stored) : undefined;
    });
  }

  renew(tableSet: TableSet, holder: string): Promise<number> {
    return this.#run(tableSet, async () => {
      const stored = this.#expect(tableSet);
      stored.lease.renew(holder, this.clock.now());
      return stored.state.epoch;
    });
  }

  release(tableSet: TableSet, holder: string): Promise<void> {
    return this.#run(tableSet, async () => this.stored(tableSet)?.lease.release(holder));
  }

  async load(tableSet: TableSet, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>> {
    const { tables } = this.#expect(tableSet);
    return new Map([...keys].map(([name, wanted]) => [name, pickRows(tables.get(name), wanted)]));
  }

  commit(tableSet: TableSet, state: CheckpointState, commit: Commit): Promise<CheckpointState> {
    return this.#run(tableSet, async () => {
      const stored = this.#expect(tableSet, state);
      if (commit.unparked !== undefined && !stored.parked.has(commit.unparked))
        throw new Superseded(`${commit.unparked} of ${formatName(tableSet)} is not parked any more`);
      const tables = new Map(tableSet.tables.map((table) => [table.name, this.#written(stored, table, commit)]));
      const after = stateAfter(state, commit);
      const { position, eventId, stream, revision, epoch, built } = after;
      stored.state = { position, eventId, stream, revision, epoch, built };
      if (commit.to) stored.lease.renew(state.holder, this.clock.now());
      stored.tables = tables;
      stored.unknown += commit.unknown;
      const { parked, unparked, reprojected } = commit;
      if (unparked !== undefined) stored.parked.delete(unparked);
      if (reprojected !== undefined) {
        stored.queue.delete(reprojected);
        for (const [at, { event }] of stored.parked) if (event.stream === reprojected) stored.parked.delete(at);
      }
      for (const entry of parked) stored.parked.set(entry.event.position, entry);
      this.onCommit(tableSet, stored);
      return after;
    });
  }

  #written({ tables }: StoredState, table: StoredTable, { changes }: Commit): Rows {
    const { name, spec } = table;
    const { upserts: put, deletes: gone } = changes.get(name) ?? { upserts: [], deletes: [] };
    const before: Rows = tables.get(name) ?? new Map();
    if (put.length + gone.length === 0) return before;
    const rows = new Map(before);
    for (const row of put.map((each) => storedRow(each, table))) {
      const key = String(row[spec.key]);
      const there = spec.kind === 'sums' ? rows.get(key) : undefined;
      rows.set(key, there ? addRows(there, row, spec) : row);
    }
    for (const key of gone) rows.delete(key);
    return rows;
  }

  async parkedStreams(tableSet: TableSet): Promise<readonly StreamName[]> {
    const inOrder = [...this.#expect(tableSet).parked].toSorted(([one], [other]) => Number(one - other));
    return [...new Set(inOrder.map(([, { event }]) => event.stream))];
  }

  async firstParked(tableSet: TableSet, stream: StreamName): Promise<LogPosition | undefined> {
    const own = [...this.#expect(tableSet).parked].filter(([, { event }]) => event.stream === stream).map(([position]) => position);
    return own.toSorted((one, other) => Number(one - other))[0];
  }

  locked<Result>(tableSet: TableSet, work: (state: CheckpointState, storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return this.#run(tableSet, () => {
      const run: Run = (of, inside) => (formatName(of) === formatName(tableSet) ? inside() : this.#run(of, inside));
      return work(this.#heldOf(this.#expect(tableSet)), new MemoryStorage(this.clock, this.onCommit, { states: this.#states, run }));
    });
  }

  empty(tableSet: TableSet, state: CheckpointState): Promise<CheckpointState> {
    return this.#run(tableSet, async () => {
      const stored = this.#expect(tableSet, state);
      stored.state = { ...stored.state, position: START, eventId: '', stream: undefined, revision: undefined };
      Object.assign(stored, { tables: emptyTables(tableSet), parked: new Map(), queue: new Set(), unknown: 0 });
      return this.#heldOf(stored);
    });
  }

  async index(tableSet: TableSet, state: CheckpointState): Promise<void> {
    this.#expect(tableSet, state);
  }

  replaceLive(next: TableSet, catchUp: (live: LogPosition) => Promise<CheckpointState>): Promise<void> {
    const live = createTableSet(next.projector, 'live');
    return this.#run(live, async () => {
      const { state, lease } = this.#ensured(live);
      const built = this.#expect(next, await catchUp(state.position));
      const stored = { ...built, lease, state: { ...built.state, epoch: state.epoch + 1, built: true } };
      this.#states.set(formatName(live), stored);
      this.#states.delete(formatName(next));
      this.onCommit(live, stored);
    });
  }

  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return work(this);
  }
}
