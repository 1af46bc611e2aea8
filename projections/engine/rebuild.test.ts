import { beforeEach, describe, expect, test } from 'vitest';

import { nameTable } from './table-set.ts';
import { BuildInProgress } from '../follower/failures.ts';
import { rebuild } from './rebuild.ts';
import { bottleShop, bottleShopVersion, bottle, filled, sold } from '../testing/bottles.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { allRows } from '../testing/read-rows.ts';
import { openBottleShop, type BottleShop } from '../testing/run-worker.ts';

const signal = new AbortController().signal;

let { database, progress, log, start } = {} as BottleShop;
beforeEach(async () => void ({ database, progress, log, start } = await openBottleShop()));

const sell = (bottles: number): void => {
  for (let index = 0; index < bottles; index++) log.append(bottle(`oud-${log.last}`), filled('Oud'), sold(100));
};

const tablesThere = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'read' and tablename like 'bottles%' order by 1`,
  );
  return rows.map(({ tablename }) => tablename);
};

describe('a rebuild', () => {
  test('keeps primary key and indexes, however often it is repeated', async () => {
    const indexes = async () => {
      const { rows } = await database.pool.query(
        `select tablename, regexp_replace(indexdef, '^.* USING', '') as definition from pg_indexes where tablename ~ 'bottles|takings' order by 1, 2`,
      );
      return rows;
    };
    await rebuild(bottleShop, log, database, { signal });
    const first = await indexes();
    expect(first).toHaveLength(3);
    for (let time = 0; time < 2; time++) await rebuild(bottleShop, log, database, { signal });
    expect(await indexes()).toEqual(first);
  });

  test('leaves tables with statistics for the planner', async () => {
    sell(20);
    const kept = async () => {
      const { rows } = await database.pool.query(
        `select relname, reloptions, reltuples, (select count(*)::integer from pg_stats where schemaname = 'read' and tablename = relname) as columns
         from pg_class where relnamespace = 'read'::regnamespace and relkind = 'r' and relname ~ 'bottles' order by 1`,
      );
      return rows;
    };
    await rebuild(bottleShop, log, database, { signal });
    const columns = Object.keys(bottleShop.tables.bottles.columns).length;
    expect(await kept()).toEqual([{ relname: 'bottles_v1', reloptions: null, reltuples: 20, columns }]);
  });

  test('applies events that arrive meanwhile, and no reader ever sees an older state', async () => {
    sell(200);
    start();
    await progress.waitFor('bottle-shop', log.last, 60_000);
    let reading = true;
    let seen = 0;
    const reader = (async () => {
      while (reading) {
        const { rows } = await database.pool.query<{ sold: number }>(
          `select coalesce(sum(bottles), 0)::integer as sold from ${nameTable(bottleShop, 'takings')}`,
        );
        const now = rows[0]?.sold ?? 0;
        expect(now).toBeGreaterThanOrEqual(seen);
        seen = now;
      }
    })();
    const positions: bigint[] = [];
    const stop = progress.onAdvance('bottle-shop', (position) => positions.push(position));
    for (let round = 0; round < 3; round++) {
      await rebuild(bottleShop, log, database, { signal, batch: 1, onProgress: () => sell(3) });
      sell(5);
    }
    await progress.waitFor('bottle-shop', log.last, 60_000);
    reading = false;
    await reader;
    stop();
    expect(positions).toEqual(positions.toSorted((one, other) => Number(one - other)));
    const { takings } = await allRows(database, bottleShop);
    const { rows } = await database.pool.query(`select count(*)::integer as there from ${nameTable(bottleShop, 'bottles')}`);
    expect(takings).toEqual([{ day: '2026-11-14', bottles: rows[0].there, takings: 100 * rows[0].there }]);
    expect(rows[0].there).toBe(Number(log.last) / 2);
  });

  test('cleans up after an interrupted rebuild', async () => {
    sell(20);
    await rebuild(bottleShop, log, database, { signal });
    const interrupted = new AbortController();
    const interrupt = () => interrupted.abort(new Error('Interrupted'));
    await expect(rebuild(bottleShop, log, database, { signal: interrupted.signal, onProgress: interrupt })).rejects.toThrow('Interrupted');
    expect(await tablesThere()).toEqual(['bottles_v1', 'bottles_v1_next']);
    sell(1);
    await rebuild(bottleShop, log, database, { signal });
    expect(await tablesThere()).toEqual(['bottles_v1']);
    expect((await allRows(database, bottleShop))['bottles']).toHaveLength(21);
  });

  test('is refused while another rebuild is running', async () => {
    sell(20);
    let second: Promise<void> | undefined;
    // The first rebuild gets no event until the second one was refused.
    const page = log.page.bind(log);
    log.page = async (...asked) => {
      second ??= expect(rebuild(bottleShop, new MemoryLog(), database, { signal })).rejects.toThrow(BuildInProgress);
      await second;
      return page(...asked);
    };
    await rebuild(bottleShop, log, database, { signal });
    expect(second).toBeDefined();
  });

  /** Counts the sessions that wait for a lock on the old tables. */
  const switching = async (): Promise<number | null> => {
    const query = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'drop table%' and datname = current_database()`;
    return (await database.pool.query(query)).rowCount;
  };

  test('waits for a commit that has locked the old tables and waits for the checkpoint', async () => {
    sell(1);
    await rebuild(bottleShop, log, database, { signal });
    const worker = await database.pool.connect();
    // Postgres reports the deadlock to the session that looks for it first, which is the rebuild.
    await worker.query(`set deadlock_timeout = '1min'; begin; lock table ${nameTable(bottleShop, 'bottles')} in row exclusive mode`);
    const rebuilding = rebuild(bottleShop, log, database, { signal });
    await expect.poll(switching).toBe(1);
    await Promise.all([worker.query(`select from read.checkpoints where slot = 'live' for update; commit`), rebuilding]);
    worker.release(true);
    expect((await allRows(database, bottleShop))['bottles']).toHaveLength(1);
  });

  test('waits for a long query on the old tables, and tries again', async () => {
    sell(1);
    await rebuild(bottleShop, log, database, { signal });
    const reader = await database.pool.connect();
    await reader.query(`begin; select * from ${nameTable(bottleShop, 'bottles')}`);
    const rebuilding = rebuild(bottleShop, log, database, { signal });
    await expect.poll(switching).toBe(1);
    await expect.poll(switching, { interval: 1 }).toBe(0);
    await reader.query('commit');
    reader.release();
    await rebuilding;
    expect((await allRows(database, bottleShop))['bottles']).toHaveLength(1);
  });

  test.each([100, 1, 3])(
    'finds the events whose values the database refuses or whose row cannot be computed, with %s events in a batch',
    async (batch) => {
      log.pageSize = 1;
      sell(3);
      log.append(bottle('lake'), filled('Lake', 3_000_000_000));
      log.append(bottle('water'), filled(''));
      sell(3);
      await rebuild(bottleShop, log, database, { signal, batch });
      expect((await allRows(database, bottleShop))['bottles']).toHaveLength(6);
      const { rows } = await database.pool.query('select slot, stream from read.parked order by position');
      expect(rows).toEqual(['product-lake', 'product-water'].map((stream) => ({ slot: 'live', stream })));
    },
  );

  test('repairs a read model whose log was rewound', async () => {
    sell(20);
    await rebuild(bottleShop, log, database, { signal });
    log.rewindTo(log.last);
    const shorter = new MemoryLog();
    shorter.append(bottle('rose'), filled('Rose'), sold(900));
    await rebuild(bottleShop, shorter, database, { signal });
    expect((await allRows(database, bottleShop))['takings']).toEqual([{ day: '2026-11-14', bottles: 1, takings: 900 }]);
    await expect.poll(() => progress.position('bottle-shop')).toBe(shorter.last);
  });
});

describe('a new version of a read model', () => {
  test('is built beside the old version, which stays until the version after is built', async () => {
    sell(3);
    const [first, second] = [start(), start(bottleShopVersion({ version: 2 }))];
    await expect.poll(tablesThere).toEqual(['bottles_v1', 'bottles_v2']);
    sell(1);
    await progress.waitFor('bottle-shop', log.last, 60_000);
    expect((await allRows(database, bottleShop))['bottles']).toHaveLength(4);
    await Promise.all([first.stop(), second.stop()]);

    await rebuild(bottleShopVersion({ version: 3 }), log, database, { signal });
    expect(await tablesThere()).toEqual(['bottles_v2', 'bottles_v3']);
  });
});
