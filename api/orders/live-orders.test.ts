import { randomUUID } from 'node:crypto';
import type { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { START, type LogPosition } from '#domain/event-store.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { getCookieHeader } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { listenTo } from '../testing/server-sent-events.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { MOST_PAGES, openLiveOrders } from './live-orders.ts';
import { admin, ordering, sameBrowser, signedInAs, signedUp } from './testing/ordering.ts';

const shop = await openShopForFile({ people: { admin }, projecting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);

const liveAt = ({ url }: { url: string }, id: string): string => `${url}/api/order/${id}/live`;

test("an order's page gets the order when it opens and when staff move it, in every process, until the shopper signs out", async () => {
  const alice = await signedUp(shop, 'alice@example.com');
  const { _id } = await alice.buy();
  const page = await listenTo(liveAt(other, _id), getCookieHeader(alice));
  await page.hears('retry: 1000', 'event: order', '"status":"pending"');
  await desk.move(_id, 'confirmed', 'Packed by Ravi');
  await page.hears('"status":"confirmed"', 'Packed by Ravi');
  await alice.post('/api/user/logout', {});
  // Another process remembers a session for half a second.
  await pause(1_000);
  await desk.move(_id, 'shipped');
  await expect(page.hears('shipped')).rejects.toThrow('ended');
});

test("a prepaid order's page gets the payment", async () => {
  const guest = ordering(shop);
  const { _id } = await guest.buy({}, 'Prepaid');
  const page = await listenTo(liveAt(shop, _id), getCookieHeader(guest));
  await page.hears('"status":"due"');
  const link = await guest.payLink(_id);
  await guest.post(`/dev/payments/${link}/pay`, {});
  await page.hears('"status":"paid"');
  await page.cancel();
});

test('nobody else gets it, and a shopper or an address a limited number of streams', async () => {
  const alice = await signedUp(shop, 'alice2@example.com');
  const { _id } = await alice.buy();
  for (const stranger of [ordering(shop), await signedUp(shop, 'bob@example.com')])
    expect(await stranger.get(`/api/order/${_id}/live`)).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  expect((await desk.get(`/api/order/${_id}/live`)).status).toBe(204);

  const refusal = async (at: typeof alice, id: string) => {
    const { status, headers } = await at.get(`/api/order/${id}/live`);
    return [status, headers['retry-after']];
  };
  const open = (at: typeof alice, id: string) => listenTo(liveAt(shop, id), getCookieHeader(at));
  const pages = await Promise.all(Array.from({ length: MOST_PAGES.shopper }, () => open(alice, _id)));
  expect(await refusal(alice, _id)).toEqual([429, '10']);
  while (pages.length < MOST_PAGES.address) {
    const guest = ordering(shop);
    const { _id: id } = await guest.draft();
    const room = Math.min(MOST_PAGES.shopper, MOST_PAGES.address - pages.length);
    pages.push(...(await Promise.all(Array.from({ length: room }, () => open(guest, id)))));
  }
  const late = ordering(shop);
  const { _id: id } = await late.draft();
  expect(await refusal(late, id)).toEqual([429, '10']);
  await pages.pop()?.cancel();
  await expect.poll(async () => (await fetch(liveAt(shop, id), { headers: { Cookie: getCookieHeader(late) } })).status).toBe(200);
  await Promise.all(pages.map((page) => page.cancel()));
});

test('a change that could not be read, or a page whose session could not be looked up, is asked for again', async () => {
  const { _id } = await ordering(shop).buy();
  let [loads, troubles] = [0, 0];
  let advance: (position: LogPosition) => void = () => {};
  const live = openLiveOrders({
    ...shop,
    load: (...args) => {
      if (++loads === 2) throw new Error('The log is away');
      return shop.load(...args);
    },
    progress: { onAdvance: (_, listener) => ((advance = listener), () => {}) },
    myOrders: { marksOf: async () => new Map([[_id, `${Math.min(loads, 1)}`]]) },
    onTrouble: () => void troubles++,
  });
  onTestFinished(() => live.close());
  const heard = (page: PassThrough): string => String(page.read() ?? '');
  const watcher = { id: _id, shopper: shopperId(randomUUID()), address: '127.0.0.1' };
  const page = live.watch({ ...watcher, mayStill: async () => true });
  let text = '';
  const hears = async (times: number) => expect.poll(() => (text += heard(page)).split('event: order').length - 1).toBe(times);
  await hears(1);
  advance(START);
  await expect.poll(() => troubles).toBe(1);
  advance(START);
  await hears(2);
  const lost = live.watch({ ...watcher, mayStill: () => Promise.reject(new Error('The database is away')) });
  lost.resume();
  await hears(3);
  await expect.poll(() => lost.readableEnded).toBe(true);
});

test('open pages do not keep the server from closing', async () => {
  const guest = ordering(other);
  const { _id } = await guest.draft();
  const page = await listenTo(liveAt(other, _id), getCookieHeader(sameBrowser(guest, other)));
  await other.close();
  await expect(page.hears('never')).rejects.toThrow(/ended|terminated/);
});
