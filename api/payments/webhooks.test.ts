import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { order } from '#domain/order/order.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { moveTo } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { dueOrders } from '#projections/orders/desk-payments.ts';

import { change } from '../cart/testing/shopping.ts';
import { bySystem, paymentStream } from '../orders/order-payment.ts';
import { orderStream } from '../orders/order-stream.ts';
import { admin, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { GatewayUnavailable } from './gateway/gateway.ts';
import type { TestGateway } from './gateway/test-gateway.ts';
import type { Payments } from './payment-service.ts';

let shop: TestShop;
let desk: OrderingBrowser;
let gateway: TestGateway;
let payments: Payments;
beforeAll(async () => {
  shop = await openTestShop({ people: { admin } });
  await change([shop], oudSaffronMajlis, add());
  desk = await signedInAs(shop, admin);
  const { testGateway, payments: opened } = shop.payments;
  if (!testGateway || !opened) throw new Error('There is no gateway');
  [gateway, payments] = [testGateway, opened];
});
afterAll(() => shop.close());
afterEach(() => vi.restoreAllMocks());

const bought = async (method: 'COD' | 'Prepaid' = 'Prepaid') => {
  const at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis });
  const { order } = await at.create();
  const { order: placed } = await at.place(order._id, { method });
  return { at, id: placed._id, total: paise(placed.total * 100) };
};
const linkOf = async ({ at, id }: { at: OrderingBrowser; id: OrderId }): Promise<string> => {
  const { url } = (await at.post(`/api/order/pay/${id}`, {})).body as { url: string };
  return url.slice(url.lastIndexOf('/') + 1);
};
const eventsOf = async (id: OrderId) => (await shop.store.read<PaymentEvent>(paymentStream(id))).events.map(({ type }) => type);
const eventually = (read: () => Promise<unknown>, wanted: unknown) =>
  vi.waitFor(async () => expect(await read()).toEqual(wanted), { timeout: 20_000, interval: 100 });

describe('a webhook', () => {
  test('that a refund was refused counts once, however often it comes', async () => {
    const mine = await bought();
    await gateway.pay(await linkOf(mine));
    gateway.holdRefunds();
    await mine.at.cancel(mine.id);
    const { refunds } = (await mine.at.order(mine.id)).order.payment;
    const reference = refunds[0]?._id ?? '';
    const [payment] = reference.split('-');
    const refund = { id: 'rfnd_1', payment: payment ?? '', amount: mine.total, status: 'refused', reference } as const;
    const refused = { kind: 'refund_refused', eventId: 'event_1', link: undefined, reference: mine.id, refund } as const;
    await Promise.all(Array.from({ length: 20 }, () => payments.take(refused)));
    await payments.take(refused);
    expect((await eventsOf(mine.id)).filter((type) => type === 'RefundRefused')).toHaveLength(1);
    await gateway.settleRefunds();
  });

  test('that names the page alone pays its order', async () => {
    const mine = await bought();
    const link = await linkOf(mine);
    const payment = { id: 'pay_ofLink', amount: mine.total, method: 'upi', at: shop.now(), status: 'captured' } as const;
    await payments.take({ kind: 'captured', eventId: 'event_2', link, reference: undefined, payment });
    expect((await mine.at.order(mine.id)).order.payment.status).toBe('paid');
  });

  test('of money for an order that is paid on delivery sends it back, and the order stays as it was', async () => {
    const { at, id, total } = await bought('COD');
    const { order: placed } = await at.order(id);
    const { id: link } = await gateway.openLink({ reference: id, number: 'RH-1', amount: total, returnTo: 'http://localhost/' });
    await gateway.pay(link);
    await eventually(() => eventsOf(id), ['PaymentCaptured', 'RefundRequested', 'RefundSettled']);
    expect((await at.order(id)).order).toEqual(placed);
    const { body } = await desk.get('/api/admin/orders');
    expect((body as { orders: { _id: string; payment: unknown }[] }).orders.find(({ _id }) => _id === id)?.payment).toEqual(placed.payment);
  });
});

describe('the work on payments', () => {
  test('goes on although the gateway gives no answer about some orders', { timeout: 60_000 }, async () => {
    const all = await Promise.all(Array.from({ length: 5 }, async () => bought()));
    const orders = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const last = orders.pop();
    if (!last) throw new Error('There is no order');
    await linkOf(last);
    const without = new Map<string, number>();
    for (const each of orders) without.set(await linkOf(each), 0);
    const closeLink = gateway.closeLink.bind(gateway);
    vi.spyOn(gateway, 'closeLink').mockImplementation((link) => {
      const times = without.get(link);
      if (times === undefined) return closeLink(link);
      without.set(link, times + 1);
      return Promise.reject(new GatewayUnavailable('An answer that cannot be read'));
    });
    for (const { at, id } of orders) await at.cancel(id);
    await eventually(() => Promise.resolve([...without.values()].every((times) => times > 1)), true);
    await last.at.cancel(last.id);
    await eventually(() => eventsOf(last.id), ['PaymentRequested', 'PaymentLinkClosed']);
  });

  test('leaves orders alone that were shipped before anybody could pay in advance', async () => {
    const { id } = await bought();
    const moved = await shop.execute(order, orderStream(id), moveTo('confirmed', { isPaid: true }), bySystem(`test-${id}`));
    await shop.progress.waitFor('orders-desk', moved.position ?? (await shop.store.head(['order'])), 10_000);
    const until = instant(new Date(Date.now() + 60_000).toISOString());
    expect(await dueOrders(shop.read.pool, { until, after: undefined, isReminder: false })).not.toContain(id);
  });
});
