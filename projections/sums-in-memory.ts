import { weightOf, type AnyRow, type Changes } from './changes.ts';
import { Journal } from './journal.ts';

/** A `sums` table in memory: what is to be added to each key. */
export class SumsInMemory {
  readonly #added = new Map<string, AnyRow>();
  readonly #journal = new Journal<AnyRow>();
  readonly isRead = false;
  weight = 0;

  constructor(readonly key: string) {}

  begin = (): void => this.#journal.begin();

  add = (row: AnyRow): void => {
    const key = String(row[this.key]);
    const before = this.#added.get(key);
    this.#journal.note(key, before);
    if (!before) this.weight += weightOf(row);
    this.#added.set(key, before ? this.#sum(before, row) : row);
  };

  #sum(before: AnyRow, row: AnyRow): AnyRow {
    const sum: Record<string, unknown> = { ...before };
    for (const column in row) if (column !== this.key) sum[column] = Number(before[column]) + Number(row[column]);
    return sum;
  }

  undo(): void {
    for (const [key, before] of this.#journal.before()) {
      if (before) this.#added.set(key, before);
      else this.#added.delete(key);
    }
    this.#journal.begin();
  }

  changes = (): Changes => ({ fresh: [], put: [...this.#added.values()], gone: [] });

  takeOut(): Changes {
    const changes = this.changes();
    this.#added.clear();
    this.weight = 0;
    return changes;
  }
}
