import type { Recorded } from '#domain/event-store.ts';

import { streamId, type Projector } from './define-projector.ts';
import type { AnyRow, ByTable, Changes } from './read-model-storage.ts';
import { RowsInMemory, SumsInMemory } from './tables-in-memory.ts';

const NOTHING: Changes = { put: [], gone: [] };

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
  unknownKeys(events: readonly Recorded[]): ByTable<readonly string[]> {
    const unknown = new Map<string, Set<string>>();
    for (const event of events) {
      const keys = this.#keysOf(event);
      for (const name in keys) {
        const table = this.#rows.get(name);
        for (const key of keys[name] ?? []) {
          // What is named by the id of a stream is set by that stream alone: before its first event there is no such row.
          if (!table || table.knows(key) || (event.revision === 0 && key === streamId(event.stream))) continue;
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
  learn(keys: ByTable<readonly string[]>, rows: ByTable<readonly AnyRow[]>): void {
    for (const [name, wanted] of keys) this.#rows.get(name)?.learn(wanted, rows.get(name) ?? []);
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
  take(): { readonly changes: ByTable<Changes>; readonly unknown: number } {
    const unknown = this.#unknown;
    this.#unknown = 0;
    return { changes: new Map([...this.#tables].map(([name, table]) => [name, table.take()])), unknown };
  }

  /** Forgets everything that was not written, and what was believed to be stored. */
  forget(): void {
    this.#unknown = 0;
    for (const table of this.#tables.values()) table.forget();
  }
}
