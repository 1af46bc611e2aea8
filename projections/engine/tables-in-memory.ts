import type { AnyRow, Changes } from './read-model-storage.ts';

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
  knows = (key: string): boolean => this.#changed.has(key) || this.#stored.has(key);

  learn(keys: readonly string[], rows: readonly AnyRow[]): void {
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
    return { put, gone };
  }

  /** Takes the changes to be written. They stay in memory for the events that follow, which may be folded before they are. */
  take(): Changes {
    const changes = this.changes();
    this.#stored = this.#changed;
    this.#changed = new Map();
    return changes;
  }

  forget(): void {
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
    this.#added.set(key, before ? added(before, row, this.key) : row);
  }

  changes = (): Changes => ({ put: [...this.#added.values()], gone: [] });

  take(): Changes {
    const changes = this.changes();
    this.forget();
    return changes;
  }

  forget(): void {
    this.#added.clear();
  }
}

/** Both rows of a `sums` table as one. */
export const added = (before: AnyRow, row: AnyRow, key: string): AnyRow => {
  const sum: Record<string, unknown> = { ...before };
  for (const column in row) if (column !== key) sum[column] = Number(before[column]) + Number(row[column]);
  return sum;
};
