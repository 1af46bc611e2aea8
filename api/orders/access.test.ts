import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { hashOf } from '../accounts/testing/people.ts';
import { admin, auditor, orderEvents, ordering, signedInAs, signedUp, type OrderingBrowser } from './testing/ordering.ts';

let shop: TestShop;
let alice: OrderingBrowser;
let bob: OrderingBrowser;
let guest: OrderingBrowser;
/** Alice placed `placed`; she only checked out `draft`; the guest created the third. */
let placed: string;
let draft: string;
let guestOrder: string;

beforeAll(async () => {
  shop = await openTestShop({ people: { admin, auditor }, projecting: true });
  await change([shop], oudSaffronMajlis, add());
  alice = await signedUp(shop, 'alice@example.com');
  bob = await signedUp(shop, 'bob@example.com');
  guest = ordering(shop);
  placed = (await alice.buy())._id;
  draft = (await alice.draft())._id;
  guestOrder = (await guest.draft())._id;
});
afterAll(() => shop.close());

const MISSING = { message: 'Order not found', code: 'order_not_found' };

describe('an order can be read', () => {
  test('by its owner, user or visitor', async () => {
    for (const id of [placed, draft]) expect(await alice.order(id)).toMatchObject({ status: 200, order: { _id: id } });
    expect(await guest.order(guestOrder)).toMatchObject({ status: 200, order: { _id: guestOrder } });
    expect((await alice.order(placed)).headers['cache-control']).toBe('no-store');
  });

  test('by an admin, only while they are one', async () => {
    const at = await signedInAs(shop, admin);
    expect((await at.order(placed)).status).toBe(200);
    const mine = [await hashOf(shop, admin.email)];
    await shop.pool.query(`update shop.users set roles = '{}' where address_hash = $1`, mine);
    const answers = [await at.order(placed), await at.move(placed, 'confirmed')];
    await shop.pool.query(`update shop.users set roles = '{owner}' where address_hash = $1`, mine);
    expect(answers.map(({ status }) => status)).toEqual([404, 403]);
  });

  test.each([
    ['owner', 200, true],
    ['orders', 200, true],
    ['money', 200, false],
    ['auditor', 200, false],
    ['catalogue', 403, false],
  ])('by staff with the role %s: %i, and moved by owner and orders only', async (role, status, moves) => {
    const email = `${role}@example.com`;
    const at = await signedUp(shop, email);
    await shop.pool.query('update shop.users set roles = $1 where address_hash = $2', [[role], await hashOf(shop, email)]);
    for (const path of [`get-order/${placed}`, `${placed}/explain`]) expect((await at.get(`/api/order/${path}`)).status).toBe(status);
    expect((await at.get('/api/admin/orders')).status).toBe(status);
    const { body } = await at.get(`/api/order/get-order/${placed}`);
    expect(JSON.stringify(body).includes('shippingAddress')).toBe(status === 200);
    // The order is not packed yet, so whoever may move it is told that it cannot arrive.
    expect((await at.move(placed, 'delivered')).status).toBe(moves ? 409 : 403);
  });

  test('by no other shopper, who cannot change it either', async () => {
    const stranger = ordering(shop);
    const before = (await orderEvents(shop)).length;
    for (const [at, ids] of [
      [stranger, [placed, draft, guestOrder]],
      [bob, [placed, draft, guestOrder]],
      [guest, [placed, draft]],
      [alice, [guestOrder]],
    ] as const) {
      for (const id of ids) {
        const answers = [await at.order(id), await at.place(id), await at.cancel(id), await at.giveBack(id)];
        for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 404, body: MISSING });
      }
    }
    expect(stranger.setCookies).toEqual([]);
    expect(await orderEvents(shop)).toHaveLength(before);
  });

  test('by its id only, not by its number', async () => {
    const { orderNumber } = (await alice.order(placed)).order;
    expect(await bob.order(String(orderNumber))).toMatchObject({ status: 404, body: MISSING });
    expect(await alice.order(String(orderNumber))).toMatchObject({ status: 404, body: MISSING });
  });
});

test("staff act as staff: neither admins nor auditors place, cancel or return another's order", async () => {
  const refusals = [
    [admin, 404],
    // Auditors are read-only.
    [auditor, 403],
  ] as const;
  for (const [who, refusal] of refusals) {
    const at = await signedInAs(shop, who);
    for (const { status } of [await at.place(draft), await at.cancel(placed), await at.giveBack(placed)]) expect(status).toBe(refusal);
  }
});

test('a form on another site cannot order', async () => {
  const before = (await orderEvents(shop)).length;
  const sent = { headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' } };
  expect((await alice.post('/api/order/create-order', '{}', sent)).status).toBe(403);
  expect((await alice.get(`/api/order/cancel/${placed}`)).status).toBeGreaterThanOrEqual(404);
  expect(await orderEvents(shop)).toHaveLength(before);
});
