import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AnyRow } from './changes.ts';
import { RowWithoutValues } from './failures.ts';
import { CopyTuples } from './copy-tuples.ts';
import { projectorOf, rowsTable } from './projector.ts';
import { copyRows, writeChanges } from './rows.ts';
import { createKey, createTable, slotOf, type Slot } from './slot.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';

const everyKind = {
  id: 'text',
  uuid: 'uuid',
  integer: 'integer',
  paise: 'paise',
  position: 'position',
  rating: 'rating',
  boolean: 'boolean',
  instant: 'instant',
  day: 'day',
  json: 'json',
} as const;

const slot: Slot = slotOf(
  projectorOf<never>()({
    name: 'kinds',
    version: 1,
    categories: [],
    tables: { kinds: rowsTable<Record<keyof typeof everyKind, unknown>>({ key: 'id', columns: everyKind }) },
    on: {},
  }),
  'live',
);

const rows: readonly AnyRow[] = [
  { id: 'nothing else' },
  {
    id: 'Oud · “dark”\t\\N\n',
    uuid: '0f0e0d0c-0b0a-4908-8706-050403020100',
    integer: -2_147_483_648,
    paise: -9_007_199_254_740_991,
    position: 0n,
    rating: -0.1,
    boolean: false,
    instant: '0001-01-01T00:00:00.000Z',
    day: '1999-12-31',
    json: '{"says":"\\n\\u0001","₹":[1e400]}',
  },
  {
    id: '',
    uuid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    integer: 2_147_483_647,
    paise: 9_007_199_254_740_991,
    position: 18_446_744_073_709_551_615n,
    rating: 4.35,
    boolean: true,
    instant: '9999-12-31T23:59:59.999Z',
    day: '2000-02-29',
    json: '"₹"',
  },
  { id: 'few digits', integer: 0, paise: -1, position: 10_000n, rating: 1e300, instant: '1999-12-31T23:59:59.999Z', day: '2000-01-01' },
  { id: 'more', paise: 4_294_967_296, position: 100_000_001n, rating: 0, instant: '2026-11-14T08:33:00.007Z', day: '0001-01-01' },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** The table with what `write` has put into it. */
const after = async (write: (client: pg.PoolClient, table: Slot['tables'][number]) => Promise<void>): Promise<unknown[]> => {
  const client = await database.pool.connect();
  const [table] = slot.tables;
  if (!table) return expect.fail();
  try {
    await client.query('begin');
    for (const statement of [...createTable(table), createKey(table)]) await client.query(statement);
    await write(client, table);
    return (await client.query(`select * from ${table.sqlName} order by id`)).rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

test('what is copied is what would have been written, in every kind of column', async () => {
  const written = await after((client, table) => writeChanges(client, table, { fresh: rows, put: [], gone: [] }));
  const copied = await after((client, table) => copyRows(client, table, rows));
  expect(copied).toEqual(written);
  const nulls = Object.fromEntries(Object.keys(everyKind).map((column) => [column, null]));
  const byId = ({ id: one }: AnyRow, { id: other }: AnyRow) => (String(one) < String(other) ? -1 : 1);
  expect(copied).toEqual(rows.map((row) => ({ ...nulls, ...row })).toSorted(byId));
});

test('tuples that were made before are copied with the rows', async () => {
  const [first, ...others] = rows;
  const copied = await after((client, table) => {
    const tuples = new CopyTuples(table.bareName, table.columns);
    for (const row of others) tuples.append(row);
    return copyRows(client, table, first ? [first] : [], tuples.take());
  });
  expect(copied).toEqual(await after((client, table) => copyRows(client, table, rows)));
});

test.each([
  ['uuid', '0f0e0d0c-0b0a-4908-8706-0504030201'],
  ['uuid', '0f0e0d0c-0b0a-4908-8706-05040302010g'],
  ['integer', 1.5],
  ['integer', 2_147_483_648],
  ['paise', '499'],
  ['paise', 2 ** 53],
  ['position', -1n],
  ['position', 7],
  ['position', 10n ** 20n],
  ['rating', '4.5'],
  ['boolean', 'yes'],
  ['instant', '2026-02-31T00:00:00.000Z'],
  ['instant', '0000-01-01T00:00:00.000Z'],
  ['instant', '2026-11-14'],
  ['instant', 'yesterday'],
  ['day', '2026-02-30'],
  ['day', '2026-11-14T08:33:00.000Z'],
  ['text', 7],
  ['json', { says: 'Oud' }],
] as const)('a value of %s that is none leaves nothing behind: %s', (kind, value) => {
  const tuples = new CopyTuples('kinds', [
    { name: 'id', kind: 'text' },
    { name: 'value', kind },
  ]);
  tuples.append({ id: 'before', value: null });
  const length = tuples.length;
  expect(() => tuples.append({ id: 'x'.repeat(100_000), value })).toThrow(RowWithoutValues);
  expect(tuples.length).toBe(length);
});
