import type pg from 'pg';

import type { Feed, LogPosition } from '#domain/event-store.ts';

import { Build, type BuildOptions } from './build.ts';
import { claim, ensureCheckpoint } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { BuildUnderWay } from './failures.ts';
import { newHolder, whileHeld } from './lease.ts';
import type { Projector } from './projector.ts';
import { slotOf, type Slot } from './slot.ts';
import { retireOldVersions, switchSlots } from './switch.ts';

/** Makes room beside the live slot, and holds it for `work` on a connection of its own. */
export const besideLive = async <Result>(
  projector: Projector,
  database: ReadDatabase,
  until: AbortSignal,
  work: (client: pg.PoolClient, next: Slot, holder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const next = slotOf(projector, 'next');
  const holder = newHolder();
  await ensureCheckpoint(database.pool, slotOf(projector, 'live'));
  return whileHeld(database, next, holder, until, async (signal) => {
    const client = await database.pool.connect();
    let failed = true;
    try {
      const result = await work(client, next, holder, signal);
      failed = false;
      return result;
    } finally {
      client.release(failed);
    }
  });
};

/** Builds the next slot. Throws `BuildUnderWay` when another process is at it. */
export const buildNext = async (
  { client, pool, next, holder, feed }: { client: pg.ClientBase; pool: pg.Pool; next: Slot; holder: string; feed: Feed },
  options: BuildOptions,
): Promise<Build> => {
  await ensureCheckpoint(client, next);
  const held = await claim(client, next, holder);
  if (!held) throw new BuildUnderWay(next.projector.name);
  const build = new Build(client, pool, next, feed, options, held);
  await build.run();
  return build;
};

/**
 * Builds a read model from the first event, beside the live tables, which serve until the new ones take their place in one
 * transaction. Answers with the position reached. Throws `BuildUnderWay` when another process is at it; what an interrupted build
 * leaves behind is cleaned up by the following one.
 */
export const rebuild = (projector: Projector, feed: Feed, database: ReadDatabase, options: BuildOptions): Promise<LogPosition> =>
  besideLive(projector, database, options.until, async (client, next, holder, until) => {
    const build = await buildNext({ client, pool: database.pool, next, holder, feed }, { ...options, until });
    until.throwIfAborted();
    await switchSlots(client, next, feed, build.held);
    await retireOldVersions(client, projector);
    return build.held.position;
  });
