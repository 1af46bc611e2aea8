import type pg from 'pg';

import type { Recorded, StreamName, Streams } from '#domain/event-store.ts';

import { parkingOf } from './applier.ts';
import type { ReadDatabase } from './database.ts';
import { RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import { inTransaction, notifyOf, onConnection } from './postgres-storage.ts';
import { streamId, type Projector } from './projector.ts';
import { quoted, slotOf, type Slot, type SlotName } from './slot.ts';
import type { ByTable, Changes, Commit, Held, Parking, ReadModelStorage } from './storage.ts';

/** Streams that are projected anew in one transaction, for which the slot's holder waits. */
const AT_ONCE = 20;

type History = { readonly stream: StreamName; readonly events: readonly Recorded[] };

/** Of each stream so many events are applied, and the others parked, since that one was refused. */
type Limit = { readonly most: number; readonly refusal?: unknown };

/** Rows as the histories give them; keys of the streams that have none go. */
const changesOf = (fold: Fold, histories: readonly History[]): ByTable<Changes> => {
  const { projector } = fold;
  const changes = Object.entries(projector.tables).map(([name, { key }]): [string, Changes] => {
    const { put } = fold.changes(name);
    const there = new Set(put.map((row) => row[key]));
    return [name, { put, gone: histories.map(({ stream }) => streamId(stream)).filter((id) => !there.has(id)) }];
  });
  return new Map(changes);
};

/** What becomes of a slot when these streams are folded from their first events; an event that fails is parked with all behind it. */
const foldAnew = (projector: Projector, histories: readonly History[], { most, refusal }: Limit): Commit => {
  const fold = new Fold(projector);
  const parkings: Parking[] = [];
  fold.learn(fold.unknownKeys(histories.flatMap(({ events }) => events)), new Map());
  for (const { events } of histories) {
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
    parkings.push(...events.slice(applied).map((event) => parkingOf(event, failure)));
  }
  return { changes: changesOf(fold, histories), parkings, unknown: 0, reprojected: histories.map(({ stream }) => stream) };
};

/** Projects queued streams of a slot anew as the log reads now, in transactions in which nobody else changes the slot. */
export const reprojectQueued = async (storage: ReadModelStorage, slot: Slot, log: Pick<Streams, 'read'>): Promise<void> => {
  let longest = 0;
  const attempt = (streamsAtOnce: number, limit: Limit): Promise<number> =>
    storage.locked(slot, async (held, locked) => {
      const streams = await locked.queued(slot, streamsAtOnce);
      const histories = await Promise.all(streams.map((stream) => historyOf(log, stream, held)));
      longest = Math.max(0, ...histories.map(({ events }) => events.length));
      if (streams.length > 0) await locked.commit(slot, held, foldAnew(slot.projector, histories, limit));
      return streams.length;
    });
  for (let limit: Limit | undefined; ;) {
    try {
      const done = await (limit ? attempt(1, limit) : attempt(AT_ONCE, { most: Infinity }));
      if (done === 0) return;
      limit = undefined;
    } catch (error) {
      // Some row is refused: then one stream at a time, and of that as many events as can be applied.
      if (!(error instanceof RefusedValues) || limit?.most === 0) throw error;
      limit = limit ? { most: Math.min(limit.most, longest) - 1, refusal: error } : { most: Infinity };
    }
  }
};

const historyOf = async (log: Pick<Streams, 'read'>, stream: StreamName, { position }: Held): Promise<History> => {
  const { events } = await log.read(stream);
  return { stream, events: (events as readonly Recorded[]).filter((event) => event.position <= position) };
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
    if (!held?.queued) return held;
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

/** Queues the streams for one slot, and lets its holder know. Where rows are not projected anew at once, they go at once. */
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
      'update read.checkpoints set epoch = epoch + 1 where (model, version, slot) = ($1, $2, $3) returning tables',
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
