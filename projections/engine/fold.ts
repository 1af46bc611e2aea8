import type { Recorded } from '#domain/event-store.ts';

import { isAdded, type Projector, type TableSpec } from './define-projector.ts';
import type { AnyRow, ByTable, RowChanges } from './read-model-storage.ts';

/** Keeps stored rows, rows changed by this batch, and the changes of the current event, which are kept only if its handler succeeds. */
class RowsInMemory {
  /** These rows were loaded, or written by the previous batch; undefined marks a key without a row. */
  #stored = new Map<string, AnyRow | undefined>();
  #changed = new Map<string, AnyRow | undefined>();
  readonly #pending = new Map<string, AnyRow | undefined>();
  /** The current event may read these keys. */
  #named: readonly string[] = [];

  constructor(readonly key: string) {}

  has = (key: string): boolean => this.#changed.has(key) || this.#stored.has(key);

  load(keys: readonly string[], rows: readonly AnyRow[]): void {
    for (const key of keys) this.#stored.set(key, undefined);
    for (const row of rows) this.#stored.set(String(row[this.key]), row);
  }

  begin(named: readonly string[]): void {
    this.#named = named;
  }

  get(key: string): AnyRow | undefined {
    // This holds even if another event of the batch has loaded the row: the result must not depend on how events are batched.
    if (!this.#named.includes(key)) throw new Error(`Key ${key} was not loaded: the projector's keys() must name it for this event`);
    if (this.#pending.has(key)) return this.#pending.get(key);
    return this.#changed.get(key) ?? (this.#changed.has(key) ? undefined : this.#stored.get(key));
  }

  set = (row: AnyRow): void => void this.#pending.set(String(row[this.key]), row);

  delete = (key: string): void => void this.#pending.set(key, undefined);

  /** Keeps the changes of the current event, or drops them. */
  end(applied: boolean): void {
    if (applied) for (const [key, row] of this.#pending) this.#changed.set(key, row);
    if (this.#pending.size > 0) this.#pending.clear();
  }

  changes(): RowChanges {
    const put: AnyRow[] = [];
    const gone: string[] = [];
    for (const [key, row] of this.#changed) {
      if (row) put.push(row);
      else gone.push(key);
    }
    return { upserts: put, deletes: gone };
  }

  /** Returns the changes to be written. They stay in memory, because later events may be folded before they are written. */
  takeChanges(): RowChanges {
    const changes = this.changes();
    this.#stored = this.#changed;
    this.#changed = new Map();
    return changes;
  }

  reset(): void {
    this.#stored.clear();
    this.#changed.clear();
  }
}

/** Keeps the numbers to be added to a `sums` table for each key. */
class SumsInMemory {
  readonly #added = new Map<string, AnyRow>();
  #pending: AnyRow[] = [];

  constructor(readonly spec: TableSpec) {}

  begin(): void {}

  add = (row: AnyRow): void => void this.#pending.push(row);

  end(applied: boolean): void {
    if (applied) for (const row of this.#pending) this.#add(row);
    if (this.#pending.length > 0) this.#pending = [];
  }

  #add(row: AnyRow): void {
    const key = String(row[this.spec.key]);
    const before = this.#added.get(key);
    this.#added.set(key, before ? addRows(before, row, this.spec) : row);
  }

  changes = (): RowChanges => ({ upserts: [...this.#added.values()], deletes: [] });

  takeChanges(): RowChanges {
    const changes = this.changes();
    this.reset();
    return changes;
  }

  reset(): void {
    this.#added.clear();
  }
}

export const addRows = (before: AnyRow, row: AnyRow, spec: TableSpec): AnyRow => {
  const sum: Record<string, unknown> = { ...before };
  for (const column in row) if (isAdded(spec, column)) sum[column] = Number(before[column]) + Number(row[column]);
  return sum;
};

const NOTHING: RowChanges = { upserts: [], deletes: [] };

type KeysRead = ReturnType<Projector['keys']> | undefined;

/**
 * Folds events into rows. The rows that events read must be loaded before: `missingKeys` names them. An event that fails changes nothing.
 */
export class Fold {
  readonly #tables: ReadonlyMap<string, RowsInMemory | SumsInMemory>;
  readonly #rows: ReadonlyMap<string, RowsInMemory>;
  readonly #handles: Readonly<Record<string, RowsInMemory | SumsInMemory>>;
  /** Counts the events whose type this release does not know. */
  #unknown = 0;

  constructor(readonly projector: Projector) {
    const tables = Object.entries(projector.tables).map(
      ([name, spec]) => [name, spec.kind === 'sums' ? new SumsInMemory(spec) : new RowsInMemory(spec.key)] as const,
    );
    this.#tables = new Map(tables);
    this.#rows = new Map(tables.flatMap(([name, table]) => (table instanceof RowsInMemory ? [[name, table] as const] : [])));
    this.#handles = Object.fromEntries(tables);
  }

  get unknown(): number {
    return this.#unknown;
  }

  /** Returns the keys that these events read and whose rows are not in memory, by table. */
  missingKeys(events: readonly Recorded[]): ByTable<readonly string[]> {
    const unknown = new Map<string, Set<string>>();
    for (const event of events) {
      const keys = this.#keysOf(event);
      for (const name in keys) {
        const table = this.#rows.get(name);
        for (const key of keys[name] ?? []) {
          if (!table || table.has(key)) continue;
          const missing = unknown.get(name);
          if (missing) missing.add(key);
          else unknown.set(name, new Set([key]));
        }
      }
    }
    return new Map([...unknown].map(([name, keys]) => [name, [...keys]]));
  }

  /** Returns undefined if `keys` throws: `apply` will throw the same error. */
  #keysOf(event: Recorded): KeysRead {
    try {
      return this.projector.keys(event);
    } catch {
      return undefined;
    }
  }

  /** Keeps loaded rows. A wanted key that has no row is remembered as missing. */
  load(keys: ByTable<readonly string[]>, rows: ByTable<readonly AnyRow[]>): void {
    for (const [name, wanted] of keys) this.#rows.get(name)?.load(wanted, rows.get(name) ?? []);
  }

  /** Applies an event. If its handler throws, this throws the same error and nothing has changed. */
  apply(event: Recorded): void {
    const keys = this.projector.keys(event);
    for (const [name, table] of this.#tables) table.begin(keys[name] ?? []);
    let applied = false;
    try {
      if (this.projector.apply(this.#handles, event) === 'unknown') this.#unknown++;
      applied = true;
    } finally {
      for (const table of this.#tables.values()) table.end(applied);
    }
  }

  changes = (table: string): RowChanges => this.#tables.get(table)?.changes() ?? NOTHING;

  /** Returns all changes, which then count as written, and the number of unknown events. */
  takeChanges(): { readonly changes: ByTable<RowChanges>; readonly unknown: number } {
    const unknown = this.#unknown;
    this.#unknown = 0;
    return { changes: new Map([...this.#tables].map(([name, table]) => [name, table.takeChanges()])), unknown };
  }

  /** Drops all changes that are not written, and all loaded rows. */
  reset(): void {
    this.#unknown = 0;
    for (const table of this.#tables.values()) table.reset();
  }
}
