import type pg from 'pg';

import type { Feed, LogPosition } from '#domain/event-store.ts';

import type { Build, BuildOptions } from './build.ts';
import { inTransaction, lockCheckpoint } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { NotBuilt } from './failures.ts';
import { refuseRewound } from './rewound.ts';
import type { Projector } from './projector.ts';
import { besideLive, buildNext } from './rebuild.ts';
import { quoted, slotOf, type Slot, type SlotTable } from './slot.ts';

/** A row that a rebuild would not give. `missing` from the live table, `extra` in it, or other values in the columns named. */
export type Difference = { readonly table: string; readonly key: string; readonly what: 'missing' | 'extra' | readonly string[] };

/** `differences` names the first few of each table; `count` is how many there are. */
export type Verified = { readonly position: LogPosition; readonly count: number; readonly differences: readonly Difference[] };

/** How many differing rows of a table are named. */
const NAMED = 20;

/** SQL of both tables side by side, row by row. */
const compareTables = (live: SlotTable, next: SlotTable): string => {
  const key = quoted(live.spec.key);
  const differing = live.columns
    .filter(({ name }) => name !== live.spec.key)
    .map(({ name }) => `case when live.${quoted(name)} is distinct from next.${quoted(name)} then '${name.replaceAll("'", "''")}' end`);
  return `
    select coalesce(live.${key}, next.${key})::text as key, live.${key} is null as missing, next.${key} is null as extra,
           columns, count(*) over ()::integer as total
    from ${live.sqlName} live full join ${next.sqlName} next on live.${key} = next.${key}
    cross join lateral (select array_remove(array[${differing.join(', ')}]::text[], null) as columns) compared
    where live.${key} is null or next.${key} is null or cardinality(columns) > 0
    order by 1 limit ${NAMED}`;
};

type Compared = { key: string; missing: boolean; extra: boolean; columns: string[]; total: number };

const differencesOf = async (client: pg.ClientBase, live: SlotTable, next: SlotTable): Promise<[number, Difference[]]> => {
  const { rows } = await client.query<Compared>(compareTables(live, next));
  const differences = rows.map(({ key, missing, extra, columns }): Difference => {
    const what = missing ? 'missing' : extra ? 'extra' : columns;
    return { table: live.name, key, what };
  });
  return [rows[0]?.total ?? 0, differences];
};

const compareSlots = async (client: pg.ClientBase, live: Slot, next: Slot): Promise<Omit<Verified, 'position'>> => {
  const differences: Difference[] = [];
  let count = 0;
  for (const [index, table] of live.tables.entries()) {
    const other = next.tables[index];
    if (!other) continue;
    const [total, named] = await differencesOf(client, table, other);
    count += total;
    differences.push(...named);
  }
  return { count, differences };
};

/** Removes what was built beside the live tables. */
const discard = async (client: pg.ClientBase, { projector, tables, name }: Slot): Promise<void> => {
  for (const table of tables) await client.query(`drop table if exists ${table.sqlName}`);
  await client.query('delete from read.checkpoints where model = $1 and version = $2 and slot = $3', [
    projector.name,
    projector.version,
    name,
  ]);
};

/**
 * Compares the slots at the same position. The live one is held where it is only until the built one has caught up and the
 * snapshot is taken; the comparing itself keeps nobody waiting.
 */
const compareAtOnePosition = async (build: Build, live: Slot, pool: pg.Pool): Promise<Verified> => {
  const locking = await pool.connect();
  const reading = await pool.connect();
  try {
    const position = await inTransaction(locking, async () => {
      const { position } = await lockCheckpoint(locking, live);
      await build.catchUp(position);
      await reading.query('begin isolation level repeatable read read only; select 1 from read.checkpoints limit 1');
      return position;
    });
    const compared = await compareSlots(reading, live, build.slot);
    await reading.query('commit');
    return { position, ...compared };
  } finally {
    // Thrown away rather than kept: after an error they may stand in the middle of a transaction.
    locking.release(true);
    reading.release(true);
  }
};

/**
 * Builds the read model from the first event beside the live tables, up to where these stand, and compares the two row by row. The
 * live ones stay as they are and go on meanwhile. Throws `NotBuilt`, `LogRewound`, and `BuildUnderWay` when another process builds.
 */
export const verify = (projector: Projector, feed: Feed, database: ReadDatabase, options: BuildOptions): Promise<Verified> =>
  besideLive(projector, database, options.until, async (client, next, holder, until) => {
    const live = slotOf(projector, 'live');
    const checkpoint = await lockCheckpoint(client, live);
    if (!checkpoint.built) throw new NotBuilt(projector.name);
    await refuseRewound(feed, projector, checkpoint);
    const build = await buildNext({ client, pool: database.pool, next, holder, feed }, { ...options, until, upTo: checkpoint.position });
    const verified = await compareAtOnePosition(build, live, database.pool);
    await discard(client, next);
    return verified;
  });
