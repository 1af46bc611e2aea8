import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';

import type { StreamName } from '#domain/event-store.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { computeBill } from '#domain/order/totals.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { mismatchText } from '#domain/payment/view.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { formatRupees, paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { moveTo } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { dueOrders } from '#projections/orders/payment-work.ts';

import { change } from '../cart/testing/shopping.ts';
import { bySystem } from '../orders/order-payment.ts';
import { admin, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { catchUp, openShopForFile, openShopForTest } from '../testing/test-shop.ts';
import { openLogger } from '../platform/logger.ts';
import { GatewayUnavailable } from './gateway/gateway.ts';
import { newTestId } from './gateway/test-gateway-rows.ts';
import { computeSignature } from './gateway/webhook.ts';
import { paymentsWith } from './payment-service.ts';
import { PaymentWorker } from './payment-worker.ts';

const shop = await openShopForFile({ people: { admin }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);
const { testGateway: gateway = expect.fail(), payments = expect.fail() } = shop.payments;
afterEach(() => vi.restoreAllMocks());

const bought = async (method: 'COD' | 'Prepaid' = 'Prepaid') => {
  const at = ordering(shop);
  const placed = await at.buy({}, method);
  return { at, id: placed._id, total: paise(placed.total * 100) };
};
const linkOf = ({ at, id }: { at: OrderingBrowser; id: OrderId }): Promise<string> => at.payLink(id);
const eventsOf = async (id: OrderId) => (await shop.store.read<PaymentEvent>(paymentStream(id))).events.map(({ type }) => type);

/** Sends a webhook with Razorpay's body and signature. */
const send = async (
  event: string,
  entities: Readonly<Record<string, object>>,
  eventId: string = randomUUID(),
  at = shop,
): Promise<number> => {
  const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  const rawBody = Buffer.from(JSON.stringify({ entity: 'event', event, payload }));
  const secret = (await readFile(path.join(shop.dataDir, 'payments-webhook-secret'), 'utf8')).trim();
  const headers = {
    'content-type': 'application/json',
    'x-razorpay-signature': computeSignature(rawBody, secret),
    'x-razorpay-event-id': eventId,
  };
  return (await fetch(`${at.url}/api/payment/webhook`, { method: 'POST', headers, body: rawBody })).status;
};
const paymentEntity = (order: string, amount: number, id = newTestId('pay')) => ({
  id,
  amount,
  currency: 'INR',
  method: 'upi',
  created_at: Math.floor(Date.now() / 1_000),
  notes: { order_id: order },
});
const mismatchesOf = async (stream: StreamName) => (await shop.load(payment, stream)).state.mismatches;

describe('a signed webhook', () => {
  test('pays its order once, although it arrives twenty times at once and again after a restart', async () => {
    const { at, id, total } = await bought();
    const captured = { payment: paymentEntity(id, total) };
    const eventId = randomUUID();
    const again = (where = shop) => send('payment.captured', captured, eventId, where);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => again())))).toEqual(new Set([200]));
    const restarted = await openShopForTest({ people: { admin }, databaseUrl: shop.databaseUrl });
    expect(await again(restarted)).toBe(200);
    expect(await eventsOf(id)).toEqual(['PaymentCaptured']);
    expect((await at.order(id)).order.payment).toMatchObject({ status: 'paid', refunded: 0, refunds: [] });
  });

  test('of an unknown kind is accepted and ignored', async () =>
    expect(await send('settlement.processed', { settlement: { id: 'setl_1' } })).toBe(200));

  test('that cannot be read is accepted and logged, and changes nothing', async () => {
    const before = await shop.store.head(['payment']);
    expect(await send('payment.captured', { payment: { id: 'pay_1' } })).toBe(200);
    const log = openLogger('silent');
    const error = vi.spyOn(log, 'error');
    await paymentsWith({ ...shop, gateway, publicUrl: shop.url, window: 86_400_000, log }).take({ eventId: 'evt_1', kind: 'unreadable' });
    expect(error).toHaveBeenCalledWith({ event: 'evt_1' }, expect.stringContaining('cannot be read'));
    expect(await shop.store.head(['payment'])).toBe(before);
  });

  test.each([
    ['payment.captured', 'payment', '₹500.00 came for no order of this shop'],
    ['payment.failed', 'payment', 'A payment of ₹500.00 for no order of this shop failed'],
    ['refund.processed', 'refund', '₹500.00 were refunded for no order of this shop'],
    ['refund.failed', 'refund', 'A refund of ₹500.00 for no order of this shop was refused'],
    ['payment_link.cancelled', 'payment_link', 'A payment page was closed that belongs to no order of this shop'],
  ])('%s for an unknown order is reported as a mismatch', async (event, name, sentence) => {
    const id = newTestId('pay');
    const entity = {
      payment: paymentEntity(randomUUID(), 500_00, id),
      refund: { id, payment_id: 'pay_Elsewhere', amount: 500_00, notes: [], status: 'processed' },
      payment_link: { id, amount: 500_00, reference_id: 'another-shop', notes: {}, status: 'cancelled' },
    }[name];
    expect(await send(event, { [name]: entity ?? {} })).toBe(200);
    expect((await mismatchesOf(`payment-${id}`)).map(mismatchText)).toEqual([sentence]);
    await catchUp(shop);
    const { payments: listed } = (await desk.get('/api/admin/payments?status=mismatch')).body as { payments: readonly object[] };
    expect(listed).toContainEqual(expect.objectContaining({ orderId: null, mismatch: sentence }));
  });

  test.each([
    ['payment.captured', 'payment.method', { method: 'u\0pi' }],
    ['payment.captured', 'payment.notes.word', { notes: { word: 'a\0' } }],
    ['payment.captured', 'payment.notes.wo\uFFFDrd', { notes: { 'wo\0rd': 'a' } }],
    ['payment.failed', 'payment.error_description', { error_description: 'No \ud800 funds' }],
    ['payment.failed', 'payment.description', { description: '\udc00\ud800' }],
    ['refund.processed', 'payment.id', { id: 'pay_\0' }],
  ])('%s whose %j cannot be stored is one mismatch with its reason', async (event, where, changes) => {
    const { id, total } = await bought();
    const sound = paymentEntity(id, total);
    const payment = { ...sound, ...changes, notes: { ...sound.notes, ...('notes' in changes && changes.notes) } };
    const refund = { id: newTestId('rfnd'), payment_id: sound.id, amount: total, notes: [], status: 'processed' };
    for (let time = 0; time < 2; time++) expect(await send(event, { refund, payment })).toBe(200);
    await catchUp(shop);
    const { payments: listed } = (await desk.get('/api/admin/payments?status=mismatch')).body as { payments: { mismatch: string }[] };
    const mismatch = `The gateway's news ${event} could not be booked: ${where} has a character that cannot be stored. Please look there`;
    // Without an order the list has its row by itself.
    const orderId = where === 'payment.id' ? null : id;
    expect(listed.filter((row) => row.mismatch.startsWith(mismatch))).toMatchObject([{ orderId }]);
    expect((await shop.read.pool.query('select 1 from read.parked')).rowCount).toBe(0);
    // The payment is found when the gateway is asked.
    if (event === 'payment.captured') expect(await send(event, { payment: sound })).toBe(200);
  });

  const elsewhere = (paid: { readonly id: string }, amount: number) => ({
    refund: { id: newTestId('rfnd'), payment_id: paid.id, amount, notes: [], status: 'processed' },
    payment: paid,
  });
  const refundOf = (amount: number) => ({ amount: amount / 100, reason: 'Refunded at the gateway', status: 'settled' });

  test.each([['after'], ['before']])(
    'of a refund made at the gateway itself refunds its order, also %s that of the payment',
    async (when) => {
      const { at, id, total } = await bought();
      const paid = paymentEntity(id, total);
      const parts = [elsewhere(paid, 50_00), elsewhere(paid, total - 50_00)];
      if (when === 'after') await send('payment.captured', { payment: paid });
      for (const part of parts) for (let time = 0; time < 2; time++) expect(await send('refund.processed', part)).toBe(200);
      if (when === 'before') await send('payment.captured', { payment: paid });
      expect((await at.order(id)).order.payment).toMatchObject({
        status: 'refunded',
        refunded: total / 100,
        refunds: [refundOf(50_00), refundOf(total - 50_00)],
      });
      const again = await desk.send('PUT', `/api/admin/order/${id}/refund`, { body: { amount: 1, reason: 'Broken' } });
      expect(again).toMatchObject({ status: 409, body: { message: 'More than was paid' } });
      await catchUp(shop);
      const { payments: listed } = (await desk.get('/api/admin/payments?status=mismatch')).body as { payments: { orderId: string }[] };
      expect(listed.find(({ orderId }) => orderId === id)).toMatchObject({
        mismatch: parts
          .map(({ refund }) => `${formatRupees(paise(refund.amount))} were refunded at the gateway itself, as ${refund.id}`)
          .join('. '),
      });
      const orders = (await desk.get('/api/admin/orders')).body as { orders: { _id: string; mismatch?: string }[] };
      expect(orders.orders.find(({ _id }) => _id === id)?.mismatch).toContain('50.00 were refunded at the gateway itself');
    },
  );

  test('of a refund made at the gateway itself leaves the rest to be returned by cancelling', async () => {
    const { at, id, total } = await bought();
    const paid = paymentEntity(id, total);
    await send('payment.captured', { payment: paid });
    await send('refund.processed', elsewhere(paid, 50_00));
    expect((await at.order(id)).order.payment.status).toBe('partly_refunded');
    await at.cancel(id);
    expect((await at.order(id)).order.payment.refunds).toMatchObject([refundOf(50_00), { amount: (total - 50_00) / 100 }]);
  });

  test('of a refund that the shop has just asked for is never one made at the gateway itself', async () => {
    const mine = await bought();
    await gateway.pay(await linkOf(mine));
    const refund = gateway.refund.bind(gateway);
    // The webhook arrives before the answer.
    const answering = vi.spyOn(gateway, 'refund').mockImplementation(async (asked) => {
      const answer = await refund(asked);
      await expect.poll(() => eventsOf(mine.id)).toContain('RefundSettled');
      return answer;
    });
    expect((await desk.send('PUT', `/api/admin/order/${mine.id}/refund`, { body: { amount: 50, reason: 'Broken' } })).status).toBe(200);
    await expect.poll(() => eventsOf(mine.id)).toContain('RefundSettled');
    await Promise.allSettled(answering.mock.results.map(({ value }) => value as Promise<unknown>));
    expect((await mine.at.order(mine.id)).order.payment).toMatchObject({
      refunded: 50,
      refunds: [{ reason: 'Broken', status: 'settled' }],
    });
    expect(await mismatchesOf(paymentStream(mine.id))).toEqual([]);
  });

  test('is not needed for a refund made at the gateway itself, which is found when the gateway is asked', async () => {
    const mine = await bought();
    const link = await linkOf(mine);
    await gateway.pay(link);
    await gateway.refundAtGateway(link, { amount: paise(50_00), webhook: 'never' });
    await gateway.refundAtGateway(link, { amount: paise(60_00), webhook: 'never' });
    for (let time = 0; time < 2; time++)
      expect((await mine.at.post(`/api/order/check-payment/${mine.id}`, {})).body).toMatchObject({
        payment: { status: 'partly_refunded', refunded: 110, refunds: [refundOf(50_00), refundOf(60_00)] },
      });
    expect(await mismatchesOf(paymentStream(mine.id))).toHaveLength(2);
  });

  test('is not needed for a refund made at the gateway itself while the shop makes one too', async () => {
    const mine = await bought();
    const link = await linkOf(mine);
    await gateway.pay(link);
    await gateway.refundAtGateway(link, { amount: paise(50_00), webhook: 'never' });
    await mine.at.cancel(mine.id);
    await expect
      .poll(async () => (await mine.at.order(mine.id)).order.payment)
      .toMatchObject({ status: 'refunded', refunded: mine.total / 100 });
    expect((await mismatchesOf(paymentStream(mine.id))).map(({ kind }) => kind)).toEqual(['refunded_elsewhere']);
  });
});

describe('a webhook', () => {
  test('of a refused refund counts once, even when it is replayed under other event ids, which are not signed', async () => {
    const mine = await bought();
    const { at, id, total } = mine;
    // The gateway knows this payment, so that it does not refuse the refund itself.
    const link = await gateway.pay(await linkOf(mine));
    const paid = paymentEntity(id, total, link?.payments[0]?.id);
    gateway.holdRefunds();
    await at.cancel(id);
    await expect.poll(() => eventsOf(id)).toContain('RefundRequested');
    const [{ _id: reference } = { _id: '' }] = (await at.order(id)).order.payment.refunds;
    const refund = { id: newTestId('rfnd'), payment_id: paid.id, amount: total, notes: { refund_reference: reference }, status: 'failed' };
    for (let time = 0; time < 5; time++) expect(await send('refund.failed', { refund, payment: paid })).toBe(200);
    const { refunds, mismatches } = (await shop.load(payment, paymentStream(id))).state;
    expect([refunds, mismatches]).toMatchObject([[{ refusals: 1 }], []]);
    await gateway.settleRefunds();
  });

  test('that names only the page pays its order', async () => {
    const mine = await bought();
    const link = await linkOf(mine);
    const payment = { id: 'pay_ofLink', amount: mine.total, method: 'upi', at: shop.now(), status: 'captured' } as const;
    await payments.take({ kind: 'captured', eventId: 'event_2', link, reference: undefined, payment });
    expect((await mine.at.order(mine.id)).order.payment.status).toBe('paid');
  });
});

describe('the payment worker', () => {
  test('tries a refused refund again after 5, 20 and 60 s, and then tells the staff', async () => {
    const slow = await openShopForTest({ people: { admin }, projecting: true });
    await change([slow], oudSaffronMajlis, add());
    const { payments: told, testGateway } = slow.payments;
    if (!told || !testGateway) throw new Error('There is no gateway');
    const at = ordering(slow);
    const { _id: id } = await at.buy({}, 'Prepaid');
    await testGateway.pay(await at.payLink(id));
    await at.cancel(id);
    // As the reaction does, which does not run here.
    const { state } = await slow.load(order, orderStream(id));
    if (state.status === 'none') throw new Error('There is no order');
    const refund = { type: 'RefundExcess', bill: computeBill(state), now: slow.now() } as const;
    await slow.execute(payment, paymentStream(id), refund, bySystem(`refund-${id}`));
    testGateway.refuseRefunds(99);
    const begun = Date.now();
    let seconds = 0;
    const now = () => instant(new Date(begun + seconds * 1_000).toISOString());
    const parts = {
      ...slow,
      now,
      deadlineClock: async () => now(),
      gateway: testGateway,
      payments: told,
      reminder: 0,
      window: 86_400_000,
      log: openLogger('silent'),
    };
    const [one, other] = [new PaymentWorker(parts), new PaymentWorker(parts)];
    const refunding = vi.spyOn(testGateway, 'refund');
    const triedAt: number[] = [];
    for (seconds of [0, 4, 5, 24, 25, 84, 85, 199]) {
      // There are two processes, and one of them may be ahead of the read model.
      await slow.progress.waitFor('orders-desk', await slow.store.head(['order', 'payment']), 60_000);
      const before = refunding.mock.calls.length;
      await Promise.all([one.round(), other.round()]);
      for (let tried = before; tried < refunding.mock.calls.length; tried++) triedAt.push(seconds);
    }
    expect(triedAt.map((at) => at - (triedAt[0] ?? 0))).toEqual([0, 5, 25, 85]);
    expect((await slow.load(payment, paymentStream(id))).state).toMatchObject({
      refunds: [{ status: 'refused', refusals: 4 }],
      mismatches: [{ kind: 'refund_refused' }],
    });
  });

  test('notices without a webhook that a pending refund was refused', async () => {
    const mine = await bought();
    await gateway.pay(await linkOf(mine));
    gateway.holdRefunds();
    await mine.at.cancel(mine.id);
    const [refund] = (await mine.at.order(mine.id)).order.payment.refunds;
    const from = refund?._id.split('-')[0] ?? '';
    await expect.poll(async () => (await gateway.refundsOf(from)).map(({ status }) => status)).toEqual(['pending']);
    const take = vi.spyOn(payments, 'take').mockResolvedValue();
    await gateway.settleRefunds('refused');
    // Refunds of other tests may be pending too.
    const told = take.mock.calls.filter(([news]) => 'reference' in news && news.reference === mine.id);
    take.mockRestore();
    let ahead = 120_000;
    const later = () => instant(new Date(Date.now() + ahead).toISOString());
    const parts = {
      ...shop,
      now: later,
      deadlineClock: async () => later(),
      gateway,
      payments,
      reminder: 3_600_000,
      window: 86_400_000,
      log: openLogger('silent'),
    };
    await new PaymentWorker(parts).round();
    const refusals = async () => (await eventsOf(mine.id)).filter((type) => type === 'RefundRefused').length;
    expect(await refusals()).toBe(1);
    // The webhook arrives after all.
    expect(told).toMatchObject([[{ kind: 'refund_refused', reference: mine.id }]]);
    for (const [late] of told) await payments.take(late);
    expect(await refusals()).toBe(1);
    ahead += 10_000;
    await new PaymentWorker(parts).round();
    expect(await eventsOf(mine.id)).toContain('RefundSettled');
  });

  test('continues although the gateway gives no answer about some orders', async () => {
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
    await expect.poll(() => Promise.resolve([...without.values()].every((times) => times > 1))).toEqual(true);
    await last.at.cancel(last.id);
    await expect.poll(() => eventsOf(last.id)).toEqual(['PaymentRequested', 'PaymentLinkClosed']);
  });

  test('ignores orders that were shipped before prepaid orders were offered', async () => {
    const { id } = await bought();
    await shop.execute(order, orderStream(id), moveTo('confirmed'), bySystem(`test-${id}`));
    await catchUp(shop);
    const until = instant(new Date(Date.now() + 60_000).toISOString());
    expect(await dueOrders(shop.read.db, { until, after: undefined, isReminder: false })).not.toContain(id);
  });

  test('cancels what needs no gateway while the gateway is unreachable and other orders wait for it', async () => {
    const paged = await Promise.all(Array.from({ length: 5 }, () => bought()));
    for (const each of paged) await linkOf(each);
    const { at, id } = await bought();
    await catchUp(shop);
    gateway.beUnreachable();
    for (const each of paged) expect((await each.at.post(`/api/order/check-payment/${each.id}`, {})).status).toBe(503);
    expect(gateway.isAvailable()).toBe(false);
    const later = () => instant(new Date(Date.now() + 120_000).toISOString());
    const parts = {
      ...shop,
      now: later,
      deadlineClock: async () => later(),
      gateway,
      payments,
      reminder: 0,
      window: 60_000,
      log: openLogger('silent'),
    };
    await new PaymentWorker(parts).round();
    gateway.beReachable();
    expect((await at.order(id)).order.status).toBe('cancelled');
    for (const each of paged) expect((await each.at.order(each.id)).order.status).toBe('pending');
  });
});
