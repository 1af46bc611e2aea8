import { beforeEach, describe, expect, test } from 'vitest';

import { logPosition, START } from '#domain/event-store.ts';

import { followProgress } from './progress.ts';
import { rebuild } from '../engine/rebuild.ts';
import { bottleShop, bottle, filled } from '../testing/bottles.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { openBottleShop, type BottleShop } from '../testing/run-worker.ts';

let { database, progress, log, start } = {} as BottleShop;
beforeEach(async () => void ({ database, progress, log, start } = await openBottleShop()));

test('progress that cannot be read at first leaves no open connection', async () => {
  const other = await openTestDatabase();
  await other.pool.query('drop table read.checkpoints cascade');
  await expect(followProgress(other, [bottleShop])).rejects.toThrow('checkpoints');
  const taken = other.pool.totalCount - other.pool.idleCount;
  expect(taken).toBe(0);
  await other.close();
});

describe('waiting for a read model', () => {
  test('ends as soon as the event is applied', async () => {
    start();
    expect(await progress.waitFor('bottle-shop', START, 60_000)).toBe('fresh');
    const waiting = progress.waitFor('bottle-shop', logPosition(1n), 60_000);
    log.append(bottle('oud'), filled('Oud'));
    expect(await waiting).toBe('fresh');
    expect(progress.position('bottle-shop')).toBe(1n);
  });

  test('ends as stale after the timeout', async () => {
    start();
    await progress.waitFor('bottle-shop', START, 60_000);
    expect(await progress.waitFor('bottle-shop', logPosition(1n), 20)).toBe('stale');
  });

  test('ends as stale for a model that is not built, even for the start of the log', async () => {
    expect(await progress.waitFor('bottle-shop', START, 20)).toBe('stale');
    expect(progress.isBuilt('bottle-shop')).toBe(false);
  });

  test('recognises positions that were applied before it listened', async () => {
    log.append(bottle('oud'), filled('Oud'));
    await rebuild(bottleShop, log, database, { signal: new AbortController().signal });
    const later = await followProgress(database, [bottleShop]);
    expect(later.position('bottle-shop')).toBe(1n);
    await later.close();
  });

  test('continues after its connection was lost', async () => {
    const ofThisFile = `query like 'listen%' and datname = current_database()`;
    await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofThisFile}`);
    start();
    log.append(bottle('oud'), filled('Oud'));
    expect(await progress.waitFor('bottle-shop', log.last, 60_000)).toBe('fresh');
    // The connection listens again instead of only polling.
    const listening = `select 1 from pg_stat_activity where ${ofThisFile}`;
    await expect.poll(async () => (await database.pool.query(listening)).rowCount).toBe(1);
  });

  test('follows its database back after a failover to a standby that lacks the latest commits', async () => {
    for (const name of ['Oud', 'Lake', 'Attar']) log.append(bottle(name), filled(name));
    await rebuild(bottleShop, log, database, { signal: new AbortController().signal });
    await progress.waitFor('bottle-shop', log.last, 60_000);
    await database.pool.query('update read.checkpoints set position = 1');
    await expect.poll(() => progress.position('bottle-shop')).toBe(1n);
  });

  test('is refused for a read model that does not exist', () => {
    expect(() => progress.position('fortune-telling')).toThrow('No such read model');
  });

  test('calls back until it is unsubscribed', async () => {
    start();
    await progress.waitFor('bottle-shop', START, 60_000);
    const seen: bigint[] = [];
    const stop = progress.onAdvance('bottle-shop', (position) => seen.push(position));
    await progress.waitFor('bottle-shop', log.append(bottle('oud'), filled('Oud')), 60_000);
    stop();
    await progress.waitFor('bottle-shop', log.append(bottle('rose'), filled('Rose')), 60_000);
    expect(seen).toEqual([1n]);
  });
});
