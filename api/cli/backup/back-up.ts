import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { withClient } from '../../platform/postgres/postgres-client.ts';
import { BackupRefused, tableFilePath, MANIFEST, type Manifest, type TableCopy } from './manifest.ts';

/**
 * Schema `read` is left out because it can be rebuilt, unlogged tables because they do not survive a crash either, and the mails that the
 * catcher in the shop has received because they are readable.
 */
const TABLES = `
  select n.nspname || '.' || c.relname as name,
         (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
         (select coalesce(array_agg(distinct rn.nspname || '.' || r.relname), '{}') from pg_constraint k
          join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
          where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('log', 'shop') and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not like 'kysely%' and c.relname <> 'caught_mail'
  order by name`;

type Table = { readonly name: string; readonly columns: readonly string[]; readonly needs: readonly string[]; readonly where?: string };

/** The log's backup must not contain the wrapped keys. */
const KEY_TABLES = ['shop.key_encryption_keys', 'shop.subject_keys'];
const KEY_COLUMNS = ['key', 'wrapped_by'];

/** Keeps of the keys only the information which ones were erased. */
const withoutKeys = (tables: readonly Table[]): readonly Table[] =>
  tables
    .filter(({ name }) => name !== 'shop.key_encryption_keys')
    .map((table) =>
      table.name === 'shop.subject_keys'
        ? { ...table, columns: table.columns.filter((column) => !KEY_COLUMNS.includes(column)), where: 'erased_at is not null' }
        : table,
    );

/** Sorts tables so that each comes after those that it references. */
const inOrder = (tables: readonly Table[]): readonly Table[] => {
  const placed = new Map<string, Table>();
  while (placed.size < tables.length) {
    const next = tables.filter(({ name, needs }) => !placed.has(name) && needs.every((needed) => placed.has(needed)));
    if (next.length === 0) throw new Error('Tables reference each other in a cycle');
    for (const table of next) placed.set(table.name, table);
  }
  return [...placed.values()];
};

/** Copies a table in Postgres's format, compressed; the checksum is that of the file. */
const copyOut = async (client: pg.Client, { name, columns, where = 'true' }: Table, directory: string): Promise<TableCopy> => {
  const sum = createHash('sha256');
  const summing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sum.update(chunk);
      done(null, chunk);
    },
  });
  const rows = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name} where ${where}) to stdout`));
  await pipeline(rows, createGzip(), summing, createWriteStream(tableFilePath(directory, name), { flags: 'wx', mode: 0o600 }));
  return { name, columns: [...columns], rows: rows.rowCount, sha256: sum.digest('hex') };
};

const SEQUENCES = `select schemaname || '.' || sequencename as name from pg_sequences where schemaname in ('log', 'shop') order by name`;

const readSequences = async (client: pg.Client): Promise<Manifest['sequences']> => {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: Manifest['sequences'] = [];
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ last: string; is_called: boolean }>(
      `select last_value::text as last, is_called from ${name}`,
    );
    for (const { last, is_called } of states) sequences.push({ name, last, isCalled: is_called });
  }
  return sequences;
};

const emptyDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new BackupRefused(`${directory} is not empty: a backup needs its own directory.`);
};

/** The directories are to be stored separately: neither may be inside the other, even through links. */
const expectApart = async (one: string, other: string): Promise<void> => {
  const [real, realOther] = [await realpath(one), await realpath(other)];
  const isInside = (inner: string, outer: string) => `${inner}${path.sep}`.startsWith(`${outer}${path.sep}`);
  if (isInside(real, realOther) || isInside(realOther, real))
    throw new BackupRefused('The keys need another directory than the log, and neither may be inside the other: store them separately.');
};

const copyAll = async (client: pg.Client, tables: readonly Table[], directory: string): Promise<TableCopy[]> => {
  const copies: TableCopy[] = [];
  for (const table of tables) copies.push(await copyOut(client, table, directory));
  return copies;
};

const ABOUT = `select now() as taken_at, (select max(name) from shop.kysely_migration) as migration`;

const snapshot = async (client: pg.Client, { log, keys }: Directories): Promise<readonly [log: Manifest, keys: Manifest]> => {
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<{ taken_at: Date; migration: string }>(ABOUT);
  const [about] = rows;
  if (!about) throw new Error('The database returned no time');
  const { rows: found } = await client.query<Table>(TABLES);
  const tables = inOrder(found);
  const copies = await copyAll(client, withoutKeys(tables), log);
  const keyCopies =
    keys === undefined
      ? []
      : await copyAll(
          client,
          tables.filter(({ name }) => KEY_TABLES.includes(name)),
          keys,
        );
  const { rows: wrapping } = await client.query<{ id: string }>('select id from shop.key_encryption_keys order by id');
  // Sequences are not part of the snapshot: they are read last, so that none is behind a row.
  const sequences = await readSequences(client);
  await client.query('commit');
  const of = { format: 2, takenAt: about.taken_at.toISOString(), migration: about.migration } as const;
  return [
    { ...of, kind: 'log', tables: copies, sequences },
    { ...of, kind: 'keys', tables: keyCopies, sequences: [], wrappedBy: wrapping.map(({ id }) => id) },
  ];
};

/** Without `keys` the backup's personal data are unreadable. */
export type Directories = { readonly log: string; readonly keys?: string | undefined };

/**
 * Backs up, in one snapshot, everything that cannot be rebuilt, into a new directory, while the shop is running. The keys of personal data
 * are written, wrapped, to another directory, or are left out. Only the owner can read the directories. Throws `BackupRefused`.
 */
export const backUp = async (connectionString: string, directories: Directories): Promise<Manifest> => {
  const { log, keys } = directories;
  await emptyDirectory(log);
  if (keys !== undefined) {
    await emptyDirectory(keys);
    await expectApart(log, keys);
  }
  return withClient({ connectionString, application_name: 'backup' }, async (client) => {
    const [ofLog, ofKeys] = await snapshot(client, directories);
    const write = (directory: string, manifest: Manifest) =>
      writeFile(path.join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    if (keys !== undefined) await write(keys, ofKeys);
    await write(log, ofLog);
    return ofLog;
  });
};
