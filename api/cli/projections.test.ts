import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { START } from '#domain/event-store.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { bottleShop, bottleShopVersion, bottle, filled, sold } from '#projections/testing/bottles.ts';
import { openTestDatabase, type TestDatabase } from '#projections/testing/test-database.ts';
import { MemoryLog } from '#projections/testing/memory-log.ts';

import { projectionsCommand } from './projections.ts';

let db: TestDatabase;
let feed: MemoryLog;
let said: string[];

beforeEach(async () => {
  db = await openTestDatabase();
  feed = new MemoryLog();
  feed.append(bottle('oud'), filled('Oud'), sold(100));
  said = [];
});
afterEach(() => db.close());

const build = () => rebuild(bottleShop, feed, db, { signal: new AbortController().signal });
const run = (args: string, models = [bottleShop]) =>
  projectionsCommand(args.split(' ').filter(Boolean), { feed, db, models, out: (line) => said.push(line) });

describe('npm run projections', () => {
  test('prints its usage without arguments', async () => {
    expect(await run('')).toBe(1);
    expect(await run('rebuild')).toBe(1);
    expect(await run('dance')).toBe(1);
    expect(said).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^Usage: npm run projections/)));
  });

  test('lists the read models for an unknown name', async () => {
    expect(await run('verify fortune-telling')).toBe(1);
    expect(said).toEqual(['Unknown read model: fortune-telling. Read models: bottle-shop']);
  });

  test('shows with status a read model that is not built, one that is built, and its lag', async () => {
    expect(await run('status')).toBe(0);
    await build();
    expect(await run('status')).toBe(0);
    feed.append(bottle('rose'), filled('Rose'));
    expect(await run('status')).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(/^bottle-shop v1; not built yet; lag 2 events, [\d.]+ s; parked 0 events of 0 streams; no process active$/),
      'bottle-shop v1; at 2; lag none; parked 0 events of 0 streams; no process active',
      expect.stringMatching(/^bottle-shop v1; at 2; lag 1 events, [\d.]+ s; parked/),
    ]);
  });

  test('ends status with 1 when events are parked, or the log was rewound', async () => {
    feed.append(bottle('cursed'), filled('Cursed', -1));
    await build();
    expect(await run('status')).toBe(1);
    feed.rewindTo(START);
    expect(await run('status')).toBe(1);
    expect(said[0]).toContain('parked 1 events of 1 streams');
    expect(said[1]).toContain('LOG REWOUND');
  });

  test('builds all read models with rebuild', async () => {
    expect(await run('rebuild all')).toBe(0);
    expect(said).toEqual([
      'bottle-shop: rebuilding v1 beside the live tables',
      expect.stringMatching(/^bottle-shop: rebuilt up to position 2 in [\d.]+ s, now live$/),
    ]);
  });

  test('ends verify with 1 and prints the differences', async () => {
    await build();
    expect(await run('verify')).toBe(0);
    await db.pool.query(`update ${nameTable(bottleShop, 'bottles')} set price = 1`);
    expect(await run('verify bottle-shop')).toBe(1);
    expect(said).toEqual([
      'bottle-shop: building it beside the live tables to compare',
      expect.stringMatching(/^bottle-shop: matches the log at position 2/),
      'bottle-shop: building it beside the live tables to compare',
      '  bottles oud: differs in price',
      expect.stringMatching(/^bottle-shop: 1 rows differ at position 2/),
    ]);
  });

  test('prints for verify that there is nothing to compare yet', async () => {
    expect(await run('verify')).toBe(1);
    expect(said.at(-1)).toMatch(/^NotBuilt: bottle-shop is not built yet/);
  });

  test('prints for retry what it applied, and what failed again', async () => {
    feed.append(bottle('cursed'), filled('Cursed', -1), sold(100));
    await build();
    expect(await run('retry')).toBe(1);
    expect(await run('retry', [bottleShopVersion({ version: 1, forgiving: true })])).toBe(0);
    expect(await run('retry')).toBe(0);
    expect(said).toEqual([
      '  product-cursed: 0 applied, stopped again at position 3: A bottle cannot hold less than nothing',
      'bottle-shop: applied 0 parked events of 1 streams',
      'bottle-shop: applied 2 parked events of 1 streams',
      'bottle-shop: nothing is parked',
    ]);
  });
});
