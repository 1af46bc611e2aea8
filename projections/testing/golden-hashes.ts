import { createHash } from 'node:crypto';

import type { Projector } from '../engine/define-projector.ts';
import { Fold } from '../engine/fold.ts';
import { readModels } from '../read-models.ts';
import { goldenLog } from './golden-log.ts';

const inText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const rowsOf = async (projector: Projector): Promise<object> => {
  const fold = new Fold(projector);
  const events = (await goldenLog()).filter(({ stream }) => projector.categories.some((category) => stream.startsWith(`${category}-`)));
  fold.load(fold.missingKeys(events), new Map());
  for (const event of events) fold.apply(event);
  return Object.entries(projector.tables).map(([table, { key, columns, indexes }]) => {
    const rows = fold.changes(table).upserts.map((row) => Object.keys(columns).map((column) => row[column] ?? null));
    return { table, key, columns, indexes, rows: rows.map((row) => JSON.stringify(row, inText)).sort() };
  });
};

const hashOf = async (projector: Projector): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify(await rowsOf(projector)))
    .digest('hex');

/** Returns the hash of each read model's rows on the golden log, by name and version. */
export const goldenHashes = (): Promise<readonly (readonly [name: string, hash: string])[]> =>
  Promise.all(readModels.map(async (projector) => [`${projector.name} v${projector.version}`, await hashOf(projector)] as const));
