import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { openErasureAnnouncements } from './open-erasure.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Makes a pool whose connections break as soon as they listen. */
const breakingPool = () => {
  const connect = vi.fn(() => {
    const client = new EventEmitter();
    const query = () => Promise.resolve().then(() => void client.emit('end'));
    return Promise.resolve(Object.assign(client, { query, release: () => {} }));
  });
  return { connect };
};

test('announcements are received again after the connection breaks, and old connections are closed', async () => {
  const warned = vi.fn<(warning: Error) => void>();
  process.on('warning', warned);
  const { connect } = breakingPool();
  const pool = { connect } as unknown as pg.Pool;
  const onErasure = vi.fn();
  const { close } = openErasureAnnouncements({ db: shopDatabase(pool), pool }, onErasure);
  for (let time = 0; time < 20; time++) await vi.advanceTimersByTimeAsync(500);
  expect(connect.mock.calls.length).toBeGreaterThan(15);
  expect(onErasure.mock.calls.length).toBeGreaterThan(15);
  await close();
  process.off('warning', warned);
  expect(warned.mock.calls).toEqual([]);
});
