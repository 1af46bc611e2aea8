import { sql } from 'kysely';

import { instant, type Instant } from '#domain/shared/time.ts';
import type { Log } from '#projections/follower/lease.ts';

import type { ShopDatabase } from './shop-tables.ts';

/** A process whose clock differs from the database's by more than this many ms leaves deadlines to the others. */
export const MOST_CLOCK_SKEW_MS = 60_000;

/** `differsBy` is how many ms the clock of this process is ahead of the database's. */
type DatabaseClock = { readonly time: Instant; readonly differsBy: number };

export const readDatabaseTime = async (db: ShopDatabase): Promise<Date> => {
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db);
  return rows[0]?.time ?? new Date(NaN);
};

export const readDatabaseClock = async (db: ShopDatabase, now: () => Instant): Promise<DatabaseClock> => {
  const time = await readDatabaseTime(db);
  return { time: instant(time.toISOString()), differsBy: Date.parse(now()) - time.getTime() };
};

/** Returns the time by the clock of the database, also in a process that leaves deadlines to others. */
export const readTime = async (of: { db: ShopDatabase; deadlineClock: DeadlineClock; now: () => Instant }): Promise<Instant> =>
  (await of.deadlineClock()) ?? (await readDatabaseClock(of.db, of.now)).time;

export const describeSkew = (differsBy: number): string =>
  `the clock of this process is ${Math.round(Math.abs(differsBy) / 1_000)} s ${differsBy > 0 ? 'ahead of' : 'behind'} the database's`;

/** Returns the time by which deadlines are judged, or undefined if this process must leave them. */
export type DeadlineClock = () => Promise<Instant | undefined>;

/**
 * Judges deadlines by the clock of the database, which all processes share: with a clock that is a day ahead, a process would cancel every
 * unpaid order. Says so once when the clocks begin to differ.
 */
export const createDeadlineClock = (db: ShopDatabase, now: () => Instant, log: Pick<Log, 'warn'>): DeadlineClock => {
  let hasWarned = false;
  return async () => {
    const { time, differsBy } = await readDatabaseClock(db, now);
    const differs = Math.abs(differsBy) > MOST_CLOCK_SKEW_MS;
    if (differs && !hasWarned) log.warn({ differsBy }, `Deadlines are left to other processes: ${describeSkew(differsBy)}`);
    hasWarned = differs;
    return differs ? undefined : time;
  };
};
