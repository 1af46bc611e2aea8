import type { ReadDatabase } from '../database.ts';
import type { Projector } from '../engine/define-projector.ts';
import { quoteIdentifier, tableSetOf } from '../engine/table-set.ts';
import type { AnyRow } from '../engine/read-model-storage.ts';

/** All rows of a read model's live tables, by table, sorted by key. */
export const allRows = async ({ pool }: ReadDatabase, projector: Projector): Promise<Readonly<Record<string, readonly AnyRow[]>>> => {
  const tables: Record<string, readonly AnyRow[]> = {};
  for (const { name, sqlName, spec } of tableSetOf(projector, 'live').tables) {
    const { rows } = await pool.query<AnyRow>(`select * from ${sqlName} order by ${quoteIdentifier(spec.key)}`);
    tables[name] = rows;
  }
  return tables;
};
