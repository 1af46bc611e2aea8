import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { LogPosition } from '#domain/event-store.ts';
import { paise } from '#domain/shared/money.ts';
import { details, oudSaffronMajlis, remove, revise } from '#domain/testing/products.ts';

import { holdTheClock, passTime } from '../accounts/testing/accounts-shop.ts';
import { alice, signUp } from '../accounts/testing/people.ts';
import { cartEvents, change, countItems } from '../cart/testing/shopping.ts';
import { openTwoShops } from '../cart/testing/two-shops.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { isLogInPostgres } from '../testing/test-shop.ts';
import { orderEvents, ordering, sameBrowser, type OrderingBrowser } from './testing/ordering.ts';

const { shop, other, stock } = await openTwoShops();
let at: OrderingBrowser;
let id: string;
let before: LogPosition;

beforeEach(async () => {
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis, quantity: 2 });
  id = (await at.create()).order._id;
  before = await shop.store.head(['order', 'cart']);
});

const happened = async () => (await orderEvents(shop, before)).map(({ type }) => type);
const happenedToCarts = async () => (await cartEvents(shop, before)).map(({ type }) => type);

describe('placing an order', () => {
  test('sets number, time and delivery window, and empties the cart', async () => {
    const { status, order } = await at.place(id, { method: 'Prepaid', paid: true, status: 'delivered', total: 1 });
    expect(status).toBe(200);
    expect(order).toMatchObject({
      _id: id,
      status: 'pending',
      paymentMethod: 'Prepaid',
      orderNumber: expect.stringMatching(/^RH-[2-9A-HJKMNP-Z]{8}$/),
      placedAt: expect.any(String),
      estimatedDelivery: { from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      total: 8142,
      history: [{ status: 'created' }, { status: 'pending' }],
    });
    expect((await at.cart()).body).toEqual({ items: [], totalCartValue: 0 });
    expect(await at.order(id)).toMatchObject({ status: 200, body: order });
    expect(await happened()).toEqual(['OrderPlaced']);
    expect(await happenedToCarts()).toEqual(['OrderedItemsTaken']);
  });

  test('sets the position cookie for order and cart', async () => {
    await at.place(id);
    const [[placed], [taken]] = [await orderEvents(shop, before), await cartEvents(shop, before)];
    const position = decodeURIComponent(at.cookies.get('pos') ?? '').split('~');
    expect(position).toEqual(expect.arrayContaining([`order.${placed?.position}`, `cart.${taken?.position}`]));
  });

  test('leaves lines added since in the cart', async () => {
    await at.add({ _id: oudSaffronMajlis });
    await at.add({ _id: 'ruh-gulab' });
    await at.place(id);
    expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 1, 'ruh-gulab': 1 });
  });

  test('again returns the same order, and removes nothing more from the cart', async () => {
    const first = await at.place(id);
    await at.add({ _id: oudSaffronMajlis });
    expect(await at.place(id)).toMatchObject({ status: 200, body: first.body });
    expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 1 });
    expect(await happened()).toEqual(['OrderPlaced']);
  });

  test('sets the position cookie even if the first response was lost', async () => {
    const lost = sameBrowser(at, shop);
    await lost.place(id);
    await at.place(id);
    expect(at.cookies.get('pos')).toContain(/order\.\d+/.exec(lost.cookies.get('pos') ?? '')?.[0]);
  });

  test('with a wrong payment method is refused', async () => {
    for (const method of [undefined, 'Card', 'cod', null, ['COD'], { $ne: '' }])
      expect(await at.place(id, { method })).toMatchObject({ status: 400, body: { errors: { method: expect.any(String) } } });
    expect(await happened()).toEqual([]);
  });

  test('that does not exist is not found', async () => {
    const missing = { status: 404, body: { message: 'Order not found', code: 'order_not_found' } };
    for (const none of ['0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4', 'x', '%27--', id.toUpperCase()])
      expect(await at.place(none)).toMatchObject(missing);
    expect(await happened()).toEqual([]);
  });
});

describe('a draft whose bottles another order has taken meanwhile', () => {
  /** Checks out more bottles in another tab, and places that order first. */
  const orderElsewhere = async (elsewhere = at) => {
    await elsewhere.add({ _id: oudSaffronMajlis });
    return (await elsewhere.place((await elsewhere.create()).order._id)).order;
  };
  const asks = (first: { readonly _id: string; readonly orderNumber: string | null }) => ({
    status: 409,
    body: {
      code: 'already_ordered',
      message: `You ordered these today, ${first.orderNumber}. Place this order anyway only if you want both.`,
      orderNumber: first.orderNumber,
      orderId: first._id,
    },
  });

  test('is placed only when the shopper says so', async () => {
    const first = await orderElsewhere(sameBrowser(at, other));
    for (const again of [undefined, false]) expect(await at.place(id, { method: 'COD', again })).toMatchObject(asks(first));
    for (const again of [null, 1, 'true', {}]) expect((await at.place(id, { method: 'COD', again })).status).toBe(400);
    expect(await happened()).toEqual(['OrderCreated', 'OrderPlaced']);
    const second = await at.place(id, { method: 'COD', again: true });
    expect(second).toMatchObject({ status: 200, order: { _id: id, status: 'pending' } });
    expect(second.order.orderNumber).not.toBe(first.orderNumber);
    expect(await at.place(id)).toMatchObject({ status: 200, body: second.body });
  });

  test.each(['before', 'after'])('is placed only when the shopper says so if they sign in %s the other order', async (when) => {
    await at.add({ _id: 'ruh-gulab' });
    const { order } = await at.create();
    await at.update('ruh-gulab', { quantity: 2 });
    if (when === 'after') await at.place(order._id);
    await signUp({ codeFor: (email) => mailedCode(shop, email) }, at, { ...alice, email: `${when}@example.com` });
    const { order: first } = await at.place(order._id);
    expect(await at.place(id)).toMatchObject(asks(first));
  });

  test('is placed unasked when the other order has none of its perfumes', async () => {
    await at.remove(oudSaffronMajlis);
    await at.add({ _id: 'ruh-gulab' });
    expect((await at.place((await at.create()).order._id)).status).toBe(200);
    expect((await at.place(id)).status).toBe(200);
  });

  test('is placed unasked when the other order was cancelled', async () => {
    await at.cancel((await orderElsewhere())._id);
    expect((await at.place(id)).status).toBe(200);
  });

  test('is placed unasked when the cart was filled again, or after a new checkout', async () => {
    await orderElsewhere();
    await at.add({ _id: oudSaffronMajlis, quantity: 2 });
    const { order: later } = await at.create();
    expect((await at.place(id)).status).toBe(200);
    expect((await at.cart()).cart.items).toEqual([]);
    expect(await at.place(later._id)).toMatchObject({ status: 409, body: { orderId: id } });
    const { _id } = await at.draft();
    await at.remove(oudSaffronMajlis);
    expect((await at.place(_id)).status).toBe(200);
  });

  test('is placed unasked on the next day', async () => {
    holdTheClock();
    try {
      await at.update(oudSaffronMajlis, { quantity: 4 });
      id = (await at.create()).order._id;
      passTime(1_000);
      const first = await orderElsewhere();
      passTime(9 * 3_600_000);
      expect(await at.place(id)).toMatchObject(asks(first));
      passTime(3_600_000);
      expect((await at.place(id)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('later catalogue changes do not affect an order', async () => {
  await stock('kewra', { details: details({ name: 'Kewra' }), price: paise(1_000_00) });
  await at.add({ _id: 'kewra' });
  id = (await at.create()).order._id;
  const { order } = await at.place(id);
  await change([shop], 'kewra', revise({ price: paise(9_000_00), changes: { name: 'Kewra Extrait' } }), remove());
  expect((await at.order(id)).order).toEqual(order);
});

test('a draft holds its prices for a day, and can then be refreshed', async () => {
  holdTheClock();
  try {
    await at.update(oudSaffronMajlis, { quantity: 3 });
    id = (await at.create()).order._id;
    passTime(24 * 3_600_000 + 1);
    expect(await at.place(id)).toMatchObject({ status: 409, body: { code: 'order_expired' } });
    expect((await at.create()).order._id).toBe(id);
    expect(await at.place(id)).toMatchObject({ status: 200, order: { status: 'pending' } });
  } finally {
    vi.useRealTimers();
  }
});

describe('concurrently', () => {
  test('fifty requests to place one order through two instances place it once, with equal responses', async () => {
    const there = sameBrowser(at, other);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? there : at).place(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await happened()).toEqual(['OrderPlaced']);
    expect(await happenedToCarts()).toEqual(['OrderedItemsTaken']);
    for (const each of [at, there]) expect((await each.cart()).cart.items).toEqual([]);
  });
});

// A lock on the log makes both requests decide on the draft, so this needs the log in Postgres.
test.runIf(isLogInPostgres)(
  'a request that waits longer than placing may take returns the order that another placed meanwhile',
  async () => {
    const client = await shop.pool.connect();
    const waiting = async () =>
      (await shop.pool.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount;
    try {
      await client.query('begin');
      await client.query('lock table log.events in share mode');
      const answers = [at, sameBrowser(at, other)].map((browser) => browser.place(id));
      await expect.poll(waiting).toBeGreaterThan(1);
      holdTheClock();
      passTime(365 * 24 * 3_600_000);
      await client.query('commit');
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      vi.useRealTimers();
      client.release();
    }
    expect(await happened()).toEqual(['OrderPlaced']);
  },
);

// A trigger makes the append fail, so this needs the log in Postgres.
test.runIf(isLogInPostgres)(
  'an order stays placed if its lines cannot be removed from the cart; placing it again removes them',
  async () => {
    const refuse = `create function refuse_taking() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`;
    await shop.pool.query(refuse);
    await shop.pool.query(`create trigger refuse_taking before insert on log.events for each row
    when (new.type = 'OrderedItemsTaken') execute function refuse_taking()`);
    const placed = await at.place(id);
    await shop.pool.query('drop function refuse_taking cascade');
    expect(placed).toMatchObject({ status: 200, order: { status: 'pending' } });
    expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 2 });
    expect(await at.place(id)).toMatchObject({ status: 200, body: placed.body });
    expect((await at.cart()).cart.items).toEqual([]);
  },
);
