import { randomInt } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { OrderEvent } from '#domain/order/events.ts';
import { orderStream } from '#domain/order/order.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { drawOrderNumber, type OrderId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { moveTo, place } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { PASSWORD } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import { createBeforeErasure } from '../orders/before-erasure.ts';
import { admin, ordering, sameBrowser, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { toOrder } from '../orders/testing/placing.ts';
import { catchUp, openShopForFile, openTestShop, type TestShop } from '../testing/test-shop.ts';
import type { StepName } from './steps.ts';
import { findDifferences, join, mailsTo, personCalled, type Person } from './testing/person.ts';

const running = { people: { admin }, projecting: true, reacting: true };
let atStep: ((step: StepName) => void) | undefined;
const shop = await openShopForFile({ ...running, onErasureStep: (step) => atStep?.(step) });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
await change([shop, other], oudSaffronMajlis, add());
const staff = await signedInAs(shop, admin);
expect((await staff.send('PUT', `/api/admin/stock/${oudSaffronMajlis}`, { body: { count: 1_000 } })).status).toBe(200);

const gatewayOf = ({ payments: { testGateway = expect.fail('There is no gateway') } }: TestShop) => testGateway;
const erase = (at: OrderingBrowser) => at.post('/api/user/erase', { password: PASSWORD });
const orderAt = async (id: OrderId) => (await staff.order(id)).order;
const eventsOf = async (id: OrderId) => (await shop.store.read<OrderEvent>(orderStream(id))).events;
const reserved = async () => {
  const { body } = await staff.get(`/api/admin/stock/${oudSaffronMajlis}`);
  return (body as { stock: { reserved: number } }).stock.reserved;
};

const member = async (who: Person, by: TestShop = shop) => {
  const at = ordering(by);
  await join(by, at, who);
  const buy = async () => (await at.buy({ shipping: who.shipping }))._id;
  const buyPaid = async () => {
    const { _id: id } = await at.buy({ shipping: who.shipping }, 'Prepaid');
    const link = await at.payLink(id);
    await gatewayOf(by).pay(link);
    await expect.poll(async () => (await at.order(id)).order.payment.status).toBe('paid');
    return { id, link };
  };
  return { at, buy, buyPaid };
};

const refunded = (total: number) => ({
  status: 'cancelled',
  payment: { status: 'refunded', amount: total, refunded: total, refunds: [{ amount: total, status: 'settled' }] },
});

describe('the erasure of an account', () => {
  test('cancels what has not shipped, and refunds what was paid, also while the gateway is away; what was delivered stays', async () => {
    const who = personCalled('Rehana');
    const { at, buy, buyPaid } = await member(who);
    const before = await reserved();
    const delivered = await buy();
    for (const status of ['confirmed', 'shipped', 'delivered']) await staff.move(delivered, status);
    await expect.poll(() => mailsTo(shop, who.shipping.email)).toBe(4);
    const [cash, packed, paid, paidAndPacked] = [await buy(), await buy(), await buyPaid(), await buyPaid()];
    for (const id of [packed, paidAndPacked.id]) expect((await staff.move(id, 'confirmed')).status).toBe(200);
    const { _id: due, total } = await at.buy({ shipping: who.shipping }, 'Prepaid');
    const page = await at.payLink(due);
    const { _id: draft } = await at.draft({ shipping: who.shipping });
    await expect.poll(reserved).toBe(before + 5);

    gatewayOf(shop).beUnreachable();
    expect((await erase(at)).status).toBe(200);
    for (const id of [cash, packed, paid.id, paidAndPacked.id, due]) {
      const { status, history } = await orderAt(id);
      expect([status, history.at(-1)?.note]).toEqual(['cancelled', 'The shopper’s data were erased']);
    }
    expect((await orderAt(paid.id)).payment).toMatchObject({ status: 'refunding', refunded: 0 });
    gatewayOf(shop).beReachable();
    for (const { id } of [paid, paidAndPacked]) await expect.poll(() => orderAt(id)).toMatchObject(refunded(total));
    await expect.poll(async () => (await shop.load(payment, paymentStream(due))).state.link).toBeNull();
    await expect.poll(reserved).toBe(before);

    // The page was closed at the gateway, which takes money all the same.
    await gatewayOf(shop).pay(page);
    await gatewayOf(shop).pay(paid.link, { amount: paise(1_23) });
    await expect.poll(() => orderAt(due)).toMatchObject(refunded(total));
    await expect.poll(async () => (await orderAt(paid.id)).payment.refunded).toBe(total + 1.23);

    expect((await orderAt(delivered)).status).toBe('delivered');
    expect((await eventsOf(draft)).map(({ type }) => type)).toEqual(['OrderCreated']);
    const { body } = await staff.get('/api/admin/invoices?limit=200');
    const { invoices } = body as { invoices: { orderId: string }[] };
    expect(invoices.map(({ orderId }) => orderId)).toEqual([delivered]);
    await catchUp(shop);
    expect(await mailsTo(shop, who.shipping.email)).toBe(0);
    expect(await findDifferences(shop)).toEqual([]);
  });

  test('changes nothing while a parcel is on its way, and says what to do', async () => {
    const { at, buy, buyPaid } = await member(personCalled('Nazneen'));
    const [parcel, paid] = [await buy(), await buyPaid()];
    for (const status of ['confirmed', 'shipped']) await staff.move(parcel, status);
    expect(await erase(at)).toMatchObject({
      status: 409,
      body: {
        code: 'order_is_open',
        message: `Order ${(await orderAt(parcel)).orderNumber} is on its way and needs its address. Nothing was erased or cancelled: please ask again once it is delivered.`,
      },
    });
    expect((await at.order(paid.id)).order).toMatchObject({ status: 'pending', payment: { status: 'paid' } });
    const { rows } = await shop.pool.query(`select from shop.erasures where finished_at is null`);
    expect(rows).toEqual([]);
    await staff.move(parcel, 'delivered');
    expect((await erase(at)).status).toBe(200);
  });

  test('goes on when the shop starts again after it was killed between cancelling and erasing', async () => {
    const killed = await openTestShop({
      ...running,
      onErasureStep: (step) => (step === 'orders that have not shipped' ? expect.fail('Killed') : undefined),
    });
    await change([killed], oudSaffronMajlis, add());
    const { at, buyPaid } = await member(personCalled('Afreen'), killed);
    const { id } = await buyPaid();
    await catchUp(killed);
    gatewayOf(killed).beUnreachable();
    expect((await erase(at)).status).toBe(202);
    await killed.close();
    const next = await openTestShop({ ...running, databaseUrl: killed.databaseUrl });
    onTestFinished(() => next.close());
    const desk = await signedInAs(next, admin);
    const { total, shippingAddress } = (await desk.order(id)).order;
    expect(shippingAddress.name).toBe('erased');
    await expect.poll(async () => (await desk.order(id)).order).toMatchObject(refunded(total));
  });

  test('cancels an order that a request places while the account is being erased', async () => {
    const who = personCalled('Shaista');
    const { at, buy } = await member(who);
    await buy();
    const { _id: id } = await at.draft({ shipping: who.shipping });
    const [created = expect.fail('no order')] = await eventsOf(id);
    const by = 'shopper' in created.data ? created.data.shopper : expect.fail('no shopper');
    const placed = place({ by, number: drawOrderNumber(randomInt), now: shop.now() });
    let placing: Promise<unknown> | undefined;
    atStep = (step) => {
      if (step === 'orders that have not shipped') placing = toOrder(shop, id, placed);
    };
    expect((await erase(at)).status).toBe(200);
    atStep = undefined;
    await placing;
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['OrderCreated', 'OrderPlaced', 'OrderCancelled']);
  });

  test('waits until a parcel that is being handed over is on its way, and then changes nothing', async () => {
    const { at, buy } = await member(personCalled('Mehnaz'));
    const id = await buy();
    await staff.move(id, 'confirmed');
    const [created = expect.fail('no order')] = await eventsOf(id);
    const shopper = 'shopper' in created.data ? created.data.shopper : expect.fail('no shopper');
    let erasing: ReturnType<typeof erase> | undefined;
    await createBeforeErasure(other.db)(shopper, async () => {
      erasing = erase(at);
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(1);
      await toOrder(other, id, moveTo('shipped'));
    });
    expect(await erasing).toMatchObject({ status: 409, body: { code: 'order_is_open' } });
  });

  test('or the parcel comes first, in whichever process: twenty times nothing ships of somebody erased', async () => {
    const desks = [staff, sameBrowser(staff, other)];
    for (let round = 0; round < 20; round++) {
      const { at, buy } = await member(personCalled(`Racer${round}x`));
      const id = await buy();
      const [desk = staff, isFirst] = [desks[round % 2], round % 4 < 2];
      // A desk that has two steps to go is usually later than the erasure.
      if (isFirst) await desk.move(id, 'confirmed');
      const handOver = async () => (isFirst || (await desk.move(id, 'confirmed'))) && desk.move(id, 'shipped');
      const [erased, shipped] = await Promise.all([erase(at), handOver()]);
      const outcome = [erased.status, shipped && shipped.status, (await orderAt(id)).status].join(' ');
      expect(['200 409 cancelled', '409 200 shipped']).toContain(outcome);
    }
  });
});
