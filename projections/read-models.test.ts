import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { Fold } from './engine/fold.ts';
import type { Projector } from './engine/define-projector.ts';
import { readModels } from './read-models.ts';
import { goldenLog } from './testing/golden-log.ts';

/** The hash of each version's rows on the golden log. A version that was released keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v5': 'bde10550c0b9ab62dd2b01c4e63716a1f174f39f9bc7bcdd14a5b49e5b79bb7c',
  'my-orders v10': 'b865a12aa46d776bef8ef1a3de5e7b55a30a1dbd07d42bd4dc7634445a7c7062',
  'orders-desk v12': '1ea78205e43ad4cc19987c5ace781172c7ebc52084cc38175060ec99c2c80e3b',
  'payments v5': '582d4908c61977726bc4f9a5e364c8003cc49515d13d44fb2211ca47623fc486',
  'papers v1': '717debd84cbb54eb89287b6942bb8f2c15717d1b80869b1c37690b67bd329dac',
  'stats v3': '870c0def3a0a33f45133e3e8238b10d70333a63c8eb4d5d799b2bde5f098ef6a',
};

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

test.each(readModels)('$name gives the rows of its version', async (projector) => {
  const name = `${projector.name} v${projector.version}`;
  const hash = createHash('sha256')
    .update(JSON.stringify(await rowsOf(projector)))
    .digest('hex');
  expect(
    hash,
    `${name} gives other rows than it did: raise the version of ${projector.name}, so that it is built anew, and add its hash`,
  ).toBe(HASHES[name]);
});
