import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { Fold } from './engine/fold.ts';
import type { Projector } from './engine/define-projector.ts';
import { readModels } from './read-models.ts';
import { goldenLog } from './testing/golden-log.ts';

/** The hash of each version's rows on the golden log. A version that was released keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v2': '7dcb70c2e1409b4dd33c25bd6fc9772c05be3b220708d24c3fb7918b72bae531',
  'my-orders v5': '498e3fc9a800e40451873c5e29d3e54f5f4192f78b7aa721dd6ea66af2333dd9',
  'orders-desk v6': 'a7e2b3519ac57fe00803ec9df917e7544d7b4d9604efd8521158b1a72a9470f1',
  'stats v2': '7a8b81f1ad08376fd1e66acf771d2388e9727de617349bf6fe5682848bfe8d44',
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
