import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { Fold } from './engine/fold.ts';
import type { Projector } from './engine/define-projector.ts';
import { readModels } from './read-models.ts';
import { goldenLog } from './testing/golden-log.ts';

/** The hash of each version's rows on the golden log. A version that was released keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v4': 'ac209e678d9e362275e5d72e3ae6a89a87ff189f977462c13ff3d7d7d7181711',
  'my-orders v6': 'dedad48ffa129e7da48c38b0cc86e4c058fc4be87ac02481376c20be45dbcde2',
  'orders-desk v8': '4538fb0dbc5b5b7956b4471651d9cb21e9edc5edc1a1b121566282d1aa2512e7',
  'payments v1': '17ceb91a44a26dda1d5530fe9ddc7abbc3c428c42a219998a865d32ff2d717ba',
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
