import { Socket } from 'node:net';

import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openReadDatabase, type ReadDatabase } from '../database.ts';
import { createTableSet } from '../engine/table-set.ts';
import { bottleShop } from '../testing/bottles.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createDialect } from './connections.ts';

const QUERY_TIMEOUT = 600;

let database: TestDatabase;
let impatient: ReadDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
  const { connectionString } = database;
  impatient = openReadDatabase({ connectionString, max: 1, timeouts: { connectionTimeoutMillis: 5_000, query_timeout: QUERY_TIMEOUT } });
});
afterEach(async () => {
  await impatient.close();
  await database.close();
});

test('a transaction without an answer leaves no connection on which later writes would not be committed', async () => {
  const db = new Kysely<unknown>({ dialect: createDialect(impatient.pool) });
  await sql`create table read.writes (id integer)`.execute(db);
  const stalled = db.transaction().execute(async (tx) => {
    await sql`insert into read.writes values (1)`.execute(tx);
    await sql`select pg_sleep(${(QUERY_TIMEOUT * 3) / 1_000})`.execute(tx);
  });
  await expect(stalled).rejects.toThrow('Query read timeout');
  await sql`insert into read.writes values (2)`.execute(db);
  expect((await database.pool.query('select id from read.writes')).rows).toEqual([{ id: 2 }]);
});

test('a statement with values is planned once for each connection', async () => {
  const db = new Kysely<unknown>({ dialect: createDialect(impatient.pool) });
  for (const id of [1, 2]) expect((await sql`select ${id}::int as id`.execute(db)).rows).toEqual([{ id }]);
  await sql`select 3 as id; select 4 as id`.execute(db);
  const { rows } = await impatient.pool.query('select statement, generic_plans + custom_plans as runs from pg_prepared_statements');
  expect(rows).toEqual([{ statement: 'select $1::int as id', runs: 2 }]);
});

test('a statement whose columns have changed fails once, not for as long as its connection lives', async () => {
  const db = new Kysely<unknown>({ dialect: createDialect(impatient.pool) });
  await sql`create table read.growing (id integer)`.execute(db);
  const select = sql`select * from read.growing where id > ${0}`;
  await select.execute(db);
  await sql`alter table read.growing add name text; insert into read.growing values (1, 'Oud')`.execute(db);
  await expect(select.execute(db)).rejects.toThrow('cached plan must not change result type');
  expect((await select.execute(db)).rows).toEqual([{ id: 1, name: 'Oud' }]);
});

test('a query without an answer fails, while building an index may take longer', async () => {
  const next = createTableSet(bottleShop, 'next');
  await expect(impatient.pool.query('select pg_sleep(1)')).rejects.toThrow('Query read timeout');
  const state = await impatient.storage.claim(next, 'builder');
  if (!state) throw new Error('the lease is free');
  const empty = await impatient.storage.empty(next, state);
  const client = await database.pool.connect();
  await client.query(`begin; lock table ${next.tables[0]?.sqlName}`);
  const building = impatient.storage.index(next, empty);
  await client.query(`select pg_sleep(${(QUERY_TIMEOUT * 3) / 1_000})`);
  await client.query('commit');
  client.release();
  await building;
});

test('the operating system is told to detect a server that stopped answering', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await impatient.pool.query('select');
  expect(keepAlive.mock.calls).toContainEqual([true, 10_000]);
  keepAlive.mockRestore();
});
