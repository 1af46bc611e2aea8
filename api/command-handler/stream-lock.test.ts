import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { freshDatabase } from '../testing/database-per-test.ts';
import { streamLockIn } from './stream-lock.ts';

const stream = 'stock-oud-royal';
const warn = vi.fn();

let connectionString: string;
let opened: (() => Promise<void>)[];

beforeEach(async () => {
  connectionString = await freshDatabase();
  opened = [];
  warn.mockClear();
});
afterEach(() => Promise.all(opened.map((close) => close())));

const openLock = (within = 60_000) => {
  const pool = new pg.Pool({ connectionString, max: 4, query_timeout: within });
  opened.push(() => pool.end());
  return streamLockIn(pool, { warn } as never);
};

describe('the lock of a stream', () => {
  test('is held by one process at a time', async () => {
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await sleep(5);
      inside--;
    };
    const [one, other] = [openLock(), openLock()];
    await Promise.all([1, 2, 3].flatMap(() => [one(stream, work), other(stream, work)]));
    expect(warn).not.toHaveBeenCalled();
  });

  test('does not hold up another stream', async () => {
    const [one, other] = [openLock(), openLock()];
    expect(await one(stream, () => other('stock-rose', async () => 'done'))).toBe('done');
  });

  test('is no condition: who does not get it in time works without it', async () => {
    const [one, other] = [openLock(), openLock(200)];
    expect(await one(stream, () => other(stream, async () => 'done'))).toBe('done');
    expect(warn).toHaveBeenCalledOnce();
  });
});
