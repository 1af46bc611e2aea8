import { beforeEach, expect, test } from 'vitest';

import type { LogPosition } from '#domain/event-store.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { form, orderEvents, ordering, type OrderingBrowser } from './testing/ordering.ts';

/** This shop has the limits of production. */
const shop = await openShopForFile({ people: { rateLimitFactor: 1 }, projecting: true });
await change([shop], oudSaffronMajlis, add());
let at: OrderingBrowser;
let before: LogPosition;

beforeEach(async () => {
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis });
  before = await shop.store.head(['order']);
});

test('a shopper can create or change thirty drafts a minute; one more is refused without effect', async () => {
  const draft = (number: number) => at.create({ ...form, giftMessage: `Draft ${number}` });
  for (let number = 1; number <= 30; number++) expect((await draft(number)).status).toBe(201);
  const refused = await draft(31);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' }, headers: { 'retry-after': expect.any(String) } });
  expect(await orderEvents(shop, before)).toHaveLength(30);
  // An existing, unchanged draft does not count again.
  expect((await draft(30)).status).toBe(201);

  const somebodyElse = ordering(shop);
  await somebodyElse.add({ _id: oudSaffronMajlis });
  expect((await somebodyElse.create()).status).toBe(201);
});

test('forty clicks on one checkout count once', async () => {
  const click = async (): ReturnType<typeof at.create> => {
    const answer = await at.create();
    // With a remote store and a busy machine a request that waits too long gets a 503.
    return answer.status === 503 ? click() : answer;
  };
  const answers = await Promise.all(Array.from({ length: 40 }, click));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
  expect(new Set(answers.map(({ order }) => order._id)).size).toBe(1);
  expect(await orderEvents(shop, before)).toHaveLength(1);
});
