import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';

import { openLogger } from '../../platform/logger.ts';
import { orderId } from '#domain/shared/ids.ts';
import { noon } from '#domain/testing/carts.ts';
import { add, oudSaffronMajlis as oud, ruhGulab as gulab } from '#domain/testing/products.ts';
import { stock, type StockCommand, stockStream } from '#domain/stock/stock.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';
import { orderStream } from '#domain/order/order.ts';

import { change } from '../../cart/testing/shopping.ts';
import { admin, form, ordering, signedInAs, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { isLongRun } from '../../testing/long-run.ts';
import { openShopForFile, type TestShop } from '../../testing/test-shop.ts';
import { abandonPlacing } from './abandon-placing.ts';
import { releaseAbandoned } from './release-abandoned.ts';
import { reserve } from './reserve.ts';

/** How often the last bottle is wanted by two at once. */
const ROUNDS = isLongRun ? 50 : 2;

const shop = await openShopForFile({ people: { admin }, projecting: true, reacting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
await change([shop, other], oud, add());
await change([shop, other], gulab, add());
const staff = await signedInAs(shop, admin);

const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } }) as const;
const toStock = (id: typeof oud, command: StockCommand) => shop.execute(stock, stockStream(id), command, metadata());
/** Counts both perfumes anew, without reservations of earlier tests; null means that the perfume is not counted. */
const count = async (bottles: { readonly [product: string]: number | null }): Promise<void> => {
  for (const id of [oud, gulab]) {
    await toStock(id, { type: 'EndCounting', now: noon });
    const quantity = bottles[id] ?? null;
    if (quantity !== null) await toStock(id, { type: 'CountStock', quantity, now: noon });
  }
  const head = await shop.store.head(['stock']);
  for (const each of [shop, other]) expect(await each.catalogue.waitFor(head, 60_000)).toBe('fresh');
};
const stockOf = async (id: typeof oud): Promise<StockView | null> => viewStock((await shop.load(stock, stockStream(id))).state);

const draft = async (bottles: { readonly [product: string]: number }, at = ordering(shop)) => {
  for (const [_id, quantity] of Object.entries(bottles)) await at.add({ _id, quantity });
  const { status, order } = await at.create();
  expect(status).toBe(201);
  return { at, id: orderId(order._id) };
};

describe('a cart with counted perfumes', () => {
  const onlyLeft = async (at: OrderingBrowser): Promise<unknown> => (await at.cart()).cart.items.map((line) => line.onlyLeft ?? 'enough');

  test('accepts more than is available, and shows how many are', async () => {
    await count({ [oud]: 2 });
    const at = ordering(shop);
    expect((await at.add({ _id: oud, quantity: 3 })).status).toBe(200);
    expect(await onlyLeft(at)).toEqual([2]);
    await at.update(oud, { quantity: 2 });
    expect(await onlyLeft(at)).toEqual(['enough']);
    await count({ [oud]: 0 });
    expect(await onlyLeft(at)).toEqual([0]);
    await count({});
    expect(await onlyLeft(at)).toEqual(['enough']);
  });
});

describe('placing an order of counted perfumes', () => {
  test('reserves its bottles once, however often it is sent', async () => {
    await count({ [oud]: 5 });
    const { at, id } = await draft({ [oud]: 2, [gulab]: 1 });
    expect((await Promise.all([at.place(id), at.place(id), at.place(id)])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await at.place(id)).status).toBe(200);
    expect(await stockOf(oud)).toMatchObject({ onHand: 5, reserved: 2, available: 3 });
    expect(await stockOf(gulab)).toBeNull();
    expect((await shop.store.read(stockStream(gulab))).events.some(({ type }) => type === 'StockReserved')).toBe(false);
  });

  test('refuses what is not available, and keeps nothing reserved', async () => {
    await count({ [oud]: 5, [gulab]: 1 });
    const { at, id } = await draft({ [oud]: 2, [gulab]: 1 });
    const { at: faster, id: first } = await draft({ [gulab]: 1 });
    expect((await faster.place(first)).status).toBe(200);
    expect(await at.place(id)).toMatchObject({
      status: 409,
      body: { message: 'Not enough in stock', errors: { [gulab]: 'Out of stock' } },
    });
    expect(await stockOf(oud)).toMatchObject({ reserved: 0 });
    expect(await stockOf(gulab)).toMatchObject({ reserved: 1 });
    await toStock(gulab, { type: 'ReceiveStock', quantity: 1, now: noon });
    expect((await at.place(id)).status).toBe(200);
    expect([await stockOf(oud), await stockOf(gulab)]).toMatchObject([{ reserved: 2 }, { reserved: 2 }]);
  });

  test('is refused again when it is repeated because the response was lost', async () => {
    await count({ [oud]: 2, [gulab]: 1 });
    const { at, id } = await draft({ [oud]: 2, [gulab]: 1 });
    const append = shop.store.append.bind(shop.store);
    const appending = vi.spyOn(shop.store, 'append').mockImplementation(async (stream, ...asked) => {
      // After the placing has looked at the stock, the other process sells the last bottle.
      if (stream === stockStream(gulab))
        await other.execute(stock, stream, { type: 'RemoveStock', quantity: 1, reason: 'Broken', now: noon }, metadata());
      return append(stream, ...asked);
    });
    const key = randomUUID();
    const place = () => at.send('PUT', `/api/order/place-order/${id}`, { body: { method: 'COD' }, headers: { 'Idempotency-Key': key } });
    expect(await place()).toMatchObject({ status: 409, body: { message: 'Not enough in stock' } });
    expect((await shop.store.read(orderStream(id))).events.at(-1)?.type).toBe('PlacingAbandoned');
    // The state is as after a process that died before it stored its response.
    const { rowCount } = await shop.pool.query(`update shop.kept_answers set answer = null, claimed_until = '-infinity'`);
    expect(rowCount).toBeGreaterThan(0);
    appending.mockRestore();
    expect(await place()).toMatchObject({ status: 409, body: { message: 'Not enough in stock' } });
  });
});

describe('a reservation', () => {
  test('is the last bottle once, while it is ordered, cancelled and ordered by somebody else at once', async () => {
    await count({ [oud]: 1 });
    const settlesAt = (orders: () => Promise<number>) =>
      vi.waitFor(
        async () => {
          const reserved = await orders();
          expect(await stockOf(oud)).toMatchObject({ onHand: 1, reserved, available: 1 - reserved });
        },
        { timeout: 60_000, interval: 5 },
      );
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await draft({ [oud]: 1 }), await draft({ [oud]: 1 }, ordering(other))];
      const statuses = async () => Promise.all([one, two].map(async ({ at, id }) => (await at.order(id)).order.status));
      await Promise.all([one.at.place(one.id), one.at.cancel(one.id), two.at.place(two.id)]);
      await settlesAt(async () => (await statuses()).filter((status) => status === 'pending').length);
      await Promise.all([one, two].map(({ at, id }) => at.cancel(id)));
      expect(await statuses()).toEqual(['cancelled', 'cancelled']);
      await settlesAt(async () => 0);
      const head = await shop.store.head(['stock']);
      for (const each of [shop, other]) expect(await each.catalogue.waitFor(head, 60_000)).toBe('fresh');
    }
  });

  test('is released when the order is cancelled, and leaves the stock when the order is shipped', async () => {
    await count({ [oud]: 5 });
    const [one, two] = [await draft({ [oud]: 1 }), await draft({ [oud]: 2 })];
    await one.at.place(one.id);
    await two.at.place(two.id);
    await one.at.cancel(one.id);
    await expect.poll(() => stockOf(oud)).toMatchObject({ onHand: 5, reserved: 2 });
    for (const status of ['confirmed', 'shipped']) expect((await staff.move(two.id, status)).status).toBe(200);
    await expect.poll(() => stockOf(oud)).toEqual({ onHand: 3, reserved: 0, available: 3, lowAt: null });
  });

  test('does not exist for an order placed before counting began', async () => {
    await count({});
    const { at, id } = await draft({ [oud]: 2 });
    await at.place(id);
    await count({ [oud]: 5 });
    for (const status of ['confirmed', 'shipped']) expect((await staff.move(id, status)).status).toBe(200);
    const { at: next, id: later } = await draft({ [oud]: 1 });
    await next.place(later);
    await next.cancel(later);
    await expect.poll(async () => (await shop.store.read(stockStream(oud))).events.at(-1)?.type).toBe('StockReleased');
    expect(await stockOf(oud)).toMatchObject({ onHand: 5, reserved: 0 });
  });
});

describe('a placing that was interrupted after reserving', () => {
  const reserved = async (bottles = 1) => {
    await count({ [oud]: 1 });
    const { at, id } = await draft({ [oud]: bottles });
    const stream = orderStream(id);
    const { head } = await shop.store.read(stream);
    const lines = [{ productId: oud, quantity: bottles }];
    await reserve(shop, { id, head, lines }, metadata());
    expect(await stockOf(oud)).toMatchObject({ available: 0 });
    return { at, id, stream, head, lines };
  };

  test('continues with the same bottles when it is sent again', async () => {
    const { at, id } = await reserved();
    expect((await at.place(id)).status).toBe(200);
    expect(await stockOf(oud)).toMatchObject({ reserved: 1 });
  });

  test('leaves its bottles to its own shopper, who checks out again', async () => {
    const { at, id } = await reserved();
    const { status, order } = await at.create({ ...form, giftWrap: true });
    expect([status, order._id]).toEqual([201, id]);
    expect((await at.place(id)).status).toBe(200);
    expect(await stockOf(oud)).toMatchObject({ onHand: 1, reserved: 1 });
  });

  test('is given up: then it cannot continue, and a new placing reserves anew', async () => {
    const { at, id, stream, head, lines } = await reserved();
    expect(await abandonPlacing(shop, { id, products: [oud] }, metadata())).toBe(false);
    expect(await stockOf(oud)).toMatchObject({ reserved: 0 });
    await expect(reserve(shop, { id, head, lines }, metadata())).rejects.toThrow('is at revision');
    await expect(shop.store.append(stream, head, [{ type: 'OrderClaimed', data: {} }], metadata())).rejects.toThrow('is at revision');
    expect((await at.place(id)).status).toBe(200);
    expect(await abandonPlacing(shop, { id, products: [oud] }, metadata())).toBe(true);
    expect(await stockOf(oud)).toMatchObject({ reserved: 1 });
  });

  test('is given up by the shop after half a minute', async () => {
    const { id } = await reserved();
    const ending = new AbortController();
    let late = 20_000;
    const now = () => new Date(Date.now() + late).toISOString() as ReturnType<TestShop['now']>;
    const looks: number[] = [];
    const reservedProducts = async () => {
      looks.push(late);
      return [oud];
    };
    const working = () =>
      releaseAbandoned({ ...shop, deadlineClock: async () => now(), reservedProducts, log: openLogger('silent') }, ending.signal);
    const first = working();
    await expect.poll(() => looks).toEqual([20_000]);
    await shop.load(stock, stockStream(oud));
    ending.abort();
    await first;
    expect(await stockOf(oud)).toMatchObject({ reserved: 1 });

    late = 31_000;
    const next = new AbortController();
    const second = releaseAbandoned(
      { ...shop, deadlineClock: async () => now(), reservedProducts, log: openLogger('silent') },
      next.signal,
    );
    await expect.poll(() => stockOf(oud)).toMatchObject({ reserved: 0, available: 1 });
    next.abort();
    await second;
    expect((await shop.store.read(orderStream(id))).events.at(-1)?.type).toBe('PlacingAbandoned');
  });

  test('is given up although other orders cannot be read, the newest first', async () => {
    await count({ [oud]: 3 });
    const ids = [orderId('ff000000-0000-4000-8000-000000000000'), orderId(randomUUID()), orderId('00000000-0000-4000-8000-000000000000')];
    for (const [age, id] of [...ids.entries()].toReversed()) {
      const reservedAt = new Date(Date.now() - age * 1_000).toISOString() as ReturnType<TestShop['now']>;
      await toStock(oud, { type: 'ReserveStock', order: id, quantity: 1, orderRevision: -1, now: reservedAt });
    }
    const looks: string[] = [];
    const ending = new AbortController();
    const load = (async (decider, stream) => {
      const looked = ids.find((id) => stream === orderStream(id));
      if (looked !== undefined) looks.push(looked);
      if (looked === ids[1]) throw new Error('Incomplete');
      return shop.load(decider, stream);
    }) as TestShop['load'];
    // For the shop's own job the time is not over yet.
    const deadlineClock = async () => new Date(Date.now() + 60_000).toISOString() as ReturnType<TestShop['now']>;
    const parts = { ...shop, deadlineClock, load, reservedProducts: async () => [oud], log: openLogger('silent') };
    const working = releaseAbandoned(parts, ending.signal);
    await expect.poll(() => stockOf(oud)).toMatchObject({ reserved: 1, available: 2 });
    ending.abort();
    await working;
    expect(looks).toEqual(ids);
  });
});
