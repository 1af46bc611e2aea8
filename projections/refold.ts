import type pg from 'pg';

import type { StreamName, Streams } from '#domain/event-store.ts';

import { Application, writeParkings } from './apply.ts';
import { inTransaction, lockCheckpoint, NOTIFY_PROGRESS } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { isCausedByValues } from './failures.ts';
import { streamId, type Projector } from './projector.ts';
import { quoted, slotOf, type Slot } from './slot.ts';

/** Streams that are folded anew in one transaction, for which the live slot's holder waits. */
const AT_ONCE = 20;

const who = ({ name, version }: Projector): [string, number] => [name, version];

/** Whoever fills or builds a slot of this version has read events before: the new epoch makes them begin again with what the log says now. */
const supersede = async (client: pg.ClientBase, projector: Projector): Promise<void> => {
  await client.query('update read.checkpoints set epoch = epoch + 1 where model = $1 and version = $2', who(projector));
  await client.query(
    `select ${NOTIFY_PROGRESS} from read.checkpoints moved where model = $1 and version = $2 and slot = 'live'`,
    who(projector),
  );
};

/** What stands there of these streams goes, rows and parked events alike; none of it is believed. */
const clear = async (client: pg.ClientBase, { projector, tables }: Slot, streams: readonly StreamName[]): Promise<void> => {
  for (const { sqlName, spec } of tables) {
    if (spec.kind !== 'rows') throw new Error(`${projector.name} has sums, of which no stream can be taken out again`);
    await client.query(`delete from ${sqlName} where ${quoted(spec.key)} = any($1)`, [streams.map(streamId)]);
  }
  await client.query(`delete from read.parked where model = $1 and version = $2 and slot = 'live' and stream = any($3)`, [
    ...who(projector),
    streams,
  ]);
};

type Mode = 'inOne' | 'oneByOne';

const refoldOnce = (client: pg.ClientBase, slot: Slot, streams: readonly StreamName[], source: Pick<Streams, 'read'>, mode: Mode) =>
  inTransaction(client, async () => {
    const { position, built } = await lockCheckpoint(client, slot);
    if (built) {
      const histories = await Promise.all(streams.map((stream) => source.read(stream)));
      const applied = histories.flatMap(({ events }) => events.filter((event) => event.position <= position));
      const application = new Application(client, slot, new Set());
      await clear(client, slot, streams);
      await application[mode](applied.toSorted((one, other) => (one.position < other.position ? -1 : 1)));
      await writeParkings(client, slot, application.parkings);
    }
    await supersede(client, slot.projector);
  });

const refoldSome = async (client: pg.ClientBase, slot: Slot, streams: readonly StreamName[], source: Pick<Streams, 'read'>) => {
  try {
    await refoldOnce(client, slot, streams, source, 'inOne');
  } catch (error) {
    if (!isCausedByValues(error)) throw error;
    await refoldOnce(client, slot, streams, source, 'oneByOne');
  }
};

/**
 * Versions of the read model that another release keeps, whose handlers are not known here: they are emptied, and built again by the
 * release that wants them.
 */
const emptyOtherVersions = (client: pg.ClientBase, { name, version }: Projector): Promise<void> =>
  inTransaction(client, async () => {
    const { rows } = await client.query<{ tables: string[] }>(
      `update read.checkpoints set position = 0, event_id = '', built_at = null, epoch = epoch + 1 where model = $1 and version <> $2
       returning array(select each from unnest(tables) each where to_regclass('read.' || quote_ident(each)) is not null) as tables`,
      [name, version],
    );
    const tables = new Set(rows.flatMap((row) => row.tables));
    for (const table of tables) await client.query(`truncate read.${quoted(table)}`);
    await client.query('delete from read.parked where model = $1 and version <> $2', [name, version]);
  });

/** Whether the tables of this version are there to be asked. */
export const isBuilt = async ({ name, version }: Projector, { pool }: Pick<ReadDatabase, 'pool'>): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select 1 from read.checkpoints where model = $1 and version = $2 and slot = 'live' and built_at is not null`,
    [name, version],
  );
  return rowCount === 1;
};

/**
 * Folds some streams anew, as the log reads now: after their texts were erased. The rows are then what a rebuild would give, without one;
 * readers see the old rows or the new ones. Only for read models whose rows are each of one stream and named by its id.
 */
export const refold = async (
  projector: Projector,
  streams: readonly StreamName[],
  source: Pick<Streams, 'read'>,
  { pool }: Pick<ReadDatabase, 'pool'>,
): Promise<void> => {
  const slot = slotOf(projector, 'live');
  const client = await pool.connect();
  let failed = true;
  try {
    const { rowCount } = await client.query(
      `select 1 from read.checkpoints where model = $1 and version = $2 and slot = 'live'`,
      who(projector),
    );
    for (let from = 0; rowCount === 1 && from < streams.length; from += AT_ONCE)
      await refoldSome(client, slot, streams.slice(from, from + AT_ONCE), source);
    await emptyOtherVersions(client, projector);
    failed = false;
  } finally {
    client.release(failed);
  }
};
