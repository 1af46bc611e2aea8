import type { Recorded } from '#domain/event-store.ts';

import type { Projector, TableSpec } from './projector.ts';
import type { AnyRow, Changes } from './changes.ts';
import { RowsInMemory } from './rows-in-memory.ts';
import { RowsToCopy } from './rows-to-copy.ts';
import { SumsInMemory } from './sums-in-memory.ts';

const NOTHING: Changes = { fresh: [], put: [], gone: [] };

/** The keys that an event reads, by table. */
export type KeysRead = ReturnType<Projector['keys']> | undefined;

/**
 * Events folded into tables in memory. Rows that events read must be there before: those of `unknownKeys` are to be loaded and
 * learnt. An event that fails leaves nothing behind.
 */
export class Fold {
  readonly #rows: readonly { readonly name: string; readonly table: RowsInMemory | RowsToCopy }[];
  readonly #sums: readonly SumsInMemory[];
  readonly #handles: Readonly<Record<string, RowsInMemory | RowsToCopy | SumsInMemory>>;
  /** Events of types that this release does not know. */
  unknown = 0;

  /** `startsEmpty`: nothing stands in the database yet, so that what is not in memory does not exist. What it makes is to be taken out. */
  constructor(
    readonly projector: Projector,
    { startsEmpty = false } = {},
  ) {
    const inMemory = (name: string, spec: TableSpec) => {
      if (spec.kind === 'sums') return new SumsInMemory(spec.key);
      return spec.unread && startsEmpty ? new RowsToCopy(name, spec) : new RowsInMemory(spec.key, { startsEmpty });
    };
    const tables = Object.entries(projector.tables).map(([name, spec]) => ({ name, table: inMemory(name, spec) }));
    this.#handles = Object.fromEntries(tables.map(({ name, table }) => [name, table]));
    this.#rows = tables.flatMap(({ name, table }) => (table instanceof SumsInMemory ? [] : [{ name, table }]));
    this.#sums = tables.flatMap(({ table }) => (table instanceof SumsInMemory ? [table] : []));
  }

  /** About how many bytes its rows take. */
  get weight(): number {
    let weight = 0;
    for (const { table } of this.#rows) weight += table.weight;
    for (const table of this.#sums) weight += table.weight;
    return weight;
  }

  /** What each event reads. Undefined when that cannot be told: applying the event comes upon the same error. */
  keysOf = (events: readonly Recorded[]): KeysRead[] =>
    events.map((event) => {
      try {
        return this.projector.keys(event);
      } catch {
        return undefined;
      }
    });

  /** Of these keys, by table, the ones that must be loaded first. */
  unknownKeys(read: readonly KeysRead[]): ReadonlyMap<string, readonly string[]> {
    const unknown = new Map<string, readonly string[]>();
    for (const { name, table } of this.#rows) {
      const missing = new Set<string>();
      for (const keys of read) for (const key of keys?.[name] ?? []) if (!table.knows(key)) missing.add(key);
      unknown.set(name, [...missing]);
    }
    return unknown;
  }

  /** Takes rows as they stand in the database; keys without a row are known not to be there. */
  learn(name: string, keys: readonly string[], rows: readonly AnyRow[]): void {
    const table = this.#handles[name];
    if (table instanceof RowsInMemory) table.learn(keys, rows);
  }

  /** Applies an event that reads these keys. Throws what its handler throws, and then nothing has changed. */
  apply(event: Recorded, keys: KeysRead = this.projector.keys(event)): void {
    for (const { name, table } of this.#rows) table.begin(keys[name] ?? []);
    for (const table of this.#sums) table.begin();
    try {
      if (this.projector.apply(this.#handles, event) === 'unknown') this.unknown++;
    } catch (error) {
      for (const { table } of this.#rows) table.undo();
      for (const table of this.#sums) table.undo();
      throw error;
    }
  }

  /** What has changed since the beginning, or since it was last taken out. */
  changes = (table: string): Changes => this.#handles[table]?.changes() ?? NOTHING;

  /**
   * Takes changes out of memory to be written, until no more than so many bytes stay; answers with those of each table. What no event
   * reads again goes first, sums and rows alike; then rows, from the one longest unchanged on.
   */
  takeOut(left: number): (table: string) => Changes {
    const taken = new Map<string, Changes>();
    for (const [name, table] of Object.entries(this.#handles)) if (!table.isRead) taken.set(name, table.takeOut(0));
    const share = Math.min(1, left / Math.max(1, this.weight));
    for (const { name, table } of this.#rows) if (table.isRead && share < 1) taken.set(name, table.takeOut(share));
    return (table) => taken.get(table) ?? NOTHING;
  }
}
