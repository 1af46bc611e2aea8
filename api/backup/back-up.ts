import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { BackupRefused, fileOf, MANIFEST, type Manifest, type TableCopy } from './manifest.ts';

/** What is the truth. Schema `read` is worked out of it, and what is unlogged would not outlive a crash either. */
const TABLES = `
  select n.nspname || '.' || c.relname as name,
         (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
         (select coalesce(array_agg(distinct rn.nspname || '.' || r.relname), '{}') from pg_constraint k
          join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
          where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('log', 'shop') and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not like 'kysely%'
  order by name`;

type Table = { readonly name: string; readonly columns: readonly string[]; readonly needs: readonly string[] };

/** Whatever a row points to goes before it. */
const inOrder = (tables: readonly Table[]): readonly Table[] => {
  const placed = new Map<string, Table>();
  while (placed.size < tables.length) {
    const next = tables.filter(({ name, needs }) => !placed.has(name) && needs.every((needed) => placed.has(needed)));
    if (next.length === 0) throw new Error('Tables point at each other in a circle');
    for (const table of next) placed.set(table.name, table);
  }
  return [...placed.values()];
};

/** Copies a table as Postgres writes it, compressed; the sum is of what is in the file. */
const copyOut = async (client: pg.Client, { name, columns }: Table, directory: string): Promise<TableCopy> => {
  const sum = createHash('sha256');
  const summing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sum.update(chunk);
      done(null, chunk);
    },
  });
  const rows = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
  await pipeline(rows, createGzip(), summing, createWriteStream(fileOf(directory, name), { flags: 'wx', mode: 0o600 }));
  return { name, columns: [...columns], rows: rows.rowCount, sha256: sum.digest('hex') };
};

const SEQUENCES = `select schemaname || '.' || sequencename as name from pg_sequences where schemaname in ('log', 'shop') order by name`;

const sequencesOf = async (client: pg.Client): Promise<Manifest['sequences']> => {
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
  if ((await readdir(directory)).length > 0)
    throw new BackupRefused(`${directory} is not empty: a backup goes into a directory of its own.`);
};

const snapshot = async (client: pg.Client, directory: string): Promise<Manifest> => {
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<{ taken_at: Date; migration: string }>(
    'select now() as taken_at, (select max(name) from shop.kysely_migration) as migration',
  );
  const [at] = rows;
  if (!at) throw new Error('The database does not tell the time');
  const { rows: found } = await client.query<Table>(TABLES);
  const tables: TableCopy[] = [];
  for (const table of inOrder(found)) tables.push(await copyOut(client, table, directory));
  // Sequences know no snapshot: read last, none is behind a row of it.
  const sequences = await sequencesOf(client);
  await client.query('commit');
  return { format: 1, takenAt: at.taken_at.toISOString(), migration: at.migration, tables, sequences };
};

/**
 * Copies everything that is the truth in this database into a new directory, as of one moment, beside the running shop. What it writes is
 * for its owner alone: it holds the personal data of every shopper and the keys to them. Throws `BackupRefused`.
 */
export const backUp = async (connectionString: string, directory: string): Promise<Manifest> => {
  await emptyDirectory(directory);
  const client = new pg.Client({ connectionString, application_name: 'backup' });
  await client.connect();
  try {
    const manifest = await snapshot(client, directory);
    await writeFile(path.join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    return manifest;
  } finally {
    await client.end();
  }
};
