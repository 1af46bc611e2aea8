import { once } from 'node:events';
import type { statfs } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';
import { oudSaffronMajlis, add } from '#domain/testing/products.ts';

import { readModels } from '#projections/read-models.ts';

import { streamCategories } from '../event-store/stored-event.ts';
import { startEventStoreDbDouble, type EventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { change } from '../cart/testing/shopping.ts';
import { placedBy } from '../orders/testing/placing.ts';
import { openShopForTest, openTestShop, type TestShop } from '../testing/test-shop.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { observeShop } from './gauges.ts';
import { createReadiness } from './readiness.ts';

let server: EventStoreDbDouble;
let projecting: TestShop;
let serving: TestShop;
beforeAll(async () => {
  server = await startEventStoreDbDouble();
  const eventStoreUrl = server.connectionString;
  projecting = await openTestShop({ eventStoreUrl, projecting: true });
  serving = await openTestShop({ eventStoreUrl, databaseUrl: projecting.databaseUrl });
  await change([projecting, serving], oudSaffronMajlis, add());
});
afterAll(async () => {
  await serving.close();
  await projecting.close();
  server.close();
});

describe('readiness', () => {
  const partsOf = async ({ url }: TestShop): Promise<Record<string, string>> =>
    ((await (await fetch(`${url}/readyz`)).json()) as { parts: Record<string, string> }).parts;

  test('never says ok for what no process follows', async () => {
    const shop = await openTestShop({ projecting: true, reacting: true });
    await expect.poll(async () => [...new Set(Object.values(await partsOf(shop)))]).toEqual(['ok']);
    const { databaseUrl } = shop;
    await shop.close();
    const alone = await openShopForTest({ databaseUrl });
    const parts = await partsOf(alone);
    for (const { name } of readModels) expect(parts[name]).toBe('no process follows the log');
    expect(parts['reactions']).toContain('no process follows the log for order-mails');
    expect(parts['signed log']).toBe('no process follows the log');
  });

  test('is refused while the disk of DATA_DIR is full', async () => {
    const shop = await openShopForTest();
    const full = { bavail: 10, bsize: 4_096 } as Awaited<ReturnType<typeof statfs>>;
    const measureDisk = (async () => full) as unknown as typeof statfs;
    const { isReady, parts } = await createReadiness({
      shop,
      progress: shop.progress,
      models: [],
      isGatewayAvailable: () => true,
      keyRotationDays: 30,
      notOpen: undefined,
      measureDisk,
    })();
    expect([isReady, parts['disk']]).toEqual([false, 'the disk of DATA_DIR has 0 MB left']);
  });

  test('names mails that are due and that no process sends, also in the metrics', async () => {
    const shop = await openShopForTest();
    const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 2 });
    onTestFinished(() => pool.end());
    const due = (cause: string, recipient: string, seconds: number) =>
      pool.query(
        `insert into shop.outbox (cause, content, recipient, next_attempt_at, created_at)
         values ($1, '', $2, now() - $3 * interval '1 s', now())`,
        [cause, recipient, seconds],
      );
    const registry = new Registry();
    const watched = {
      shop: { ...shop, db: shopDatabase(pool), pool, registry },
      progress: shop.progress,
      models: [],
      isGatewayAvailable: () => true,
      keyRotationDays: 30,
    };
    const mail = async () => (await createReadiness({ ...watched, notOpen: undefined })()).parts['mail'];
    await due('retried', 'meera', -600);
    await due('behind it', 'meera', 600);
    await due('a moment ago', 'ravi', 20);
    expect(await mail()).toBe('ok');
    await due('long ago', 'asha', 90);
    expect(await mail()).toMatch(/^a mail has been due for 9\d s: no process sends mails, or sending hangs$/);
    await observeShop(watched)();
    expect(await registry.metrics()).toMatch(/^ruhani_outbox_due_seconds 9\d\./m);
  });

  test('names events that stay unsigned', async () => {
    const shop = await openShopForTest({ projecting: true });
    await change([shop], oudSaffronMajlis, add());
    const { length } = await shop.store.storedPage(START, 1_000, streamCategories);
    await expect.poll(() => shop.db.selectFrom('log_checkpoints').select('size').execute()).toMatchObject([{ size: String(length) }]);
    const later = () => instant(new Date(Date.now() + 7_200_000).toISOString());
    const ask = async () =>
      (
        await createReadiness({
          shop: { ...shop, now: later },
          progress: shop.progress,
          models: [],
          isGatewayAvailable: () => true,
          keyRotationDays: 30,
          notOpen: undefined,
        })()
      ).parts['signed log'];
    expect(await ask()).toBe('ok');
    await shop.db.updateTable('log_checkpoints').set({ size: 0, note: null }).execute();
    expect(await ask()).toMatch(/^\d+ events are not signed, the oldest for 72\d\d s$/);
  });

  test('names a reaction that is behind, and a clock that differs from that of the database', async () => {
    const shop = await openShopForTest({ projecting: true, reacting: true });
    await change([shop], oudSaffronMajlis, add());
    await placedBy(shop, 'meera');
    await expect.poll(async () => (await partsOf(shop))['reactions']).toBe('ok');
    await shop.pool.query(`update shop.reactions set position = 0, held_until = clock_timestamp() + interval '5 s', holder = 'who hangs'
      where name = 'order-mails'`);
    const watched = { ...shop, now: () => instant(new Date(Date.now() + 7_200_000).toISOString()) };
    const ask = createReadiness({
      shop: watched,
      progress: shop.progress,
      models: [],
      isGatewayAvailable: () => true,
      keyRotationDays: 30,
      notOpen: undefined,
    });
    const { isReady, parts } = await ask();
    expect(isReady).toBe(true);
    expect(parts['reactions']).toMatch(/\border-mails is 2 events and 72\d\d s behind/);
    expect(parts['database']).toMatch(/^the clock of this process is 7(?:199|2\d\d) s ahead of the database's$/);
  });
});

test('a process stays ready, with or without followers, whatever others write to a shared EventStoreDB', async () => {
  // Each request has its own connection, because an idle one may be closed while the double writes.
  const statusAt = async ({ url }: TestShop): Promise<number | undefined> => {
    const [response] = (await once(get(`${url}/readyz`, { agent: false }), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const statuses = () => Promise.all([projecting, serving].map(statusAt));
  await expect.poll(statuses).toEqual([200, 200]);
  // The search takes two seconds for this many events, which is longer than a part has to answer.
  server.searchFor(100);
  for (let times = 0; times < 2; times++) {
    // The events are written in small parts, because the double and both shops share a thread.
    for (let part = 0; part < 40; part++) {
      server.writeAsNeighbour(1_000);
      await setImmediate();
    }
    expect(await statuses()).toEqual([200, 200]);
  }
});
