import pg from 'pg';

import type { Opened } from '../infrastructure/opened.ts';
import { command, now, revised } from './sample-event.ts';

/** What everything that writes is measured beside: rows of an event's size, each in a commit of its own, and nothing around them. */
export const BARE_TABLE = `create table bare (
  position bigint generated always as identity primary key, stream text not null, revision integer not null,
  event_id uuid not null, type text not null, data json not null, metadata json not null)`;

const BARE = {
  name: 'bare',
  text: `insert into bare (stream, revision, event_id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)`,
};

/** Makes the table in this database, for so many to write to at a time. */
export const openBareTable = async (connectionString: string, writers: number, opened: Opened): Promise<pg.Pool> => {
  const pool = opened.with(new pg.Pool({ connectionString, max: writers }), (each) => each.end());
  // A pool that ends lets go of its clients before their connections are closed, and Postgres may be quicker.
  pool.on('error', () => undefined);
  await pool.query(BARE_TABLE);
  return pool;
};

/** Inserts a row and comes back when it is committed. The table is `BARE_TABLE`. */
export const insertInto = (pool: pg.Pool) => async (): Promise<void> => {
  const { type, data } = revised();
  const metadata = JSON.stringify({ version: 1, ...command(), recordedAt: now(), hash: 'f'.repeat(64) });
  const values = [`product-${crypto.randomUUID()}`, 0, crypto.randomUUID(), type, JSON.stringify(data), metadata];
  await pool.query({ ...BARE, values });
};

/** Calls `work` from so many callers for so many ms, each again when it is done, and gives how often a second. */
export const rateOf = async (callers: number, ms: number, work: (caller: number) => Promise<void>): Promise<number> => {
  const began = performance.now();
  let done = 0;
  const call = async (_: unknown, caller: number): Promise<void> => {
    while (performance.now() - began < ms) {
      await work(caller);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (done * 1_000) / (performance.now() - began);
};

export const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
