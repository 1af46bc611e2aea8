import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

import { NO_STREAM } from '#domain/event-store.ts';

import { describeEventStore, describeHashCheck } from '../event-store/testing/event-store-contract.ts';
import { openPostgresEventStore } from '../event-store/postgres/postgres-event-store.ts';
import { shopCodec } from '../event-store/testing/test-codec.ts';
import { command, soldOut, streamId } from '../event-store/testing/writing.ts';
import { placedBy } from '../orders/testing/placing.ts';
import { emptyDatabase, freshDatabase } from '../testing/database-per-test.ts';
import { openLogger } from '../platform/logger.ts';
import { migrateDatabase } from '../composition/open-shop.ts';
import { openShopForTest } from '../testing/test-shop.ts';
import { APPEND_NAME } from '../event-store/postgres/append-function.ts';
import { migrateShop } from './migrate.ts';
import { grantToApplication } from './roles.ts';

const asApplication = async (ownerUrl: string, more = ''): Promise<string> => {
  const role = `app_${randomUUID().replaceAll('-', '')}`;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`create role ${role} login password 'of the application' ${more}`);
  await owner.end();
  const url = new URL(ownerUrl);
  [url.username, url.password] = [role, 'of the application'];
  return url.href;
};

const ownerUrl = await freshDatabase();
const applicationUrl = await asApplication(ownerUrl);
const { username: role } = new URL(applicationUrl);
await grantToApplication(ownerUrl, role);
const codec = shopCodec();

describeEventStore('the event store on Postgres, as the application', () =>
  openPostgresEventStore({ connectionString: applicationUrl, codec }),
);
describeHashCheck('the event store on Postgres, as the application', () =>
  openPostgresEventStore({ connectionString: applicationUrl, codec }),
);

const application = new pg.Client({ connectionString: applicationUrl });
await application.connect();
const store = await openPostgresEventStore({ connectionString: applicationUrl, codec });
await store.append(streamId(), NO_STREAM, [soldOut], command());
await store.close();
afterAll(() => application.end());

/** Matches errors about missing permissions of the role itself, and of roles that it would have to assume. */
const REFUSED = /permission denied|must be owner|must have admin option|must be superuser|Only roles with/i;

test.each([
  `update log.events set data = '{}'`,
  'delete from log.events',
  'truncate log.events',
  `insert into log.events (position, stream, revision, event_id, type, data, metadata)
   values (9000, 'product-forged', 0, gen_random_uuid(), 'ProductSoldOut', '{}', '{}')`,
  'update log.head set position = 0',
  'delete from log.head',
  'alter table log.events add column note text',
  'alter table log.events disable trigger all',
  'alter table log.events owner to current_user',
  'drop table log.events',
  'drop schema log cascade',
  `create rule forget as on insert to log.events do instead nothing`,
  'create table log.other (id integer)',
  `create or replace function log.${APPEND_NAME}(
     streams text[], revisions integer[], event_ids uuid[], types text[], data json, metadata json, heads text[], hashes text[],
     out before bigint, out refused text[], out actual integer[]
   ) language sql as $$ select null::bigint, null::text[], null::integer[] $$`,
  `grant update on log.events to ${role}`,
  `grant all on schema log to ${role}`,
  'set role ruhani',
  'set session authorization ruhani',
  `grant ruhani to ${role}`,
  `alter role ${role} superuser`,
  'create role mightier superuser',
  `copy log.events from program 'true'`,
  `update shop.kysely_migration set name = 'other'`,
])('the application may not: %s', async (text) => {
  // Granting a permission that the role does not have only gives a warning.
  application.removeAllListeners('notice');
  const warned = new Promise<Error>((resolve) => application.once('notice', (notice) => resolve(notice as unknown as Error)));
  const refusal = await application.query(text).then(
    () => warned,
    (error: unknown) => error as Error,
  );
  expect(refusal.message).toMatch(/no privileges were granted/.test(refusal.message) ? /granted/ : REFUSED);
  const { rows } = await application.query<object>(
    `select has_table_privilege('log.events', 'update, delete, truncate, insert') as events, has_table_privilege('log.head', 'update') as head`,
  );
  expect(rows).toEqual([{ events: false, head: false }]);
});

test('a whole shop works with a role that owns nothing but its read models', async () => {
  const database = await freshDatabase();
  const databaseUrl = await asApplication(database);
  const shop = await openShopForTest({ databaseUrl, databaseMigrationUrl: database, projecting: true });
  const { id } = await placedBy(shop, 'meera');
  for (const { name, categories } of [{ name: 'my-orders', categories: ['order'] as const }])
    expect(await shop.progress.waitFor(name, await shop.store.head(categories), 60_000)).toBe('fresh');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test('a role that owns nothing starts without the owner on a database of its release, and not on an empty one', async () => {
  const migrated = await freshDatabase();
  const databaseUrl = await asApplication(migrated);
  await migrateDatabase({ connectionString: databaseUrl, ownerUrl: migrated }, openLogger('silent'));
  const lines: string[] = [];
  const log = openLogger('info', { write: (line) => void lines.push(line) });
  const shop = await openShopForTest({ databaseUrl, projecting: true, log });
  expect((await placedBy(shop, 'meera')).id).toMatch(/^[0-9a-f-]{36}$/);
  await log.end();
  expect(lines.join('')).not.toContain('The shop owns its tables');

  const empty = await asApplication(await emptyDatabase());
  await expect(openShopForTest({ databaseUrl: empty })).rejects.toThrow('start the command `migrate` with DATABASE_MIGRATION_URL first');
});

test('a role that could give itself more permissions is refused', async () => {
  const database = await emptyDatabase();
  await migrateShop(database);
  for (const more of ['superuser', 'createrole', 'in role ruhani']) {
    const mightier = await asApplication(database, more);
    await expect(grantToApplication(database, new URL(mightier).username)).rejects.toThrow('can give itself every right');
  }
});

/** Returns whether the role is accepted after this SQL, and may then change the log. */
const grantedAfter = async (sql: (name: string) => string): Promise<{ readonly said: string; readonly changes: boolean }> => {
  const database = await freshDatabase();
  const { username: name } = new URL(await asApplication(database));
  const owner = new pg.Client({ connectionString: database });
  await owner.connect();
  await owner.query(sql(name));
  const said = await grantToApplication(database, name).then(
    () => 'let in',
    (error: unknown) => String(error),
  );
  const { rows } = await owner.query<{ changes: boolean }>(
    `select has_table_privilege($1, 'log.events', 'insert, update, delete, truncate') as changes`,
    [name],
  );
  await owner.end();
  return { said, changes: rows[0]?.changes ?? true };
};

test.each([
  ['it was granted', (name: string) => `grant all on all tables in schema log to ${name}`],
  ['everybody was granted', () => 'grant all on all tables in schema log to public'],
])('permissions to change the log that %s by hand are revoked', async (_, sql) => {
  expect(await grantedAfter(sql)).toEqual({ said: 'let in', changes: false });
});

test.each([
  ['owns the schema of the log', (name: string) => `alter schema log owner to ${name}`, 'can give itself every right'],
  [
    'owns the function that appends',
    (name: string) => `grant create on schema log to ${name}; alter function log.${APPEND_NAME} owner to ${name}`,
    'can give itself every right',
  ],
  [
    'is a member of a role that may change the log',
    (name: string) => `create role writers_${name}; grant update on log.events to writers_${name}; grant writers_${name} to ${name}`,
    'may change the log through another role',
  ],
])('a role that %s is refused', async (_, sql, refusal) => {
  expect((await grantedAfter(sql)).said).toContain(refusal);
});
