import pg from 'pg';

import type { Resources } from '../../../platform/resources.ts';
import { sampleCommand, now, sampleRevision } from '../samples/sample-event.ts';

/** The limit of all writes: rows of an event's size, each committed on its own. */
export const BARE_TABLE = `create table bare (
  position bigint generated always as identity primary key, stream text not null, revision integer not null,
  event_id uuid not null, type text not null, data json not null, metadata json not null)`;

const BARE = {
  name: 'bare',
  text: `insert into bare (stream, revision, event_id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)`,
};

export const openBareTable = async (connectionString: string, writers: number, opened: Resources): Promise<pg.Pool> => {
  const pool = opened.with(new pg.Pool({ connectionString, max: writers }), (each) => each.end());
  // Postgres may close connections before the pool does.
  pool.on('error', () => undefined);
  await pool.query(BARE_TABLE);
  return pool;
};

/** Into `BARE_TABLE`; resolves after the commit. */
export const insertInto = (pool: pg.Pool) => async (): Promise<void> => {
  const { type, data } = sampleRevision();
  const metadata = JSON.stringify({ version: 1, ...sampleCommand(), recordedAt: now(), hash: 'f'.repeat(64) });
  const values = [`product-${crypto.randomUUID()}`, 0, crypto.randomUUID(), type, JSON.stringify(data), metadata];
  await pool.query({ ...BARE, values });
};

/** Calls per second of this many concurrent callers, within this time in ms. */
export const callsPerSecond = async (callers: number, ms: number, work: (caller: number) => Promise<void>): Promise<number> => {
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
