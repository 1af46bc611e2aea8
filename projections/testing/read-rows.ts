import type { ReadDatabase } from '../database.ts';
import type { Projector } from '../engine/define-projector.ts';
import { quoteIdentifier, createTableSet } from '../engine/table-set.ts';
import type { AnyRow } from '../engine/read-model-storage.ts';

export const allRows = async ({ pool }: ReadDatabase, projector: Projector): Promise<Readonly<Record<string, readonly AnyRow[]>>> => {
  const tables: Record<string, readonly AnyRow[]> = {};
  for (const { name, sqlName, spec } of createTableSet(projector, 'live').tables) {
    const { rows } = await pool.query<AnyRow>(`select * from ${sqlName} order by ${quoteIdentifier(spec.key)}`);
    tables[name] = rows;
  }
  return tables;
};
