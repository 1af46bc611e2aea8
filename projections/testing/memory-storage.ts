import { START, type LogPosition, type StreamName } from '#domain/event-store.ts';

import { RefusedValues, Superseded } from '../engine/failures.ts';
import { machineClock, type Clock } from '../engine/clock.ts';
import { slotOf, type Slot, type SlotTable } from '../engine/table-set.ts';
import {
  heldAfter,
  LEASE,
  type AnyRow,
  type ByTable,
  type Commit,
  type Held,
  type Parking,
  type ReadModelStorage,
} from '../engine/read-model-storage.ts';
import { added } from '../engine/tables-in-memory.ts';

type Rows = Map<string, AnyRow>;

/** A slot as it is kept. */
export type KeptSlot = {
  held: Omit<Held, 'stalled' | 'queued'>;
  heldUntil: number;
  unknown: number;
  tables: ReadonlyMap<string, Rows>;
  parked: Map<LogPosition, Parking>;
  queue: Set<StreamName>;
};

const nameOf = ({ projector, name }: Slot): string => `${projector.name} ${projector.version} ${name}`;

/** A row as a table keeps it: its columns, and nothing that a handler may hang on to it. */
const stored = (row: AnyRow, { columns }: SlotTable): AnyRow => {
  try {
    return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]));
  } catch (error) {
    throw new RefusedValues(error);
  }
};

const rowsOf = (table: ReadonlyMap<string, AnyRow> | undefined, keys: readonly string[]): readonly AnyRow[] =>
  keys.map((key) => table?.get(key)).filter((row) => row !== undefined);

const emptyTables = (slot: Slot): ReadonlyMap<string, Rows> => new Map(slot.tables.map(({ name }) => [name, new Map()]));

/** Calls one after the other, as those that lock the same row. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

type Run = <Result>(slot: Slot, work: () => Promise<Result>) => Promise<Result>;

/** Read models in memory. Outlasts the processes that use it; what they keep of a row is a copy. */
export class MemoryStorage implements ReadModelStorage {
  readonly #slots: Map<string, KeptSlot>;
  readonly #run: Run;

  constructor(
    readonly clock: Clock = machineClock,
    /** Called with each slot that has changed, after it has. */
    readonly onCommit: (slot: Slot, kept: KeptSlot) => void = () => {},
    inside?: { readonly slots: Map<string, KeptSlot>; readonly run: Run },
  ) {
    const mutexes = new Map<string, Mutex>();
    this.#slots = inside?.slots ?? new Map();
    this.#run =
      inside?.run ??
      ((slot, work) => {
        const mutex = mutexes.get(nameOf(slot)) ?? new Mutex();
        mutexes.set(nameOf(slot), mutex);
        return mutex.run(work);
      });
  }

  /** The slot as it is kept, if it is there. */
  kept = (slot: Slot): KeptSlot | undefined => this.#slots.get(nameOf(slot));

  #ensured(slot: Slot): KeptSlot {
    const held = { position: START, eventId: '', stream: undefined, revision: undefined, epoch: 0, holder: null, built: false };
    const made = () => ({ held, heldUntil: 0, unknown: 0, tables: emptyTables(slot), parked: new Map(), queue: new Set<StreamName>() });
    const kept = this.kept(slot) ?? made();
    this.#slots.set(nameOf(slot), kept);
    return kept;
  }

  #expect(slot: Slot, held?: Held): KeptSlot {
    const kept = this.kept(slot);
    if (!kept) throw new Superseded(`There is no ${nameOf(slot)}`);
    const { position, eventId, epoch, holder } = kept.held;
    if (held && (position !== held.position || eventId !== held.eventId || epoch !== held.epoch || holder !== held.holder))
      throw new Superseded(`${nameOf(slot)} is no longer at ${held.position}, or has another holder`);
    return kept;
  }

  #heldOf = ({ held, parked, queue }: KeptSlot): Held => ({
    ...held,
    stalled: new Set([...parked.values()].map(({ event }) => event.stream)),
    queued: [...queue].sort().at(0),
  });

  claim(slot: Slot, holder: string): Promise<Held | undefined> {
    return this.#run(slot, async () => {
      const kept = this.#ensured(slot);
      const isFree = kept.held.holder === null || kept.held.holder === holder || kept.heldUntil < this.clock.now();
      if (!isFree) return undefined;
      kept.held = { ...kept.held, holder };
      kept.heldUntil = this.clock.now() + LEASE;
      return this.#heldOf(kept);
    });
  }

  renew(slot: Slot, holder: string): Promise<number> {
    return this.#run(slot, async () => {
      const kept = this.kept(slot);
      if (kept?.held.holder !== holder) throw new Superseded(`${nameOf(slot)} was taken over`);
      kept.heldUntil = this.clock.now() + LEASE;
      return kept.held.epoch;
    });
  }

  release(slot: Slot, holder: string): Promise<void> {
    return this.#run(slot, async () => {
      const kept = this.kept(slot);
      if (kept?.held.holder === holder) kept.held = { ...kept.held, holder: null };
    });
  }

  async load(slot: Slot, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>> {
    const { tables } = this.#expect(slot);
    return new Map([...keys].map(([name, wanted]) => [name, rowsOf(tables.get(name), wanted)]));
  }

  commit(slot: Slot, held: Held, commit: Commit): Promise<Held> {
    return this.#run(slot, async () => {
      const kept = this.#expect(slot, held);
      if (commit.unparked !== undefined && !kept.parked.has(commit.unparked))
        throw new Superseded(`${commit.unparked} of ${nameOf(slot)} is not parked any more`);
      const tables = new Map(slot.tables.map((table) => [table.name, this.#written(kept, table, commit)]));
      const after = heldAfter(held, commit);
      const { position, eventId, stream, revision, epoch, holder, built } = after;
      kept.held = { position, eventId, stream, revision, epoch, holder, built };
      if (commit.to) kept.heldUntil = this.clock.now() + LEASE;
      kept.tables = tables;
      kept.unknown += commit.unknown;
      const { parkings, unparked, reprojected } = commit;
      if (unparked !== undefined) kept.parked.delete(unparked);
      if (reprojected !== undefined) {
        kept.queue.delete(reprojected);
        for (const [at, { event }] of kept.parked) if (event.stream === reprojected) kept.parked.delete(at);
      }
      for (const parking of parkings) kept.parked.set(parking.event.position, parking);
      this.onCommit(slot, kept);
      return after;
    });
  }

  #written({ tables }: KeptSlot, table: SlotTable, { changes }: Commit): Rows {
    const { name, spec } = table;
    const { put, gone } = changes.get(name) ?? { put: [], gone: [] };
    const before: Rows = tables.get(name) ?? new Map();
    if (put.length + gone.length === 0) return before;
    const rows = new Map(before);
    for (const row of put.map((each) => stored(each, table))) {
      const key = String(row[spec.key]);
      const there = spec.kind === 'sums' ? rows.get(key) : undefined;
      rows.set(key, there ? added(there, row, spec.key) : row);
    }
    for (const key of gone) rows.delete(key);
    return rows;
  }

  locked<Result>(slot: Slot, work: (held: Held, storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return this.#run(slot, () => {
      const run: Run = (of, inside) => (nameOf(of) === nameOf(slot) ? inside() : this.#run(of, inside));
      return work(this.#heldOf(this.#expect(slot)), new MemoryStorage(this.clock, this.onCommit, { slots: this.#slots, run }));
    });
  }

  empty(slot: Slot, held: Held): Promise<Held> {
    return this.#run(slot, async () => {
      const kept = this.#expect(slot, held);
      kept.held = { ...kept.held, position: START, eventId: '', stream: undefined, revision: undefined };
      Object.assign(kept, { tables: emptyTables(slot), parked: new Map(), queue: new Set(), unknown: 0 });
      return this.#heldOf(kept);
    });
  }

  async index(slot: Slot, held: Held): Promise<void> {
    this.#expect(slot, held);
  }

  replaceLive(next: Slot, catchUp: (live: LogPosition) => Promise<Held>): Promise<void> {
    const live = slotOf(next.projector, 'live');
    return this.#run(live, async () => {
      const { held } = this.#ensured(live);
      const built = this.#expect(next, await catchUp(held.position));
      const { epoch, holder } = held;
      const kept = { ...built, held: { ...built.held, epoch: epoch + 1, holder, built: true } };
      this.#slots.set(nameOf(live), { ...kept, heldUntil: this.kept(live)?.heldUntil ?? 0 });
      this.#slots.delete(nameOf(next));
      this.onCommit(live, kept);
    });
  }

  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return work(this);
  }
}
