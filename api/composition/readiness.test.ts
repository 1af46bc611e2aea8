import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { oudSaffronMajlis, add } from '#domain/testing/products.ts';

import { startEventStoreDbDouble, type EventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { change } from '../cart/testing/shopping.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

let server: EventStoreDbDouble;
let projecting: TestShop;
let serving: TestShop;
beforeAll(async () => {
  server = await startEventStoreDbDouble();
  const eventStoreUrl = server.connectionString;
  projecting = await openTestShop({ eventStoreUrl, projecting: true });
  serving = await openTestShop({ eventStoreUrl, databaseUrl: projecting.databaseUrl });
  await change([projecting, serving], oudSaffronMajlis, add());
}, 120_000);
afterAll(async () => {
  await serving.close();
  await projecting.close();
  server.close();
});

test('a process stays ready, with or without followers, whatever others write to a shared EventStoreDB', { timeout: 120_000 }, async () => {
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
