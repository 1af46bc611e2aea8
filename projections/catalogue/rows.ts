import { sql, type Kysely } from 'kysely';

import { logPosition, START, type LogPosition } from '#domain/event-store.ts';

import type { ReadModels } from '../database.ts';
import { catalogue } from './projector.ts';
import type { CatalogueRow } from './table.ts';

/** Where the table stands. What was applied in one epoch is not applied again; in a new one any row may have changed. */
export type Standing = { readonly position: LogPosition; readonly epoch: number };

/** `undefined` when the table of this release's version is not built yet. */
export const readStanding = async (db: Kysely<ReadModels>): Promise<Standing | undefined> => {
  const { rows } = await sql<{ position: bigint; epoch: number }>`
    select position, epoch from read.checkpoints
    where model = ${catalogue.name} and version = ${catalogue.version} and slot = 'live' and built_at is not null`.execute(db);
  const [row] = rows;
  return row && { position: logPosition(row.position), epoch: row.epoch };
};

const PAGE = 1_000;

/**
 * Rows that changed after a position, in pages, in the order in which they changed. A row that changes while pages are being read
 * moves to the end, so none is missed; it is then newer than any checkpoint read before.
 */
export async function* rowsAfter(db: Kysely<ReadModels>, position: LogPosition): AsyncGenerator<readonly CatalogueRow[]> {
  for (let from = position; ;) {
    const rows = await db.selectFrom('catalogue_v2').selectAll().where('position', '>', from).orderBy('position').limit(PAGE).execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE) return;
    from = last.position;
  }
}

/** Every row there is, as above. */
export const allRows = (db: Kysely<ReadModels>): AsyncGenerator<readonly CatalogueRow[]> => rowsAfter(db, START);
