import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { nameTable } from '../engine/table-set.ts';
import { LogRewound } from '../follower/failures.ts';
import { rebuild } from '../engine/rebuild.ts';
import { followProgress } from '../reading/progress.ts';
import { bottleShop, bottle, filled, labelled, sold } from '../testing/bottles.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { startWorker } from '../testing/run-worker.ts';
import { verify } from './verify.ts';

const signal = new AbortController().signal;

let database: TestDatabase;
let log: MemoryLog;

beforeEach(async () => {
  database = await openTestDatabase();
  log = new MemoryLog();
  for (const name of ['oud', 'rose', 'musk']) log.append(bottle(name), filled(name), labelled(name), sold(100));
  await rebuild(bottleShop, log, database, { signal });
});
afterEach(() => database.close());

const verified = () => verify(bottleShop, log, database, { signal });

describe('verifying a read model', () => {
  test('finds nothing when the tables match the log', async () => {
    expect(await verified()).toEqual({ position: log.last, count: 0, differences: [] });
  });

  test('reports rows that were changed, removed and inserted, with their columns', async () => {
    await database.pool.query(`
      update ${nameTable(bottleShop, 'bottles')} set price = 1, label = '{"text": "oud"}' where bottle_id = 'oud';
      delete from ${nameTable(bottleShop, 'bottles')} where bottle_id = 'rose';
      insert into ${nameTable(bottleShop, 'bottles')} select 'forged', scent, millilitres, label, price, position from ${nameTable(bottleShop, 'bottles')} where bottle_id = 'musk';
      update ${nameTable(bottleShop, 'takings')} set takings = takings + 1`);
    expect(await verified()).toEqual({
      position: log.last,
      count: 4,
      differences: [
        { table: 'bottles', key: 'forged', what: 'extra' },
        { table: 'bottles', key: 'oud', what: ['label', 'price'] },
        { table: 'bottles', key: 'rose', what: 'missing' },
        { table: 'takings', key: '2026-11-14', what: ['takings'] },
      ],
    });
  });

  test('lists the first differences and counts the rest', async () => {
    await database.pool.query(
      `insert into ${nameTable(bottleShop, 'bottles')} select 'forged-' || n, 'x', 1, null, null, 1 from generate_series(1, 1000) n`,
    );
    const { count, differences } = await verified();
    expect(count).toBe(1_000);
    expect(differences).toHaveLength(20);
  });

  test('builds unlogged tables', async () => {
    const kept = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ kept: string }>(
        `select relname || ' ' || relpersistence::text as kept from pg_class where relname in ('bottles_v1', 'bottles_v1_next') order by 1`,
      );
      return rows.map((row) => row.kept);
    };
    const page = log.page.bind(log);
    const looks: string[][] = [];
    vi.spyOn(log, 'page').mockImplementation(async (...asked) => {
      looks.push(await kept());
      return page(...asked);
    });
    await verified();
    expect(looks[0]).toEqual(['bottles_v1 p', 'bottles_v1_next u']);
    await rebuild(bottleShop, log, database, { signal });
    expect(await kept()).toEqual(['bottles_v1 p']);
  });

  test('leaves nothing behind, and the live tables unchanged', async () => {
    await verified();
    const { rows } = await database.pool.query(`select tablename from pg_tables where schemaname = 'read' and tablename like '%_next'`);
    expect(rows).toEqual([]);
    expect((await database.pool.query('select slot from read.checkpoints')).rows).toEqual([{ slot: 'live' }]);
  });

  test('compares at one position while events arrive and are applied', async () => {
    const progress = await followProgress(database, [bottleShop]);
    const worker = startWorker(bottleShop, log, database);
    for (let round = 0; round < 5; round++) {
      let more = 20;
      const arrive = () => {
        while (more-- > 0) log.append(bottle(`oud-${log.last}`), filled('Oud'), sold(100));
      };
      const { count, position } = await verify(bottleShop, log, database, { signal, onProgress: arrive });
      expect(count).toBe(0);
      expect(position).toBeLessThanOrEqual(log.last);
    }
    await progress.waitFor('bottle-shop', log.last, 60_000);
    await worker.stop();
    await progress.close();
    expect(await verified()).toEqual({ position: log.last, count: 0, differences: [] });
  });

  test('refuses to compare with a log that was rewound', async () => {
    log.rewindTo(log.last);
    const other = new MemoryLog();
    other.append(bottle('oud'), filled('Oud'));
    await expect(verify(bottleShop, other, database, { signal })).rejects.toThrow(LogRewound);
  });
});
