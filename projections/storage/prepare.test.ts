import { sql, type Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';

import { openReadDatabase, type ReadModels } from '../database.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { prepare, unnamed, unnest, type Given } from './prepare.ts';

const database = await openTestDatabase();
afterAll(() => database.close());

const bottles = [
  { name: 'Oud', price: 30 },
  { name: null, price: 10 },
];

test('a prepared statement is built once, and takes the values of each call', async () => {
  let built = 0;
  const find = prepare((db: Kysely<ReadModels>, given: Given<{ readonly name: string; readonly times: number }>) => {
    built += 1;
    return db.selectNoFrom([given(({ name }) => name).as('name'), sql<number>`${given(({ times }) => times)}::int + ${1}::int`.as('more')]);
  });
  expect(await find(database.db, { name: 'oud', times: 1 })).toEqual([{ name: 'oud', more: 2 }]);
  expect(await find(database.db, { name: "musk'", times: 2 })).toEqual([{ name: "musk'", more: 3 }]);
  expect(built).toBe(1);
});

test('a prepared statement is built once for each set of values that a call has', async () => {
  let built = 0;
  const find = prepare((db: Kysely<ReadModels>, given: Given<{ readonly name: string; readonly after?: string | undefined }>, has) => {
    built += 1;
    const bottle = db.selectNoFrom(given('name').as('name'));
    return has.after ? bottle.where(given('after'), '<', given('name')) : bottle;
  });
  for (const name of ['musk', 'oud']) {
    expect(await find(database.db, { name, after: undefined })).toEqual([{ name }]);
    expect(await find(database.db, { name, after: 'neroli' })).toEqual(name === 'oud' ? [{ name }] : []);
  }
  expect(built).toBe(2);
});

test('rows are a table, in a statement that is the same for any number of them', async () => {
  const rowsOf = (rows: readonly (typeof bottles)[number][]) =>
    database.db.selectFrom(unnest('bottle', rows, { name: 'text', price: 'bigint' })).selectAll('bottle');
  expect(await rowsOf(bottles).execute()).toEqual([
    { name: 'Oud', price: 30, place: 1 },
    { name: null, price: 10, place: 2 },
  ]);
  expect(await rowsOf([]).execute()).toEqual([]);
  expect(rowsOf([]).compile().sql).toBe(rowsOf(bottles).compile().sql);
});

test('rows can be the values of a prepared statement', async () => {
  const find = prepare((db: Kysely<ReadModels>, given: Given<readonly { readonly name: string }[]>) =>
    db
      .selectFrom(unnest('bottle', given, { name: 'text' }))
      .select('name')
      .orderBy('place', 'desc'),
  );
  expect(await find(database.db, [{ name: 'oud' }, { name: 'musk' }])).toEqual([{ name: 'musk' }, { name: 'oud' }]);
  expect(await find(database.db, [{ name: 'rose' }])).toEqual([{ name: 'rose' }]);
});

test('a query without a name is planned anew each time', async () => {
  const one = openReadDatabase({ connectionString: database.connectionString, max: 1 });
  const query = one.db.selectNoFrom(({ val }) => val('oud').as('scent'));
  const planned = async () => (await one.pool.query('select from pg_prepared_statements')).rowCount;
  expect(await query.modifyFront(unnamed).execute()).toEqual([{ scent: 'oud' }]);
  expect(await planned()).toBe(0);
  await query.execute();
  expect(await planned()).toBe(1);
  await one.close();
});
