import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { Fold } from './engine/fold.ts';
import type { Projector } from './engine/define-projector.ts';
import { readModels } from './read-models.ts';
import { goldenLog } from './testing/golden-log.ts';

/** The hash of each version's rows on the golden log. A version that was released keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v3': '2b0d552d208ffee11d3dc3633533cd8844ab5382ac58a5bddfd5cd056b98bccf',
  'my-orders v5': '735c559ed0a461cd42ad63c1b71e7e6c872d4744e3fc030df9e12fee6e2f6046',
  'orders-desk v7': '071293b57334479da83f8c8ea274868eaa07b79104febeea03b3f04a1f357518',
  'payments v1': '17ceb91a44a26dda1d5530fe9ddc7abbc3c428c42a219998a865d32ff2d717ba',
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
