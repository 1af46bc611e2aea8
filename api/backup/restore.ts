import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { migrations, migrateShop } from '../migrations/migrate.ts';
import { BackupRefused, fileOf, readManifest, type Manifest, type TableCopy } from './manifest.ts';

const sumOf = async (file: string): Promise<string> => {
  const sum = createHash('sha256');
  await pipeline(createReadStream(file), sum);
  return sum.digest('hex');
};

/** Before anything is touched: every file is there and as it was written, and this release knows the tables. */
const expectWhole = async (directory: string, { tables, migration }: Manifest): Promise<void> => {
  if (!Object.hasOwn(migrations, migration))
    throw new BackupRefused(`The backup was taken of a newer release (${migration}): restore it with that one.`);
  for (const { name, sha256 } of tables) {
    const file = fileOf(directory, name);
    if ((await sumOf(file).catch(() => '')) !== sha256) throw new BackupRefused(`${file} is missing or not as it was written.`);
  }
};

const exists = async (client: pg.Client, question: string): Promise<boolean> => {
  const { rows } = await client.query<{ yes: boolean }>(`select exists (${question}) as yes`);
  return rows[0]?.yes === true;
};

const AT_WORK = `select from pg_stat_activity where datname = current_database() and application_name in ('event-store', 'shop')`;
const THERE = `select from pg_namespace where nspname in ('log', 'shop')`;

const expectRoom = async (client: pg.Client, replace: boolean): Promise<void> => {
  if (await exists(client, AT_WORK)) throw new BackupRefused('The shop is at work on this database: stop all of its processes first.');
  if (replace || !(await exists(client, THERE))) return;
  if (!(await exists(client, 'select from log.events union all select from shop.users'))) return;
  throw new BackupRefused('There is a shop in this database: with --replace the backup takes the place of its log, accounts and mail.');
};

const fill = async (client: pg.Client, { name, columns, rows }: TableCopy, directory: string): Promise<void> => {
  const filling = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  await pipeline(createReadStream(fileOf(directory, name)), createGunzip(), filling);
  if (filling.rowCount !== rows) throw new Error(`${name} got ${filling.rowCount} of ${rows} rows`);
};

const fillAll = async (client: pg.Client, { tables, sequences }: Manifest, directory: string): Promise<void> => {
  await client.query('begin');
  const names = tables.map(({ name }) => name);
  // The migrations have made first rows of their own, which some tables would never let go.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')}`);
  for (const table of tables) await fill(client, table, directory);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { name, last, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled]);
  await client.query('commit');
  await client.query(`analyze ${names.join(', ')}`);
};

/**
 * Puts a backup into this database, which has no shop in it or, with `replace`, gives up the one it has. Read models stay as they are: they
 * are worked out of the log, notice when it is another one, and are rebuilt. Cut short, it leaves an empty shop, and is done again.
 * Throws `BackupRefused` before anything is changed.
 */
export const restore = async (connectionString: string, directory: string, { replace = false } = {}): Promise<Manifest> => {
  const manifest = await readManifest(directory);
  await expectWhole(directory, manifest);
  const client = new pg.Client({ connectionString, application_name: 'restore' });
  await client.connect();
  try {
    await expectRoom(client, replace);
    await client.query('drop schema if exists log cascade; drop schema if exists shop cascade');
    await migrateShop(connectionString, manifest.migration);
    await fillAll(client, manifest, directory);
    return manifest;
  } finally {
    await client.end();
  }
};
