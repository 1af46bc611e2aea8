import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { created, confirmed, shipped, delivered, returned, cancelled } from '#domain/testing/orders.ts';
import { capture, refund as refundCommand } from '#domain/testing/payments.ts';
import { NO_STREAM } from '#domain/event-store.ts';

import { getCookieHeader, type Answer } from '../../accounts/testing/browser.ts';
import { admin as ADMIN, auditor as AUDITOR, signedInAs, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { catchUp, openShopForFile, openShopForTest, openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { deliveredOrder, metadata, orderWith, paidOrder, pay, paymentEvents, type DeskOrder } from './testing/desk-orders.ts';

const shop = await openShopForFile({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true });
const admin = await signedInAs(shop, ADMIN);

const put = (id: string, what: 'refund' | 'cash', body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  admin.send('PUT', `/api/admin/order/${id}/${what}`, { body, headers });
const refund = (id: string, amount: unknown = 100, reason: unknown = 'A broken bottle') => put(id, 'refund', { amount, reason });
const draft = async (...since: readonly OrderEvent[]): Promise<string> => {
  const id = randomUUID();
  await shop.store.append(`order-${id}`, NO_STREAM, [created(), ...since], metadata());
  return id;
};

describe('a refund by the desk', () => {
  test('is requested, and the order is the answer', async () => {
    const { id } = await paidOrder(shop);
    const { status, body } = await refund(id, 1_033.5);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _id: id,
      payment: { status: 'refunding', refunded: 0, refunds: [{ amount: 1_033.5, reason: 'A broken bottle', status: 'requested' }] },
    });
    expect(admin.cookies.get('pos')).toMatch(/payment\.\d+/);
    const { body: read } = await admin.get(`/api/order/get-order/${id}`);
    expect((read as OrderView).payment).toEqual((body as OrderView).payment);
  });

  test('never exceeds what was paid', async () => {
    const { id } = await paidOrder(shop);
    expect(await refund(id, 11_033.01)).toMatchObject({ status: 409, body: { message: 'More than was paid' } });
    expect((await refund(id, 11_000)).status).toBe(200);
    expect(await refund(id, 34)).toMatchObject({ status: 409, body: { message: 'More than was paid' } });
    const rest = await Promise.all([refund(id, 33), refund(id, 33), refund(id, 33)]);
    expect(rest.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const unpaid = await orderWith(shop, 'Prepaid');
    expect((await refund(unpaid.id)).status).toBe(409);
  });

  test('is refused for a wrong amount or reason', async () => {
    const { id } = await paidOrder(shop);
    for (const amount of [0, -1, 1.234, 0.001, '5', null, true, 1e21, 1e9 + 1])
      expect(await refund(id, amount)).toMatchObject({ status: 400, body: { errors: { amount: expect.stringMatching(/\S/) } } });
    for (const reason of ['', '  \u200b', 'x'.repeat(501), null, 5])
      expect(await refund(id, 5, reason)).toMatchObject({ status: 400, body: { errors: { reason: expect.stringMatching(/\S/) } } });
    expect((await refund(id, 5, 'x'.repeat(500))).status).toBe(200);
  });

  test.each(['refund', 'cash'] as const)('and %s answer 404 for a draft and for an unknown order', async (what) => {
    for (const id of [await draft(), await draft(cancelled()), randomUUID(), 'nothing'])
      expect(await put(id, what, { amount: 5, reason: 'x' })).toMatchObject({ status: 404, body: { message: 'Order not found' } });
  });

  test('is made for an erased shopper, without its reason', async () => {
    const other = await openShopForTest({ people: { admin: ADMIN }, projecting: true });
    const there = await signedInAs(other, ADMIN);
    const mine = await paidOrder(other);
    await other.keys.erase(mine.bill.shopper);
    const refund = (amount: number) => there.send('PUT', `/api/admin/order/${mine.id}/refund`, { body: { amount, reason: 'Meera asked' } });
    expect(await refund(5)).toMatchObject({ status: 200, body: { payment: { refunds: [{ amount: 5, reason: 'erased' }] } } });
    expect(await refund(11_033)).toMatchObject({ status: 409, body: { message: 'More than was paid' } });
    expect((await paymentEvents(other, mine.id)).at(-1)).toMatchObject({ type: 'RefundRequested', data: { kind: 'desk', reason: '' } });
  });
});

describe('the cash of an order', () => {
  const collect = (id: string, amount: unknown = 11_033) => put(id, 'cash', { amount });

  test('is booked once', async () => {
    const { id } = await deliveredOrder(shop);
    const first = await collect(id);
    expect(first).toMatchObject({ status: 200, body: { payment: { status: 'collected', method: 'cash', amount: 11_033 } } });
    const again = await collect(id, 5);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    const today = dateInIndia(instant(new Date().toISOString()));
    expect(await paymentEvents(shop, id)).toMatchObject([{ type: 'CashCollected', data: { collectedOn: today, reference: '' } }]);
  });

  test('cannot be booked before delivery, nor for a prepaid order', async () => {
    const onItsWay = await orderWith(shop, 'COD', [confirmed(), shipped()]);
    expect(await collect(onItsWay.id)).toMatchObject({ status: 409, body: { code: 'not_delivered' } });
    expect(await collect((await paidOrder(shop)).id)).toMatchObject({ status: 409, body: { code: 'not_paid_on_delivery' } });
    expect(await collect((await deliveredOrder(shop)).id, '5')).toMatchObject({
      status: 400,
      body: { errors: { amount: expect.any(String) } },
    });
  });
});

type Row = { orderId: string | null; status: string; amount: number; at: string; mismatch?: string };
type Page = { payments: Row[]; nextCursor: string | null };

describe('the list of payments', () => {
  let desk: TestShop;
  let staff: OrderingBrowser;
  const at = (second: number) => instant(`2026-11-15T10:00:0${second}.000Z`);
  const placedAt = (second: number, method: 'COD' | 'Prepaid', since: Parameters<typeof orderWith>[2] = []) =>
    orderWith(desk, method, since, at(second));
  let due: DeskOrder, paid: DeskOrder, short: DeskOrder, onDelivery: DeskOrder, never: DeskOrder, refunding: DeskOrder;

  beforeAll(async () => {
    desk = await openTestShop({ people: { admin: ADMIN }, projecting: true });
    staff = await signedInAs(desk, ADMIN);
    due = await placedAt(1, 'Prepaid');
    paid = await placedAt(2, 'Prepaid');
    short = await placedAt(3, 'Prepaid');
    onDelivery = await placedAt(3, 'COD');
    never = await placedAt(4, 'Prepaid', [cancelled()]);
    refunding = await placedAt(5, 'Prepaid');
    const captured = (of: DeskOrder, amount = of.bill.total) =>
      pay(desk, of.id, {
        type: 'CapturePayment',
        bill: of.bill,
        payment: `pay_${of.number}`,
        amount,
        method: 'upi',
        at: at(6),
        now: at(6),
      });
    await pay(desk, due.id, { type: 'RequestPayment', bill: due.bill, link: { id: 'l', url: 'https://e' }, now: at(6) });
    await captured(paid);
    // `paid` is paid a second time: the second payment is refunded, and the order stays paid by the first.
    await pay(desk, paid.id, capture({ bill: paid.bill, payment: 'pay_again', method: 'card', at: at(6), now: at(6) }));
    await captured(short, paise(1_00));
    await captured(refunding);
    await pay(desk, refunding.id, refundCommand({ bill: refunding.bill, amount: paise(1_00), reason: 'x', now: at(6) }));
    for (const id of ['pay_none', 'pay_zero'])
      await pay(desk, id, { type: 'ReportUnknown', news: 'came', amount: paise(5_00), method: '=HYPERLINK("http://e")', now: at(6) });
    await catchUp(desk);
    // The unknown payment gets the time of two orders, which is later than that of one other.
    await desk.read.pool.query(`update ${nameTable(ordersDesk, 'unknown_payments')} set at = $1`, [at(3)]);
  });
  afterAll(() => desk.close());

  const page = async (query = ''): Promise<Page> => {
    const { status, body } = await staff.get(`/api/admin/payments${query}`);
    expect(status).toBe(200);
    return body as Page;
  };
  const idsOf = async (query: string): Promise<(string | null)[]> => (await page(query)).payments.map(({ orderId }) => orderId);

  test('shows every placed order and payments without an order, newest first, with the amounts of the orders', async () => {
    const { payments, nextCursor } = await page();
    expect(nextCursor).toBeNull();
    expect(payments.map(({ status }) => status)).toEqual([
      'refunding',
      'cancelled',
      ...(short.id > onDelivery.id ? ['due', 'on_delivery'] : ['on_delivery', 'due']),
      'mismatch',
      'mismatch',
      'paid',
      'due',
    ]);
    expect(payments[0]).toStrictEqual({
      orderId: refunding.id,
      orderNumber: refunding.number,
      status: 'refunding',
      amount: 11_033,
      received: 11_033,
      method: 'upi',
      at: expect.stringMatching(/Z$/),
    });
    expect(payments[1]).toStrictEqual({
      orderId: never.id,
      orderNumber: never.number,
      status: 'cancelled',
      amount: 11_033,
      received: 0,
      method: null,
      at: at(4),
    });
    expect(payments[6]).toMatchObject({ orderId: paid.id, received: 22_066, method: 'upi' });
    expect(payments[4]).toStrictEqual({
      orderId: null,
      orderNumber: null,
      status: 'mismatch',
      amount: 5,
      received: 5,
      method: '=HYPERLINK("http://e")',
      at: at(3),
      mismatch: '₹5.00 came for no order of this shop',
    });
  });

  test('filters by status and by mismatch', async () => {
    const latest = [short, onDelivery].map(({ id }) => id);
    expect(await idsOf('?status=due')).toEqual([latest[0], due.id]);
    expect(await idsOf('?status=on_delivery')).toEqual([latest[1]]);
    expect(await idsOf('?status=paid')).toEqual([paid.id]);
    // The second payment of the order that was paid twice is being refunded.
    expect(await idsOf('?status=refunding')).toEqual([refunding.id, paid.id]);
    expect(await idsOf('?status=cancelled')).toEqual([never.id]);
    for (const none of ['collected', 'refunded', 'partly_refunded']) expect(await idsOf(`?status=${none}`)).toEqual([]);
    const { payments } = await page('?status=mismatch');
    expect(payments.map(({ orderId, mismatch }) => [orderId, mismatch])).toEqual([
      [short.id, 'Paid ₹1.00 of ₹11,033.00'],
      [null, '₹5.00 came for no order of this shop'],
      [null, '₹5.00 came for no order of this shop'],
    ]);
  });

  test('has the cash that couriers owe for parcels that left, whatever came back later, with its sum', async () => {
    expect(await page('?status=with_couriers')).toStrictEqual({ payments: [], nextCursor: null, owed: 0 });
    const away = await openTestShop({ people: { admin: ADMIN }, projecting: true });
    const left = [confirmed(), shipped()];
    const owed = [
      await orderWith(away, 'COD', left, at(2)),
      await orderWith(away, 'COD', [...left, delivered()], at(3)),
      await orderWith(away, 'COD', [...left, delivered(), returned()], at(4)),
    ];
    for (const since of [[], [confirmed()], [cancelled()]]) await orderWith(away, 'COD', since);
    await orderWith(away, 'Prepaid', left);
    const collected = await deliveredOrder(away);
    const clerk = await signedInAs(away, ADMIN);
    await clerk.send('PUT', `/api/admin/order/${collected.id}/cash`, { body: { amount: 11_033 } });
    await expect
      .poll(async () => (await clerk.get('/api/admin/payments?status=with_couriers')).body)
      .toMatchObject({
        payments: owed.toReversed().map(({ id: orderId }) => ({ orderId, amount: 11_033, received: 0 })),
        owed: 33_099,
      });
    const couriers = ['Delhivery', ' delhivery ', 'Blue Dart'];
    for (const courier of couriers) await orderWith(away, 'COD', [confirmed(), shipped('', undefined, { courier })], at(5));
    const row = (changes: object) => expect.objectContaining({ parcel: expect.objectContaining(changes) });
    await expect
      .poll(async () => (await clerk.get('/api/admin/payments/summary')).body)
      .toMatchObject({
        with_couriers: {
          count: 6,
          amount: 66_198,
          since: at(2),
          couriers: [
            { courier: expect.stringMatching(/^delhivery$/i), count: 2, amount: 22_066 },
            { courier: 'Blue Dart', count: 1, amount: 11_033 },
            { courier: '', count: 3, amount: 33_099 },
          ],
        },
        paid_today: { count: 1, amount: 11_033 },
      });
    expect((await clerk.get('/api/admin/payments?status=with_couriers')).body).toMatchObject({
      owed: 66_198,
      payments: expect.arrayContaining([row({ courier: 'Blue Dart', to: 'Meera Nair, Kochi', deliveredAt: null })]),
    });
    expect((await clerk.get('/api/admin/payments?status=paid_today')).body).toMatchObject({ payments: [{ orderId: collected.id }] });
    const answer = await clerk.get('/api/admin/payments?status=with_couriers&limit=1');
    expect(answer.body).toMatchObject({ payments: [{ amount: 11_033 }], owed: 66_198, nextCursor: expect.any(String) });
    await away.close();
  });

  test('has sums that are those of its lists, to the paisa', async () => {
    const sums = (await staff.get('/api/admin/payments/summary')).body;
    const amounts = async (status: string) => (await page(`?status=${status}`)).payments.map(({ amount }) => amount);
    const [dues, mismatches] = [await amounts('due'), await amounts('mismatch')];
    expect(sums).toStrictEqual({
      due: { count: dues.length, amount: dues.reduce((all, each) => all + each), since: at(1) },
      paid_today: { count: 0, amount: 0 },
      with_couriers: { count: 0, amount: 0, since: null, couriers: [] },
      // The second payment of one order, and ₹1.00 of another.
      refunding: { count: 2, amount: 11_034, since: at(6) },
      mismatch: { count: mismatches.length, unknown: 2 },
    });
  });

  test.each(['', '?status=mismatch', '?status=due'])('comes in pages that neither repeat nor skip a row: %s', async (query) => {
    const whole = (await page(query)).payments;
    for (const limit of [1, 2, 3]) {
      const found: Row[] = [];
      let path: string | undefined = `/api/admin/payments${query}${query ? '&' : '?'}limit=${limit}`;
      while (path !== undefined) {
        const { body, headers }: Answer = await staff.get(path);
        const { payments } = body as Page;
        expect(payments.length).toBeLessThanOrEqual(limit);
        found.push(...payments);
        path = /<(.+)>; rel="next"/.exec(String(headers['link']))?.[1];
      }
      expect(found).toEqual(whole);
    }
  });

  test('reads only as many orders as it shows', async () => {
    await desk.read.pool.query(
      `insert into ${nameTable(payments, 'payment_statuses')} select gen_random_uuid(), $1, 'COD', false, 'collected', false, false, null, null from generate_series(1, 20000)`,
      [at(9)],
    );
    await desk.read.pool.query(`analyze ${nameTable(payments, 'payment_statuses')}`);
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    await page('?status=on_delivery');
    // The other queries ask who signed in, and how far the read model is.
    const question = asked.mock.calls
      .map(([first]) => first as unknown as { text?: string })
      .find(({ text }) => text?.includes('payment_statuses'));
    asked.mockRestore();
    const { rows } = await desk.read.pool.query({ ...question, text: `explain (analyze, buffers) ${question?.text}` });
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    await desk.read.pool.query(`delete from ${nameTable(payments, 'payment_statuses')} where status = 'collected'`);
    expect(Number(/shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(50);
  });

  test.each([
    'status=none',
    'status=all',
    'limit=0',
    'cursor=nothing',
    `cursor=${Buffer.from('9'.repeat(15) + ' ?x').toString('base64url')}`,
  ])('refuses the query %s', async (query) => {
    const [name = ''] = query.split('=');
    expect(await staff.get(`/api/admin/payments?${query}`)).toMatchObject({
      status: 400,
      body: { errors: { [name]: expect.any(String) } },
    });
  });

  test('can be downloaded as a CSV file in which a spreadsheet executes nothing', async () => {
    const answer = await fetch(`${desk.url}/api/admin/payments.csv`, { headers: { cookie: getCookieHeader(staff) } });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"');
    const lines = Buffer.from(await answer.arrayBuffer())
      .toString()
      .split('\r\n');
    expect(lines[0]).toBe('\uFEFFOrder Number,Status,Amount,Received,Refunded,Method,At,Mismatch');
    expect(lines).toHaveLength(10);
    expect(lines[1]).toMatch(new RegExp(`^${refunding.number},refunding,11033\\.00,11033\\.00,0\\.00,upi,2`));
    expect(lines[5]).toBe(`,mismatch,5.00,5.00,0.00,"'=HYPERLINK(""http://e"")",${at(3)},₹5.00 came for no order of this shop`);
  });

  test('counts a payment as received only once it was captured, even if its earlier failure is reported late', async () => {
    const late = { type: 'ReportUnknown', amount: paise(7_00), method: 'upi', now: at(7) } as const;
    for (const news of ['failed', 'refunded', 'refund_refused'] as const) await pay(desk, `pay_${news}`, { ...late, news });
    await pay(desk, 'pay_none', { ...late, news: 'failed' });
    await catchUp(desk);
    const answer = await fetch(`${desk.url}/api/admin/payments.csv`, { headers: { cookie: getCookieHeader(staff) } });
    const cells = (await answer.text()).split('\r\n').map((line) => line.split(','));
    const ofNone = cells.filter(([number, status]) => number === '' && status === 'mismatch').map((line) => line.slice(2, 5));
    expect(ofNone.toSorted()).toEqual([
      ['5.00', '5.00', '0.00'],
      ['5.00', '5.00', '0.00'],
      ['7.00', '0.00', '0.00'],
      ['7.00', '0.00', '0.00'],
      ['7.00', '0.00', '7.00'],
    ]);
  });
});
