import type { Recorded } from '#domain/event-store.ts';

import { streamId, type Projector } from './define-projector.ts';
import type { AnyRow, ByTable, Changes } from './read-model-storage.ts';

/**
 * A `rows` table in memory: rows as they are stored, those changed since, and those that the event being applied has set, which count
 * once all of it was applied.
 */
export class RowsInMemory {
  /** As they were loaded for these events, or written with those before them; undefined where there is no row. */
  #stored = new Map<string, AnyRow | undefined>();
  #changed = new Map<string, AnyRow | undefined>();
  readonly #pending = new Map<string, AnyRow | undefined>();
  /** The keys that the event being applied may read. */
  #named: readonly string[] = [];

  constructor(readonly key: string) {}

  /** Whether its row need not be loaded. */
  has = (key: string): boolean => this.#changed.has(key) || this.#stored.has(key);

  load(keys: readonly string[], rows: readonly AnyRow[]): void {
    for (const key of keys) this.#stored.set(key, undefined);
    for (const row of rows) this.#stored.set(String(row[this.key]), row);
  }

  begin(named: readonly string[]): void {
    this.#named = named;
  }

  get(key: string): AnyRow | undefined {
    // Also when a neighbour in the batch has loaded it: what an event does must not depend on how events are batched.
    if (!this.#named.includes(key)) throw new Error(`Key ${key} was not loaded: the projector's keys() must name it for this event`);
    if (this.#pending.has(key)) return this.#pending.get(key);
    return this.#changed.get(key) ?? (this.#changed.has(key) ? undefined : this.#stored.get(key));
  }

  set = (row: AnyRow): void => void this.#pending.set(String(row[this.key]), row);

  delete = (key: string): void => void this.#pending.set(key, undefined);

  /** What the event has set counts, or is forgotten. */
  end(applied: boolean): void {
    if (applied) for (const [key, row] of this.#pending) this.#changed.set(key, row);
    if (this.#pending.size > 0) this.#pending.clear();
  }

  changes(): Changes {
    const put: AnyRow[] = [];
    const gone: string[] = [];
    for (const [key, row] of this.#changed) {
      if (row) put.push(row);
      else gone.push(key);
    }
    return { upserts: put, deletes: gone };
  }

  /** Takes the changes to be written. They stay in memory for the events that follow, which may be folded before they are. */
  takeChanges(): Changes {
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

/** A `sums` table in memory: what is to be added to each key. */
export class SumsInMemory {
  readonly #added = new Map<string, AnyRow>();
  #pending: AnyRow[] = [];

  constructor(readonly key: string) {}

  begin(): void {}

  add = (row: AnyRow): void => void this.#pending.push(row);

  end(applied: boolean): void {
    if (applied) for (const row of this.#pending) this.#add(row);
    if (this.#pending.length > 0) this.#pending = [];
  }

  #add(row: AnyRow): void {
    const key = String(row[this.key]);
    const before = this.#added.get(key);
    this.#added.set(key, before ? addRows(before, row, this.key) : row);
  }

  changes = (): Changes => ({ upserts: [...this.#added.values()], deletes: [] });

  takeChanges(): Changes {
    const changes = this.changes();
    this.reset();
    return changes;
  }

  reset(): void {
    this.#added.clear();
  }
}

/** Both rows of a `sums` table as one. */
export const addRows = (before: AnyRow, row: AnyRow, key: string): AnyRow => {
  const sum: Record<string, unknown> = { ...before };
  for (const column in row) if (column !== key) sum[column] = Number(before[column]) + Number(row[column]);
  return sum;
};

const NOTHING: Changes = { upserts: [], deletes: [] };

/** The keys that an event reads, by table. */
type KeysRead = ReturnType<Projector['keys']> | undefined;

/**
 * Events folded into tables in memory. Rows that events read must be there before: those of `unknownKeys` are to be loaded and
 * learnt. An event that fails leaves nothing behind.
 */
export class Fold {
  readonly #tables: ReadonlyMap<string, RowsInMemory | SumsInMemory>;
  readonly #rows: ReadonlyMap<string, RowsInMemory>;
  readonly #handles: Readonly<Record<string, RowsInMemory | SumsInMemory>>;
  /** Events of types that this release does not know. */
  #unknown = 0;

  constructor(readonly projector: Projector) {
    const tables = Object.entries(projector.tables).map(
      ([name, { kind, key }]) => [name, kind === 'sums' ? new SumsInMemory(key) : new RowsInMemory(key)] as const,
    );
    this.#tables = new Map(tables);
    this.#rows = new Map(tables.flatMap(([name, table]) => (table instanceof RowsInMemory ? [[name, table] as const] : [])));
    this.#handles = Object.fromEntries(tables);
  }

  get unknown(): number {
    return this.#unknown;
  }

  /** Of the keys that these events read, by table, the ones that must be loaded first. */
  missingKeys(events: readonly Recorded[]): ByTable<readonly string[]> {
    const unknown = new Map<string, Set<string>>();
    for (const event of events) {
      const keys = this.#keysOf(event);
      for (const name in keys) {
        const table = this.#rows.get(name);
        for (const key of keys[name] ?? []) {
          // What is named by the id of a stream is set by that stream alone: before its first event there is no such row.
          if (!table || table.has(key) || (event.revision === 0 && key === streamId(event.stream))) continue;
          const missing = unknown.get(name);
          if (missing) missing.add(key);
          else unknown.set(name, new Set([key]));
        }
      }
    }
    return new Map([...unknown].map(([name, keys]) => [name, [...keys]]));
  }

  /** Undefined when that cannot be told: applying the event comes upon the same error. */
  #keysOf(event: Recorded): KeysRead {
    try {
      return this.projector.keys(event);
    } catch {
      return undefined;
    }
  }

  /** Takes rows as they are stored; keys without a row are known not to be there. */
  load(keys: ByTable<readonly string[]>, rows: ByTable<readonly AnyRow[]>): void {
    for (const [name, wanted] of keys) this.#rows.get(name)?.load(wanted, rows.get(name) ?? []);
  }

  /** Applies an event. Throws what its handler throws, and then nothing has changed. */
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

  /** What has changed since the beginning, or since changes were last taken. */
  changes = (table: string): Changes => this.#tables.get(table)?.changes() ?? NOTHING;

  /** Takes all changes, which count as written from then on, and how many unknown events there were. */
  takeChanges(): { readonly changes: ByTable<Changes>; readonly unknown: number } {
    const unknown = this.#unknown;
    this.#unknown = 0;
    return { changes: new Map([...this.#tables].map(([name, table]) => [name, table.takeChanges()])), unknown };
  }

  /** Forgets everything that was not written, and what was believed to be stored. */
  reset(): void {
    this.#unknown = 0;
    for (const table of this.#tables.values()) table.reset();
  }
}
