import type pg from 'pg';

import type { StreamName, Streams } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import { streamId, type Projector } from '../engine/define-projector.ts';
import { reprojectQueued } from '../engine/reprojection.ts';
import { quoteIdentifier, createTableSet, type TableSetName } from '../engine/table-set.ts';
import { inTransaction, notifyReaders } from './checkpoints.ts';
import { onConnection } from './connections.ts';

type TableSetKey = { readonly version: number; readonly slot: TableSetName };

/** Returns the key column of a table and its type; undefined if there is no such table. */
const primaryKey = async (client: pg.ClientBase, table: string): Promise<{ column: string; type: string } | undefined> => {
  const { rows } = await client.query<{ column: string; type: string }>(
    `select attname as column, format_type(atttypid, atttypmod) as type from pg_index
     join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indrelid = to_regclass($1) and indisprimary`,
    [`read.${quoteIdentifier(table)}`],
  );
  return rows[0];
};

/** Deletes the rows of these streams. In read models with personal data, rows are keyed by the id of their stream. */
const deleteRows = async (client: pg.ClientBase, table: string, streams: readonly StreamName[]): Promise<void> => {
  const key = await primaryKey(client, table);
  if (key?.type !== 'uuid' && key?.type !== 'text') return;
  const wanted = `any($1::text[]::${key.type}[])`;
  await client.query(`delete from read.${quoteIdentifier(table)} where ${quoteIdentifier(key.column)} = ${wanted}`, [
    streams.map(streamId),
  ]);
};

/**
 * Queues streams. The new epoch tells a worker, and a build handles the queue at its end. With `keepRows` old rows stay until they are
 * replaced. Resolves to false when the tables do not exist, because the first build has not ended.
 */
const queueReprojections = (
  client: pg.ClientBase,
  model: string,
  { version, slot }: TableSetKey,
  streams: readonly StreamName[],
  { keepRows }: { readonly keepRows: boolean },
): Promise<boolean> =>
  inTransaction(client, async () => {
    const key = [model, version, slot];
    const { rows } = await client.query<{ tables: string[] }>(
      `update read.checkpoints set epoch = epoch + (slot = 'live')::integer
       where (model, version, slot) = ($1, $2, $3) and (slot = 'next' or built_at is not null) returning tables`,
      key,
    );
    if (!rows[0]) return false;
    for (const table of keepRows ? [] : rows[0].tables) await deleteRows(client, table, streams);
    await client.query('delete from read.parked where (model, version, slot) = ($1, $2, $3) and stream = any($4)', [...key, streams]);
    await client.query('insert into read.reprojections select $1, $2, $3, unnest($4::text[]) on conflict do nothing', [...key, streams]);
    if (slot === 'live') await notifyReaders(client, model, version);
    return true;
  });

/**
 * Reprojects streams after their personal data were erased. The live rows of this version are replaced immediately, in a transaction. The
 * tables of a build and of other releases lose the rows of these streams now, and their owners reproject them later. It works only for read
 * models whose rows belong to one stream each and are keyed by its id.
 */
export const reproject = async (
  projector: Projector,
  streams: readonly StreamName[],
  log: Pick<Streams, 'read'>,
  { pool, storage }: Pick<ReadDatabase, 'pool' | 'storage'>,
): Promise<void> => {
  const { name, version, tables } = projector;
  if (Object.values(tables).some(({ kind }) => kind === 'sums'))
    throw new Error(`${name} has sums, from which a single stream cannot be removed`);
  let isKept = false;
  await onConnection(pool, async (client) => {
    // `next` comes first: it may become live in between, and is then handled once more.
    const { rows } = await client.query<TableSetKey>('select version, slot from read.checkpoints where model = $1 order by slot desc', [
      name,
    ]);
    for (const each of rows) {
      const isOwn = each.version === version && each.slot === 'live';
      const isQueued = await queueReprojections(client, name, each, streams, { keepRows: isOwn });
      isKept ||= isOwn && isQueued;
    }
  });
  if (isKept) await reprojectQueued(storage, createTableSet(projector, 'live'), log);
};
