import type pg from 'pg';

import type { Recorded, StreamName, Streams } from '#domain/event-store.ts';

import { parkingOf } from './applier.ts';
import type { ReadDatabase } from '../database.ts';
import { RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import { inTransaction, notifyOf, onConnection } from '../storage/postgres-storage.ts';
import { streamId, type Projector } from './define-projector.ts';
import { quoted, slotOf, type Slot, type SlotName } from './table-set.ts';
import type { Changes, Commit, Held, ReadModelStorage } from './read-model-storage.ts';

/** Of a stream so many events are applied, and the others parked, since a row that they lead to was refused. */
type Limit = { readonly most: number; readonly refusal?: unknown };

/** What a slot keeps of a stream that is folded from its first event; an event that fails is parked with all behind it. */
export const foldAnew = (
  projector: Projector,
  stream: StreamName,
  events: readonly Recorded[],
  { most, refusal }: Limit = { most: Infinity },
): Commit => {
  const fold = new Fold(projector);
  // Of what the events read there is nothing before the first of them.
  fold.learn(fold.unknownKeys(events), new Map());
  let failure = refusal;
  let applied = 0;
  try {
    for (const event of events.slice(0, most)) {
      fold.apply(event);
      applied++;
    }
  } catch (error) {
    failure = error;
  }
  const parkings = events.slice(applied).map((event) => parkingOf(event, failure));
  const changes = Object.keys(projector.tables).map((name): [string, Changes] => {
    const { put } = fold.changes(name);
    return [name, { put, gone: put.length > 0 ? [] : [streamId(stream)] }];
  });
  return { changes: new Map(changes), parkings, unknown: 0, reprojected: stream };
};

/** Projects queued streams of a slot anew as the log reads now, each in a transaction in which nobody else changes the slot. */
export const reprojectQueued = async (storage: ReadModelStorage, slot: Slot, log: Pick<Streams, 'read'>): Promise<void> => {
  let limit: Limit = { most: Infinity };
  for (let isDone = false; !isDone;) {
    let count = 0;
    try {
      isDone = await storage.locked(slot, async (held, locked) => {
        if (held.queued === undefined) return true;
        const { events } = await log.read(held.queued);
        const known = (events as readonly Recorded[]).filter(({ position }) => position <= held.position);
        count = known.length;
        await locked.commit(slot, held, foldAnew(slot.projector, held.queued, known, limit));
        return false;
      });
      limit = { most: Infinity };
    } catch (error) {
      // A row is refused: then as many events are applied as can be.
      if (!(error instanceof RefusedValues) || limit.most === 0) throw error;
      limit = { most: Math.min(limit.most, count) - 1, refusal: error };
    }
  }
};

/**
 * Takes the slot as `claim` does, once what is queued is projected anew: whoever goes on from there finds every row that its events
 * read. What is queued later raises the epoch, so that nothing is committed on what was claimed before.
 */
export const claimCurrent = async (
  storage: ReadModelStorage,
  slot: Slot,
  holder: string,
  log: Pick<Streams, 'read'>,
): Promise<Held | undefined> => {
  for (;;) {
    const held = await storage.claim(slot, holder);
    if (held?.queued === undefined) return held;
    await reprojectQueued(storage, slot, log);
  }
};

type SlotKey = { readonly version: number; readonly slot: SlotName };

/** The column that is the key of a table, and its type; nothing where there is no such table. */
const primaryKey = async (client: pg.ClientBase, table: string): Promise<{ column: string; type: string } | undefined> => {
  const { rows } = await client.query<{ column: string; type: string }>(
    `select attname as column, format_type(atttypid, atttypmod) as type from pg_index
     join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indrelid = to_regclass($1) and indisprimary`,
    [`read.${quoted(table)}`],
  );
  return rows[0];
};

/** Removes the rows of these streams. Those of personal data are named by the id of their stream. */
const deleteRows = async (client: pg.ClientBase, table: string, streams: readonly StreamName[]): Promise<void> => {
  const key = await primaryKey(client, table);
  if (key?.type !== 'uuid' && key?.type !== 'text') return;
  const wanted = `any($1::text[]::${key.type}[])`;
  await client.query(`delete from read.${quoted(table)} where ${quoted(key.column)} = ${wanted}`, [streams.map(streamId)]);
};

/**
 * Queues the streams for one slot. A worker is let know by the epoch; a build comes to them at its end. Where rows are not projected anew at
 * once, they go at once.
 */
const queueIn = (
  client: pg.ClientBase,
  model: string,
  { version, slot }: SlotKey,
  streams: readonly StreamName[],
  { keepRows }: { readonly keepRows: boolean },
): Promise<void> =>
  inTransaction(client, async () => {
    const key = [model, version, slot];
    const { rows } = await client.query<{ tables: string[] }>(
      `update read.checkpoints set epoch = epoch + (slot = 'live')::integer where (model, version, slot) = ($1, $2, $3) returning tables`,
      key,
    );
    if (!rows[0]) return;
    for (const table of keepRows ? [] : rows[0].tables) await deleteRows(client, table, streams);
    await client.query('delete from read.parked where (model, version, slot) = ($1, $2, $3) and stream = any($4)', [...key, streams]);
    await client.query('insert into read.reprojections select $1, $2, $3, unnest($4::text[]) on conflict do nothing', [...key, streams]);
    if (slot === 'live') await notifyOf(client, model, version);
  });

/**
 * Projects some streams anew, as the log reads now: after their texts were erased. The live rows of this version are then what a rebuild
 * would give; readers see the old rows or the new ones. What is being built and what other releases keep loses the rows of the streams at
 * once, and projects them anew when its owner goes on. Only for read models whose rows are each of one stream and named by its id.
 */
export const reproject = async (
  projector: Projector,
  streams: readonly StreamName[],
  log: Pick<Streams, 'read'>,
  { pool, storage }: Pick<ReadDatabase, 'pool' | 'storage'>,
): Promise<void> => {
  const { name, version, tables } = projector;
  if (Object.values(tables).some(({ kind }) => kind === 'sums'))
    throw new Error(`${name} has sums, of which no stream can be taken out again`);
  let isKept = false;
  await onConnection(pool, async (client) => {
    // What is being built first: it may become the live slot in between, which then comes once more.
    const { rows } = await client.query<SlotKey>('select version, slot from read.checkpoints where model = $1 order by slot desc', [name]);
    for (const each of rows) {
      const isOwn = each.version === version && each.slot === 'live';
      isKept ||= isOwn;
      await queueIn(client, name, each, streams, { keepRows: isOwn });
    }
  });
  if (isKept) await reprojectQueued(storage, slotOf(projector, 'live'), log);
};
