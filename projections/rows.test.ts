import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { AnyRow, Changes } from './changes.ts';
import { loadRows, writeChanges } from './rows.ts';
import { slotOf, type SlotTable } from './slot.ts';
import { projectorOf, rowsTable } from './projector.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';

type Note = { readonly id: string; readonly text: string | null; readonly says: string | null };

const notes = projectorOf<never>()({
  name: 'notes',
  version: 1,
  categories: [],
  tables: {
    notes: rowsTable<Note>({ key: 'id', columns: { id: 'text', text: 'text', says: 'json' } }),
    parcels: rowsTable<Omit<Note, 'says'>>({ key: 'id', columns: { id: 'uuid', text: 'text' } }),
  },
  on: {},
});
const [table, parcels] = slotOf(notes, 'live').tables;
if (!table || !parcels) throw new Error('There are two tables');

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(`create table ${table.sqlName} (id text primary key, text text, says text)`);
});
beforeEach(() => database.pool.query(`truncate ${table.sqlName}`));
afterAll(() => database.close());

const note = (id: string, says: unknown): Note => ({ id, text: 'a "quoted" \\ text', says: says === null ? null : JSON.stringify(says) });

const HARD = ['"', '\\', '\x1e', '\n', '₹ “dark”', '', { nested: ['a,b', '{}', null] }, 0];

const changed = async (of: SlotTable, changes: Partial<Changes>, keys: readonly string[]): Promise<readonly AnyRow[]> => {
  const client = await database.pool.connect();
  try {
    await writeChanges(client, of, { fresh: [], put: [], gone: [], ...changes });
    return await loadRows(client, of, keys);
  } finally {
    client.release();
  }
};

test.each<[string, readonly Note[]]>([
  ['texts that arrays or lists of texts would have to quote', HARD.map((says, index) => note(String(index), says))],
  ['one alone that is not there', [note('1', null)]],
  ['some that are not there', [note('1', null), note('2', 'there'), note('3', null)]],
  ['none that are there', [note('1', null), note('2', null)]],
])('JSON is kept as it is: %s', async (_, rows) => {
  const ids = rows.map(({ id }) => id);
  const kept = await changed(table, { fresh: rows }, ids);
  expect(kept.toSorted((one, other) => Number(one['id']) - Number(other['id']))).toEqual(rows);
});

test('rows whose key is a uuid are put, read and deleted by it', async () => {
  await database.pool.query(`create table ${parcels.sqlName} (id uuid primary key, text text)`);
  const [one, other] = ['0b0e92f4-1c55-8d1a-8e77-2f9a5b3c6d10', 'ffffffff-ffff-8fff-bfff-ffffffffffff'];
  const [sent, lost] = [
    { id: one, text: 'sent' },
    { id: other, text: 'lost' },
  ];
  expect(await changed(parcels, { fresh: [sent, { ...lost, text: 'sent' }] }, [one])).toEqual([sent]);
  expect(await changed(parcels, { put: [lost] }, [other])).toEqual([lost]);
  expect(await changed(parcels, { gone: [one] }, [one, other])).toEqual([lost]);
});
