import { beforeEach, describe, expect, test } from 'vitest';

import { retryParked, type RetriedStream } from './retry-parked.ts';
import { bottleShop, bottleShopVersion, bottle, filled, labelled, sold } from '../testing/bottles.ts';
import { allRows } from '../testing/read-rows.ts';
import { openBottleShop, type BottleShop } from '../testing/run-worker.ts';

const fixed = bottleShopVersion({ version: 1, forgiving: true });

let { database, progress, log, start } = {} as BottleShop;

beforeEach(async () => {
  ({ database, progress, log, start } = await openBottleShop());
  log.append(bottle('cursed'), filled('Cursed', -1));
  log.append(bottle('oud'), filled('Oud'));
  log.append(bottle('cursed'), labelled('first'), labelled('second'));
  log.append(bottle('lake'), filled('Lake', 3_000_000_000));
  log.append(bottle('cursed'), sold(100));
  start();
  await progress.waitFor('bottle-shop', log.last, 60_000);
});

const retried = async (projector = fixed): Promise<RetriedStream[]> => {
  const drained: RetriedStream[] = [];
  for await (const stream of retryParked(projector, log, database.storage)) drained.push(stream);
  return drained;
};

describe('retrying parked events', () => {
  test('applies them in order after a fix, and leaves those that still fail', async () => {
    expect(await retried()).toEqual([
      { stream: 'product-cursed', applied: 4 },
      { stream: 'product-lake', applied: 0, stoppedAt: { position: '5', error: expect.stringContaining('out of range') } },
    ]);
    const { bottles, takings } = await allRows(database, bottleShop);
    expect(bottles).toContainEqual(expect.objectContaining({ bottle_id: 'cursed', label: '{"text":"second"}', price: 100 }));
    expect(takings).toEqual([{ day: '2026-11-14', bottles: 1, takings: 100 }]);
    expect((await database.pool.query('select stream from read.parked')).rows).toEqual([{ stream: 'product-lake' }]);
  });

  test('changes nothing without a fix', async () => {
    expect(await retried(bottleShop)).toEqual([
      { stream: 'product-cursed', applied: 0, stoppedAt: { position: '1', error: 'A bottle cannot hold less than nothing' } },
      { stream: 'product-lake', applied: 0, stoppedAt: { position: '5', error: expect.stringContaining('out of range') } },
    ]);
    expect((await allRows(database, bottleShop))['bottles']).toHaveLength(1);
  });

  test('lets the running worker continue with the stream', async () => {
    await retried();
    await progress.waitFor('bottle-shop', log.append(bottle('cursed'), labelled('third')), 60_000);
    const { bottles } = await allRows(database, bottleShop);
    expect(bottles).toContainEqual(expect.objectContaining({ bottle_id: 'cursed', label: '{"text":"third"}' }));
  });

  test('applies all events of a stream that grows meanwhile', async () => {
    const happening = (async () => {
      for (let sale = 0; sale < 30; sale++) await progress.waitFor('bottle-shop', log.append(bottle('cursed'), sold(100)), 60_000);
    })();
    await retried();
    await happening;
    await retried();
    const { takings } = await allRows(database, bottleShop);
    expect(takings).toEqual([{ day: '2026-11-14', bottles: 31, takings: 3_100 }]);
  });

  test('wakes readers that wait for the event', async () => {
    expect(await progress.waitFor('bottle-shop', log.last, 60_000)).toBe('parked');
    await retried();
    expect(await progress.waitFor('bottle-shop', log.last, 60_000)).toBe('fresh');
  });
});
