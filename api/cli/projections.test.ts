import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { atelier, atelierProjector, bottle, filled, sold } from '#projections/testing/bottles.ts';
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

const build = () => rebuild(atelier, feed, db, { until: new AbortController().signal });
const run = (args: string, models = [atelier]) =>
  projectionsCommand(args.split(' ').filter(Boolean), { feed, db, models, out: (line) => said.push(line) });

describe('npm run projections', () => {
  test('prints its usage without arguments', async () => {
    expect(await run('')).toBe(1);
    expect(await run('rebuild')).toBe(1);
    expect(await run('dance')).toBe(1);
    expect(said).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^Usage: npm run projections/)));
  });

  test('names the read models when it is asked for an unknown one', async () => {
    expect(await run('verify fortune-telling')).toBe(1);
    expect(said).toEqual(['There is no read model fortune-telling. There are: atelier']);
  });

  test('status shows a read model that is not built, one that is, and its lag', async () => {
    expect(await run('status')).toBe(0);
    await build();
    expect(await run('status')).toBe(0);
    feed.append(bottle('rose'), filled('Rose'));
    expect(await run('status')).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(/^atelier v1; not built yet; lag 2 events, [\d.]+ s; parked 0 events of 0 streams; nobody at work$/),
      'atelier v1; at 2; lag none; parked 0 events of 0 streams; nobody at work',
      expect.stringMatching(/^atelier v1; at 2; lag 1 events, [\d.]+ s; parked/),
    ]);
  });

  test('status ends with 1 when events are parked, or the log was rewound', async () => {
    feed.append(bottle('cursed'), filled('Cursed', -1));
    await build();
    expect(await run('status')).toBe(1);
    feed.rewindTo(START);
    expect(await run('status')).toBe(1);
    expect(said[0]).toContain('parked 1 events of 1 streams');
    expect(said[1]).toContain('LOG REWOUND');
  });

  test('rebuild builds all of them', async () => {
    expect(await run('rebuild all')).toBe(0);
    expect(said).toEqual([
      'atelier: rebuilding v1 beside the live tables',
      expect.stringMatching(/^atelier: rebuilt up to position 2 in [\d.]+ s and put in place$/),
    ]);
  });

  test('verify ends with 1 and names what differs', async () => {
    await build();
    expect(await run('verify')).toBe(0);
    await db.pool.query('update read.bottles_v1 set price = 1');
    expect(await run('verify atelier')).toBe(1);
    expect(said).toEqual([
      'atelier: building it beside the live tables to compare',
      expect.stringMatching(/^atelier: matches the log at position 2/),
      'atelier: building it beside the live tables to compare',
      '  bottles oud: differs in price',
      expect.stringMatching(/^atelier: 1 rows differ at position 2/),
    ]);
  });

  test('verify says so when there is nothing to compare yet', async () => {
    expect(await run('verify')).toBe(1);
    expect(said.at(-1)).toMatch(/^NotBuilt: atelier is not built yet/);
  });

  test('retry prints what it applied, and what failed again', async () => {
    feed.append(bottle('cursed'), filled('Cursed', -1), sold(100));
    await build();
    expect(await run('retry')).toBe(1);
    expect(await run('retry', [atelierProjector({ version: 1, forgiving: true })])).toBe(0);
    expect(await run('retry')).toBe(0);
    expect(said).toEqual([
      '  product-cursed: 0 applied, stopped again at position 3: A bottle cannot hold less than nothing',
      'atelier: applied 0 parked events of 1 streams',
      'atelier: applied 2 parked events of 1 streams',
      'atelier: nothing is parked',
    ]);
  });
});
