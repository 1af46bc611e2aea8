import { beforeEach, describe, expect, test } from 'vitest';

import { nameTable } from './table-set.ts';
import { START, type LogPosition } from '#domain/event-store.ts';

import { Applier } from './applier.ts';
import { openReadDatabase } from '../database.ts';
import { Superseded } from '../follower/failures.ts';
import { lockExpected } from '../storage/checkpoints.ts';
import { rebuild } from './rebuild.ts';
import { createTableSet } from './table-set.ts';
import { LEASE_MS } from '../follower/lease.ts';
import { bottleShop, bottleShopVersion, bottle, filled, labelled, sold } from '../testing/bottles.ts';
import { allRows } from '../testing/read-rows.ts';
import { openBottleShop, type BottleShop } from '../testing/run-worker.ts';

let { database, progress, log, start } = {} as BottleShop;
beforeEach(async () => void ({ database, progress, log, start } = await openBottleShop()));

const applied = async (position: LogPosition) => expect(await progress.waitFor('bottle-shop', position, 60_000)).not.toBe('stale');
const takings = async () => (await allRows(database, bottleShop))['takings'];
const bottles = async () => (await allRows(database, bottleShop))['bottles'];

describe('a worker', () => {
  test('builds a read model that is missing, then follows the log', async () => {
    log.append(bottle('oud'), filled('Oud'));
    start();
    await applied(log.last);
    await applied(log.append(bottle('oud'), sold(100)));
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
  });

  test('applies an event once, however often it is delivered', async () => {
    log.deliveries = 3;
    start();
    await applied(START);
    for (let sale = 0; sale < 20; sale++) log.append(bottle(`oud-${sale}`), filled('Oud'), sold(100));
    await applied(log.last);
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 20, takings: 2_000 }]);
  });

  test('that is killed between writing rows and checkpoint leaves neither, and applies the event once after a restart', async () => {
    await rebuild(bottleShop, log, database, { signal: new AbortController().signal });
    await database.pool.query(`
      create sequence kills;
      create function kill() returns trigger language plpgsql as $$
      begin
        if nextval('kills') <= 2 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return new;
      end $$;
      create trigger kill before update of position on read.checkpoints for each row execute function kill()`);
    log.append(bottle('oud'), filled('Oud'), sold(100));
    const { log: said } = start();
    await applied(log.last);
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
    expect(said.lines.filter((line) => line === 'Failed, and will be retried')).toHaveLength(1);
    expect((await database.pool.query('select last_value from kills')).rows).toEqual([{ last_value: 3 }]);
  });

  test('survives a database that closes all connections, and parks nothing', async () => {
    start();
    await applied(log.append(bottle('oud'), filled('Oud')));
    await database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await applied(log.append(bottle('oud'), sold(100)));
    expect(progress.hasParked('bottle-shop')).toBe(false);
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
  });

  test('does not load rows that it has just written, unless another process has changed them', async () => {
    const relabel = (scent: string, epoch: number) =>
      database.pool.query(
        `with other as (update ${nameTable(bottleShop, 'bottles')} set scent = '${scent}') update read.checkpoints set epoch = epoch + ${epoch} where model = 'bottle-shop'`,
      );
    const scents = async () => (await bottles())?.map((row) => row['scent']);
    start();
    await applied(START);
    await applied(log.append(bottle('oud'), filled('Oud')));
    // In practice a process that changes rows raises the epoch: this shows only that the worker does not read the rows.
    await relabel('Unnoticed', 0);
    await applied(log.append(bottle('oud'), sold(100)));
    expect(await scents()).toEqual(['Oud']);
    await relabel('Amber', 1);
    await applied(log.append(bottle('oud'), sold(100)));
    expect(await scents()).toEqual(['Amber']);
  });

  test('survives an outage of the log', async () => {
    const { log: said } = start();
    await applied(log.append(bottle('oud'), filled('Oud')));
    log.goAway(new Error('The store is away'));
    const position = log.append(bottle('oud'), sold(100));
    await expect.poll(() => said.lines).toContain('Failed, and will be retried');
    log.comeBack();
    await applied(position);
    expect(progress.hasParked('bottle-shop')).toBe(false);
  });

  test.each([
    ['has other events', [filled('Oud'), sold(200), labelled('Oud')], 500],
    ['ends before its checkpoint', [filled('Oud')], 300],
  ])('stands still when the log %s, until it is rebuilt', async (_, instead, rebuilt) => {
    log.append(bottle('oud'), filled('Oud'), sold(100));
    const before = start();
    await applied(log.last);
    await before.stop();
    log.rewindTo(START);
    log.append(bottle('oud'), ...instead);
    const { log: said } = start();
    await expect.poll(() => said.lines).toContain('Failed, and will be retried');
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
    await rebuild(bottleShop, log, database, { signal: new AbortController().signal });
    log.append(bottle('oud'), sold(300));
    // The old checkpoint may be at this position too, so that nothing can be waited for but the rows.
    await expect.poll(async () => (await takings())?.[0]).toMatchObject({ takings: rebuilt });
  });
});

describe('several workers', () => {
  test('apply each event of a read model once', async () => {
    const other = openReadDatabase(database);
    const [first, ...others] = [start(), start(bottleShop, other), start()];
    await applied(START);
    for (let sale = 0; sale < 50; sale++) {
      log.append(bottle(`oud-${sale}`), filled('Oud'), sold(100));
      // The current holder stops, and another worker takes over.
      if (sale === 25) await first?.stop();
    }
    await applied(log.last);
    await Promise.all(others.map((worker) => worker.stop()));
    await other.close();
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 50, takings: 5_000 }]);
  });

  test('are not disturbed by one that hung and continues after another took over', async () => {
    await rebuild(bottleShop, log, database, { signal: new AbortController().signal });
    const live = createTableSet(bottleShop, 'live');
    const client = await database.pool.connect();
    const state = await database.storage.claim(live, 'stopped');
    if (!state) throw new Error('nobody else holds it yet');
    log.append(bottle('oud'), filled('Oud'), sold(100));
    const page = await log.page(START, 10, ['product']);
    // The worker hangs with the checkpoint locked: the server ends its transaction, and its lease expires.
    await client.query(`begin; set local idle_in_transaction_session_timeout = ${LEASE_MS}`);
    await lockExpected(client, live, state);

    start();
    await applied(log.last);
    await expect(client.query('commit')).rejects.toThrow();
    client.release(true);

    await expect(new Applier(database.storage, live, state).apply(page)).rejects.toThrow(Superseded);
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
  });
});

describe('an event that cannot be applied', () => {
  test('is parked with the rest of its stream, while the other streams continue', async () => {
    start();
    log.append(bottle('cursed'), filled('Cursed', -1));
    log.append(bottle('oud'), filled('Oud'));
    await applied(log.last);
    const position = log.append(bottle('cursed'), labelled('Cursed'));
    log.append(bottle('oud'), sold(100));
    await applied(log.last);

    expect((await bottles())?.map((row) => row['bottle_id'])).toEqual(['oud']);
    const { rows } = await database.pool.query('select position, stream, error from read.parked order by position');
    expect(rows).toEqual([
      { position: 1n, stream: 'product-cursed', error: 'A bottle cannot hold less than nothing' },
      { position, stream: 'product-cursed', error: 'An earlier event of its stream is parked' },
    ]);
    expect(progress.hasParked('bottle-shop')).toBe(true);
    expect(await progress.waitFor('bottle-shop', position, 1_000)).toBe('parked');
    expect(await progress.waitFor('bottle-shop', log.last, 1_000)).toBe('fresh');
  });

  test('is still known as parked to a worker that starts later', async () => {
    const first = start();
    await applied(log.append(bottle('cursed'), filled('Cursed', -1)));
    await first.stop();
    start();
    const position = log.append(bottle('cursed'), sold(100));
    await applied(position);
    expect(await takings()).toEqual([]);
    expect(await progress.waitFor('bottle-shop', position, 1_000)).toBe('parked');
  });

  test('is applied, with what follows in its stream, by a worker of the next release that takes the lease', async () => {
    const before = start();
    await applied(log.append(bottle('cursed'), filled('Cursed', -1), labelled('Cursed')));
    await applied(log.append(bottle('lake'), filled('Lake', 3_000_000_000)));
    await before.stop();
    start(bottleShopVersion({ version: 1, forgiving: true }));
    await applied(log.append(bottle('cursed'), sold(100)));
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
    expect((await database.pool.query('select stream from read.parked')).rows).toEqual([{ stream: 'product-lake' }]);
  });

  test('is found in its batch when the database refuses its values, or a getter of its row throws', async () => {
    start();
    await applied(START);
    log.append(bottle('oud'), filled('Oud'), sold(100));
    log.append(bottle('lake'), filled('Lake', 3_000_000_000), labelled('Lake'));
    log.append(bottle('odd'), filled('Odd\0'));
    log.append(bottle('water'), filled(''));
    log.append(bottle('rose'), filled('Rose'), sold(100));
    await applied(log.last);
    expect((await bottles())?.map((row) => row['bottle_id'])).toEqual(['oud', 'rose']);
    expect(await takings()).toEqual([{ day: '2026-11-14', bottles: 2, takings: 200 }]);
    const { rows } = await database.pool.query('select stream, position from read.parked order by position');
    expect(rows).toEqual([
      { stream: 'product-lake', position: 3n },
      { stream: 'product-lake', position: 4n },
      { stream: 'product-odd', position: 5n },
      { stream: 'product-water', position: 6n },
    ]);
  });
});
