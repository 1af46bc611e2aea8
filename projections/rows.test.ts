import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { loadRows, writeChanges } from './rows.ts';
import { slotOf } from './slot.ts';
import { projectorOf, rowsTable } from './projector.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';

type Note = { readonly id: string; readonly text: string | null; readonly says: string | null };

const notes = projectorOf<never>()({
  name: 'notes',
  version: 1,
  categories: [],
  tables: { notes: rowsTable<Note>({ key: 'id', columns: { id: 'text', text: 'text', says: 'json' } }) },
  on: {},
});
const [table] = slotOf(notes, 'live').tables;
if (!table) throw new Error('There is one table');

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(`create table ${table.sqlName} (id text primary key, text text, says json)`);
});
beforeEach(() => database.pool.query(`truncate ${table.sqlName}`));
afterAll(() => database.close());

const note = (id: string, says: unknown): Note => ({ id, text: 'a "quoted" \\ text', says: says === null ? null : JSON.stringify(says) });

const HARD = ['"', '\\', '\x1e', '\n', '₹ “dark”', '', { nested: ['a,b', '{}', null] }, 0];

test.each<[string, readonly Note[]]>([
  ['texts that arrays or lists of texts would have to quote', HARD.map((says, index) => note(String(index), says))],
  ['one alone that is not there', [note('1', null)]],
  ['some that are not there', [note('1', null), note('2', 'there'), note('3', null)]],
  ['none that are there', [note('1', null), note('2', null)]],
])('JSON is kept as it is: %s', async (_, rows) => {
  const client = await database.pool.connect();
  try {
    await writeChanges(client, table, { fresh: rows, put: [], gone: [] });
    const kept = await loadRows(
      client,
      table,
      rows.map(({ id }) => id),
    );
    expect(kept.toSorted((one, other) => Number(one['id']) - Number(other['id']))).toEqual(rows);
  } finally {
    client.release();
  }
});
