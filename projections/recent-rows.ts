import type { Recorded } from '#domain/event-store.ts';

import type { AnyRow, Changes } from './changes.ts';
import type { Fold, KeysRead } from './fold.ts';
import { streamId } from './projector.ts';
import type { SlotTable } from './slot.ts';

/** So many rows of a table: most orders are placed soon after they were created, or never. */
const KEPT = 500;

/**
 * What the holder of a slot knows of its rows without reading them: those that it has written last, and that there is none yet whose stream
 * has just begun, since a row that is named as a stream is of that stream alone. Right for as long as the checkpoint is as the holder left
 * it: whoever else changes rows changes that too, and then nothing that was folded is written.
 */
export class RecentRows {
  readonly #tables = new Map<string, Map<string, AnyRow>>();

  /** Tells the fold of the rows that these events read, as far as they are known. */
  teach(fold: Fold, events: readonly Recorded[], read: readonly KeysRead[]): void {
    const taught = new Map<string, { readonly keys: string[]; readonly rows: AnyRow[] }>();
    for (const [index, { stream, revision }] of events.entries()) {
      const begun = revision === 0 ? streamId(stream) : undefined;
      for (const [table, keys = []] of Object.entries(read[index] ?? {})) {
        const known = this.#tables.get(table) ?? new Map<string, AnyRow>();
        this.#tables.set(table, known);
        const lesson = taught.get(table) ?? { keys: [], rows: [] };
        taught.set(table, lesson);
        for (const key of keys) {
          const row = known.get(key);
          if (row === undefined && key !== begun) continue;
          lesson.keys.push(key);
          if (row) lesson.rows.push(row);
        }
      }
    }
    for (const [table, { keys, rows }] of taught) fold.learn(table, keys, rows);
  }

  /** What was written of a table; kept where events have read of it. */
  keep({ name, spec: { key } }: SlotTable, { fresh, put, gone }: Changes): void {
    const known = this.#tables.get(name);
    if (!known) return;
    for (const gonesKey of gone) known.delete(gonesKey);
    for (const row of [...fresh, ...put]) {
      const own = String(row[key]);
      known.delete(own);
      known.set(own, row);
    }
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(oldest);
    }
  }

  forget(): void {
    this.#tables.clear();
  }
}
