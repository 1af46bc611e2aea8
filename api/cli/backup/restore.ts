import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { KEY_LOCATIONS } from '../../event-store/encryption/keyring.ts';
import { withClient } from '../../platform/postgres/postgres-client.ts';
import { migrations, migrateShop } from '../../migrations/migrate.ts';
import type { Directories } from './back-up.ts';
import { BackupRefused, tableFilePath, readManifest, type Manifest, type TableCopy } from './manifest.ts';

const computeChecksum = async (file: string): Promise<string> => {
  const sum = createHash('sha256');
  await pipeline(createReadStream(file), sum);
  return sum.digest('hex');
};

/** Checks before any change that all files are unchanged and that this release knows the migration. */
const expectWhole = async (directory: string, { tables, migration }: Manifest): Promise<void> => {
  if (!Object.hasOwn(migrations, migration))
    throw new BackupRefused(`The backup is from another build of the shop (${migration}): restore it with that one.`);
  for (const { name, sha256 } of tables) {
    const file = tableFilePath(directory, name);
    if ((await computeChecksum(file).catch(() => '')) !== sha256) throw new BackupRefused(`${file} is missing or was changed.`);
  }
};

const exists = async (client: pg.Client, question: string): Promise<boolean> => {
  const { rows } = await client.query<{ yes: boolean }>(`select exists (${question}) as yes`);
  return rows[0]?.yes === true;
};

const AT_WORK = `select from pg_stat_activity where datname = current_database() and application_name in ('event-store', 'shop')`;
const THERE = `select from pg_namespace where nspname in ('log', 'shop')`;

const expectRoom = async (client: pg.Client, replace: boolean): Promise<void> => {
  if (await exists(client, AT_WORK)) throw new BackupRefused('The shop is running on this database: stop all of its processes first.');
  if (replace || !(await exists(client, THERE))) return;
  if (!(await exists(client, 'select from log.events union all select from shop.users'))) return;
  throw new BackupRefused('This database has a shop: use --replace to replace its log, accounts and mail with the backup.');
};

const fill = async (client: pg.Client, { name, columns, rows }: TableCopy, directory: string, into = name): Promise<void> => {
  const filling = client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`));
  await pipeline(createReadStream(tableFilePath(directory, name)), createGunzip(), filling);
  if (filling.rowCount !== rows) throw new Error(`${name} got ${filling.rowCount} of ${rows} rows`);
};

/** A key that was erased in either backup stays erased. */
const ADD_KEYS = `insert into shop.subject_keys (subject, key, wrapped_by, created_at, erased_at)
  select subject, key, wrapped_by, created_at, erased_at from restored_keys
  on conflict (subject) do update set created_at = excluded.created_at`;

const fillKeys = async (client: pg.Client, { tables }: Manifest, directory: string): Promise<void> => {
  await client.query('create temporary table restored_keys (like shop.subject_keys) on commit drop');
  for (const table of tables) await fill(client, table, directory, table.name === 'shop.subject_keys' ? 'restored_keys' : table.name);
  await client.query(ADD_KEYS);
};

type Backup = { readonly manifest: Manifest; readonly directory: string };

const fillAll = async (client: pg.Client, log: Backup, keys: Backup | undefined): Promise<void> => {
  await client.query('begin');
  const { tables, sequences } = log.manifest;
  const names = tables.map(({ name }) => name);
  // The migrations have inserted rows, some into tables whose triggers forbid deleting.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')}`);
  for (const table of tables) await fill(client, table, log.directory);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  if (keys) await fillKeys(client, keys.manifest, keys.directory);
  for (const { name, last, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled]);
  await client.query('commit');
  await client.query(`analyze ${names.join(', ')}`);
};

/** Reads a backup and checks all files. Throws `BackupRefused`. */
const readBackup = async (directory: string, kind: Manifest['kind']): Promise<Backup> => {
  const manifest = await readManifest(directory, kind);
  await expectWhole(directory, manifest);
  return { manifest, directory };
};

/** Throws if keys cannot be unwrapped, because they would keep the shop from starting. */
const expectToOpen = ({ manifest, directory }: Backup, known: ReadonlySet<string>): void => {
  const missing = manifest.wrappedBy?.find((id) => !known.has(id));
  if (missing !== undefined)
    throw new BackupRefused(
      `The keys in ${directory} are wrapped by the key-encryption key ${missing}, which is not among ${KEY_LOCATIONS}: put it there first.`,
    );
};

export type RestoreOptions = {
  readonly replace?: boolean;
  readonly knownKeys: ReadonlySet<string>;
};

/**
 * Restores a backup into this database, which has no shop or, with `replace`, loses it. Without the keys, personal data in the log read
 * `erased`. Read models are kept: they detect that the log was replaced, and are rebuilt. An interrupted restore leaves an empty shop and
 * can be repeated. Throws `BackupRefused` before any change.
 */
export const restore = async (
  connectionString: string,
  directories: Directories,
  { replace = false, knownKeys }: RestoreOptions,
): Promise<Manifest> => {
  const log = await readBackup(directories.log, 'log');
  const keys = directories.keys === undefined ? undefined : await readBackup(directories.keys, 'keys');
  if (keys) expectToOpen(keys, knownKeys);
  return withClient({ connectionString, application_name: 'restore' }, async (client) => {
    await expectRoom(client, replace);
    await client.query('drop schema if exists log cascade; drop schema if exists shop cascade');
    await migrateShop(connectionString, log.manifest.migration);
    await fillAll(client, log, keys);
    return log.manifest;
  });
};
