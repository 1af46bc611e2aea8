import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { mismatchText } from '#domain/payment/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';
import { instant } from '#domain/shared/time.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { form, ordering, signedInAs, signedUp, admin, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { GatewayRefused } from './gateway/gateway.ts';
import { PaymentWorker } from './payment-worker.ts';
import { createDeadlineClock } from '../platform/postgres/database-clock.ts';
import { openLogger } from '../platform/logger.ts';
import { openShopForFile, openShopForTest, openTestShop, type TestShop } from '../testing/test-shop.ts';

const shop = await openShopForFile({ people: { admin }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);
/** Every shop of these tests has this gateway. */
const gatewayOf = ({ payments: { testGateway = expect.fail('There is no gateway') } }: TestShop) => testGateway;

const bought = async (at: OrderingBrowser = ordering(shop), email = 'meera@example.com') => {
  const placed = await at.buy({ shipping: { ...form.shipping, email } }, 'Prepaid');
  return { at, id: placed._id, placed };
};
const payPage = async (at: OrderingBrowser, id: string) => (await at.post(`/api/order/pay/${id}`, {})).body as { url: string };
const linkIn = ({ url }: { url: string }): string => url.slice(url.lastIndexOf('/') + 1);
const payAt = (link: string, body: object = {}, how = 'pay') => ordering(shop).post(`/dev/payments/${link}/${how}`, body);
const checked = async (at: OrderingBrowser, id: string) =>
  (await at.post(`/api/order/check-payment/${id}`, {})).body as OrderView & { paymentFailure?: string };
const eventsOf = async (id: string) => (await shop.store.read<PaymentEvent>(`payment-${id}`)).events.map(({ type }) => type);
const mailsTo = async (email: string): Promise<readonly string[]> => {
  const { body } = await desk.get('/dev/mailbox/messages');
  return (body as { to: string; subject: string }[]).filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
};
const statusOf = (at: OrderingBrowser, id: string) => async () => (await at.order(id)).order.payment.status;

/** Opens a shop without reactions, with an order whose page at the gateway is open and that the desk's list contains. */
const slowShopWithDueOrder = async (rateLimitFactor = 100) => {
  const slow = await openShopForTest({ people: { admin, rateLimitFactor }, projecting: true });
  await change([slow], oudSaffronMajlis, add());
  const { at, id } = await bought(ordering(slow));
  const link = linkIn(await payPage(at, id));
  const { payments = expect.fail('There is no gateway') } = slow.payments;
  await slow.progress.waitFor('orders-desk', await slow.store.head(['order', 'payment']), 60_000);
  return { slow, at, id, link, payments, gateway: gatewayOf(slow) };
};

test('a hundred calls about one order ask the gateway once, and those that follow two seconds later', async () => {
  const { slow, at, id, gateway } = await slowShopWithDueOrder(1);
  onTestFinished(() => slow.close());
  const asked: number[] = [];
  const { link } = gateway;
  const start = performance.now();
  vi.spyOn(gateway, 'link').mockImplementation((page) => {
    asked.push(performance.now() - start);
    return link(page);
  });
  const calls = (times: number, path: string) => Promise.all(Array.from({ length: times }, () => at.post(`/api/order/${path}/${id}`, {})));
  for (const answers of [await calls(50, 'check-payment'), await calls(50, 'check-payment'), await calls(5, 'pay')])
    for (const { status } of answers) expect(status).toBe(200);
  expect(asked.length).toBeGreaterThanOrEqual(3);
  // Each begins late enough after the first calls, however long it then takes to reach the gateway.
  for (const [index, reached] of asked.entries()) expect(reached).toBeGreaterThanOrEqual(index * 1_990);
});

describe('paying an order', () => {
  test('an order is due, is paid at the gateway, and is then confirmed', async () => {
    const email = 'paid@example.com';
    const { at, id, placed } = await bought(await signedUp(shop, email), email);
    expect(placed.payment).toEqual({ status: 'due', amount: placed.total, refunded: 0, refundable: 0, refunds: [] });
    expect(await desk.move(id, 'confirmed')).toMatchObject({ status: 409, body: { message: 'Order is not paid' } });
    const page = (await at.post(`/api/order/pay/${id}`, { amount: 1, total: 1 })).body as { url: string };
    expect(page.url).toContain('/dev/payments/');
    expect(await gatewayOf(shop).link(linkIn(page))).toMatchObject({ amount: placed.total * 100 });
    expect(await payPage(at, id)).toEqual(page);
    expect((await payAt(linkIn(page), { method: 'card' })).status).toBe(200);
    const paid = { status: 'paid', method: 'card', paidAt: expect.any(String) };
    expect((await checked(at, id)).payment).toMatchObject(paid);
    const { orders } = (await at.get('/api/order/get-AllOrders')).body as { orders: OrderView[] };
    expect(orders[0]?.payment).toMatchObject(paid);
    expect(await at.post(`/api/order/pay/${id}`, {})).toMatchObject({ status: 409, body: { message: 'Nothing to pay' } });
    expect((await desk.move(id, 'confirmed')).status).toBe(200);
    expect(await eventsOf(id)).toEqual(['PaymentRequested', 'PaymentCaptured', 'MoveBegun', 'MoveEnded']);
    await expect.poll(async () => (await mailsTo(email)).filter((subject) => subject.endsWith('is paid')).length).toEqual(1);
  });

  test("a client's claims do not count as payment: the return address, a forged or altered webhook", async () => {
    const { at, id } = await bought();
    await payPage(at, id);
    const body = JSON.stringify({ entity: 'event', event: 'payment.captured', payload: {} });
    for (const signature of ['', 'f'.repeat(64), createHmac('sha256', 'guess').update(body).digest('hex')]) {
      const answer = await fetch(`${shop.url}/api/payment/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-razorpay-signature': signature },
        body,
      });
      expect(answer.status).toBe(400);
    }
    expect((await checked(at, id)).payment.status).toBe('due');
  });

  test('another shopper gets a 404, and staff are refused', async () => {
    const { id } = await bought();
    const other = ordering(shop);
    await other.add({ _id: oudSaffronMajlis });
    for (const path of [`/api/order/pay/${id}`, `/api/order/check-payment/${id}`]) {
      expect((await other.post(path, {})).status).toBe(404);
      expect((await desk.post(path, {})).status).toBe(403);
    }
  });

  test('a failed payment is shown with its reason, and the shopper can try again', async () => {
    const { at, id } = await bought();
    const page = await payPage(at, id);
    await payAt(linkIn(page), {}, 'fail');
    const { payment: money, paymentFailure } = await checked(at, id);
    expect([money.status, paymentFailure]).toEqual(['due', 'The payment was declined by the bank']);
    expect(await payPage(at, id)).toEqual(page);
    await payAt(linkIn(page));
    expect(await checked(at, id)).toMatchObject({ payment: { status: 'paid' } });
    expect((await checked(at, id)).paymentFailure).toBeUndefined();
  });

  test('while the gateway is unreachable the answer is 503, and nothing is lost', async () => {
    const { at, id } = await bought();
    gatewayOf(shop).beUnreachable();
    expect((await at.post(`/api/order/pay/${id}`, {})).status).toBe(503);
    gatewayOf(shop).beReachable();
    const page = await payPage(at, id);
    expect(page).toMatchObject({ url: expect.any(String) });
    // The open page may have been paid meanwhile.
    await payAt(linkIn(page), { webhook: 'never' });
    gatewayOf(shop).beUnreachable();
    for (const path of ['pay', 'check-payment']) {
      const { status, body } = await at.post(`/api/order/${path}/${id}`, {});
      expect([status, (body as { message: string }).message]).toEqual([503, expect.not.stringContaining('nothing was charged')]);
    }
    gatewayOf(shop).beReachable();
    expect((await checked(at, id)).payment.status).toBe('paid');
  });

  test('while the gateway stays unreachable it is not called for a while, and operators and staff are told', async () => {
    const { at, id } = await bought();
    const parts = async () => {
      const { status, body } = await at.get('/readyz');
      return { status, gateway: (body as { parts: Record<string, string> }).parts['payment gateway'] };
    };
    await expect.poll(parts).toEqual({ status: 200, gateway: 'ok' });
    gatewayOf(shop).beUnreachable();
    for (let time = 0; time < 5; time++) expect((await at.post(`/api/order/pay/${id}`, {})).status).toBe(503);
    await expect.poll(parts).toEqual({ status: 200, gateway: 'the gateway does not answer' });
    expect((await desk.get('/api/admin/health')).body).toMatchObject({ isGatewayAvailable: false });
    gatewayOf(shop).beReachable();
    await expect.poll(parts).toEqual({ status: 200, gateway: 'ok' });
  });
});

describe('a refusal of the gateway', () => {
  afterEach(() => vi.restoreAllMocks());
  const refusing = (call: 'link' | 'openLink') => vi.spyOn(gatewayOf(shop), call).mockRejectedValue(new GatewayRefused('Not allowed'));
  const mismatchesOf = async (id: OrderId) => (await shop.load(payment, paymentStream(id))).state.mismatches;

  test('to open a page is shown to the shopper, and its reason to the staff until a page is open', async () => {
    const { at, id } = await bought();
    const refused = refusing('openLink');
    const said = {
      status: 409,
      body: { code: 'payment_refused', message: 'The payment service does not accept this payment. Please contact us.' },
    };
    for (let time = 0; time < 2; time++) expect(await at.post(`/api/order/pay/${id}`, {})).toMatchObject(said);
    const [mismatch, ...more] = await mismatchesOf(id);
    expect([mismatch && mismatchText(mismatch), more]).toEqual(['The gateway opens no page for it: Not allowed', []]);
    refused.mockRestore();
    expect((await payPage(at, id)).url).toContain('/dev/payments/');
    expect(await mismatchesOf(id)).toEqual([]);
  });

  test('to say what was paid is shown to the shopper', async () => {
    const { at, id } = await bought();
    await payPage(at, id);
    refusing('link');
    const message = 'The payment service does not say whether you have paid. If you have, please contact us.';
    expect(await at.post(`/api/order/check-payment/${id}`, {})).toMatchObject({ status: 409, body: { code: 'payment_refused', message } });
  });

  test('to know a page opens another, and payments of the first count when the gateway knows it again', async () => {
    const { at, id } = await bought();
    const gateway = gatewayOf(shop);
    const first = await payPage(at, id);
    const unknown = vi.spyOn(gateway, 'link').mockResolvedValue(undefined);
    const page = { id: 'plink_of_another', url: 'https://elsewhere', status: 'open' } as const;
    const other = { ...page, reference: id, amount: paise(1_00), payments: [] };
    const elsewhere = vi.spyOn(gateway, 'openLink').mockResolvedValue(other);
    expect(await payPage(at, id)).toEqual({ url: other.url });
    unknown.mockRestore();
    elsewhere.mockRestore();
    await payAt(linkIn(first), { webhook: 'never' });
    expect(await at.post(`/api/order/pay/${id}`, {})).toMatchObject({ status: 409, body: { message: 'Nothing to pay' } });
    expect((await at.order(id)).order.payment.status).toBe('paid');
  });
});

describe('irregular payments', () => {
  test('a payment without a webhook on a page that is being closed is refunded', async () => {
    const { at, id } = await bought();
    const link = linkIn(await payPage(at, id));
    const gateway = gatewayOf(shop);
    const { closeLink } = gateway;
    const closing = vi.spyOn(gateway, 'closeLink').mockImplementation(async (closed) => {
      if (closed === link) await gateway.pay(link, { webhook: 'never' });
      await closeLink(closed);
    });
    await at.cancel(id);
    await expect.poll(statusOf(at, id)).toEqual('refunded');
    closing.mockRestore();
  });

  test('a payment on a closed page is found before another page is opened', async () => {
    const { at, id } = await bought();
    const link = linkIn(await payPage(at, id));
    await gatewayOf(shop).closeLink(link);
    expect((await checked(at, id)).payment.status).toBe('due');
    await payAt(link, { webhook: 'never' });
    expect(await at.post(`/api/order/pay/${id}`, {})).toMatchObject({ status: 409, body: { message: 'Nothing to pay' } });
    expect((await at.order(id)).order.payment.status).toBe('paid');
    expect(await eventsOf(id)).toEqual(['PaymentRequested', 'PaymentLinkClosed', 'PaymentCaptured']);
  });

  test('a payment after cancelling is refunded, with a mail', async () => {
    const { at, id } = await bought(undefined, 'late@example.com');
    const link = linkIn(await payPage(at, id));
    expect((await at.cancel(id)).order.payment.status).toBe('cancelled');
    await payAt(link);
    await expect.poll(statusOf(at, id)).toEqual('refunded');
    await expect
      .poll(async () => (await mailsTo('late@example.com')).filter((subject) => subject.endsWith('has a refund')).length)
      .toEqual(1);
    expect((await mailsTo('late@example.com')).filter((subject) => subject.endsWith('is paid'))).toEqual([]);
  });
});

describe('over time', () => {
  let hurried: TestShop;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const deadlineClock = async () => instant(new Date().toISOString());
    hurried = await openTestShop({ people: { admin }, projecting: true, reacting: true, deadlineClock });
    await change([hurried], oudSaffronMajlis, add());
  });
  afterAll(async () => {
    await hurried.close();
    vi.useRealTimers();
  });
  /** Moves the clock of the shops; timers run as usual. */
  const passMinutes = (minutes: number): void => void vi.setSystemTime(Date.now() + minutes * 60_000);
  const boughtHere = async () => {
    const { at, id, placed } = await bought(ordering(hurried));
    return { at, id, placed, link: linkIn(await payPage(at, id)) };
  };

  test('the shopper gets one reminder, then the order is cancelled with one mail, and its bottle is for sale again', async () => {
    const counting = await signedInAs(hurried, admin);
    await counting.send('PUT', `/api/admin/stock/${oudSaffronMajlis}`, { body: { count: 9 } });
    const reserved = async () => (await hurried.load(stock, stockStream(oudSaffronMajlis))).state.reserved;
    const { at, placed } = await boughtHere();
    const mails = async () =>
      ((await at.get('/dev/mailbox/messages')).body as { subject: string }[])
        .map(({ subject }) => subject.slice(subject.indexOf(placed.orderNumber ?? '') + 12))
        .toSorted();
    expect(await reserved()).toBe(1);
    passMinutes(61);
    await expect.poll(mails).toEqual(['is placed', 'waits for its payment']);
    passMinutes(1_380);
    await expect.poll(async () => (await at.order(placed._id)).order.status).toEqual('cancelled');
    await expect.poll(mails).toEqual(['is cancelled', 'is placed', 'waits for its payment']);
    await expect.poll(async () => (await hurried.load(payment, paymentStream(placed._id))).state.link).toEqual(null);
    await expect.poll(reserved).toEqual(0);
  });

  test('a payment without a webhook is found before the order is cancelled', async () => {
    const { at, id, link } = await boughtHere();
    await at.post(`/dev/payments/${link}/pay`, { webhook: 'never' });
    passMinutes(1_441);
    await expect.poll(statusOf(at, id)).toEqual('paid');
    expect((await at.order(id)).order.status).toBe('pending');
  });

  test('a second payment without a webhook is found after the time for paying and refunded, and the gateway is not called again', async () => {
    const { at, id, link } = await boughtHere();
    const gateway = gatewayOf(hurried);
    await gateway.pay(link);
    await expect.poll(statusOf(at, id)).toEqual('paid');
    await gateway.pay(link, { webhook: 'never' });
    const asked = vi.spyOn(gateway, 'link');
    passMinutes(1_441);
    await expect.poll(async () => (await at.order(id)).order.payment.refunds.map(({ status }) => status)).toEqual(['settled']);
    expect((await at.order(id)).order.payment.status).toBe('paid');
    await expect.poll(async () => (await hurried.load(payment, paymentStream(id))).state.looks).toEqual(1);
    expect(asked.mock.calls.filter(([each]) => each === link)).toEqual([[link]]);
    asked.mockRestore();
  });
});

describe('the payment worker', () => {
  test('a payment that arrives while the order is being cancelled is kept', async () => {
    const { slow, at, id, link, payments, gateway } = await slowShopWithDueOrder();
    const check = async (id: OrderId) => {
      const before = await payments.check(id);
      // The reminder may ask before the cancellation does, and each payment counts.
      if (asking.check.mock.calls.length === 1) await gateway.pay(link, { webhook: 'never' });
      await payments.check(id);
      return before;
    };
    const asking = { ...payments, check: vi.fn(check) };
    const now = () => instant(new Date(Date.now() + 120_000).toISOString());
    const worker = new PaymentWorker({
      ...slow,
      now,
      deadlineClock: async () => now(),
      gateway,
      payments: asking,
      reminder: 0,
      window: 60_000,
      log: openLogger('silent'),
    });
    await worker.round();
    expect(asking.check).toHaveBeenCalledWith(id);
    expect((await at.order(id)).order).toMatchObject({ status: 'pending', payment: { status: 'paid', refunds: [] } });
  });

  test('leaves deadlines to others while the clock of its process is a day ahead, and says so', async () => {
    const { slow, at, id, payments, gateway } = await slowShopWithDueOrder();
    const now = () => instant(new Date(Date.now() + 86_400_000).toISOString());
    const log = openLogger('silent');
    const warned = vi.spyOn(log, 'warn');
    const deadlineClock = createDeadlineClock(slow.db, now, log);
    const worker = new PaymentWorker({ ...slow, now, deadlineClock, gateway, payments, reminder: 60_000, window: 3_600_000, log });
    await worker.round();
    await worker.round();
    expect((await at.order(id)).order).toMatchObject({ status: 'pending', payment: { status: 'due' } });
    expect(warned.mock.calls.map((call) => call.at(-1) as unknown)).toEqual([
      expect.stringMatching(/^Deadlines are left to other processes: the clock of this process is 86\d{3} s ahead of the database's$/),
    ]);
    await slow.close();
  });

  test.each([
    ['behind', -43_200_000],
    ['ahead', 43_200_000],
  ])('gives an order its full time, and no more, when the process that placed it was half a day %s', async (_, differsBy) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + differsBy });
    onTestFinished(() => void vi.useRealTimers());
    const { slow, at, id, payments, gateway } = await slowShopWithDueOrder();
    onTestFinished(() => slow.close());
    vi.useRealTimers();
    const statusAfter = async (milliseconds: number) => {
      const deadlineClock = async () => instant(new Date(Date.now() + milliseconds).toISOString());
      const parts = { ...slow, deadlineClock, gateway, payments, reminder: 60_000, window: 3_600_000, log: openLogger('silent') };
      await new PaymentWorker(parts).round();
      return (await at.order(id)).order.status;
    };
    expect([await statusAfter(1_800_000), await statusAfter(3_660_000)]).toEqual(['pending', 'cancelled']);
  });

  test('what the gateway keeps refusing is tried at longer and longer intervals, and then staff are told', async () => {
    const { slow, id, payments, gateway } = await slowShopWithDueOrder();
    const asked = vi.spyOn(gateway, 'link').mockRejectedValue(new GatewayRefused('Not allowed'));
    const begun = Date.now() + 120_000;
    let seconds = 0;
    const now = () => instant(new Date(begun + seconds * 1_000).toISOString());
    const log = openLogger('silent');
    const warned = vi.spyOn(log, 'warn');
    const worker = new PaymentWorker({
      ...slow,
      now,
      deadlineClock: async () => now(),
      gateway,
      payments,
      reminder: 0,
      window: 60_000,
      log,
    });
    const askedAt: number[] = [];
    for (seconds of [0, 4, 5, 24, 25, 84, 85, 684, 685, 800]) {
      const before = asked.mock.calls.length;
      await worker.round();
      if (asked.mock.calls.length > before) askedAt.push(seconds);
    }
    expect(askedAt).toEqual([0, 5, 25, 85, 685]);
    expect(warned.mock.calls.map((call) => call.at(-1) as unknown)).toContain(
      'The payment gateway refused a request about an order. The shop asks again in 600 s.',
    );
    const { mismatches } = (await slow.load(payment, paymentStream(id))).state;
    expect(mismatches).toMatchObject([{ kind: 'page_refused', why: 'Not allowed' }]);
    asked.mockRestore();
  });
});

test('without a gateway nobody can prepay', async () => {
  const bare = await openShopForTest({ payments: { isProduction: true }, projecting: true });
  await change([bare], oudSaffronMajlis, add());
  const at = ordering(bare);
  const order = await at.draft();
  expect(await at.place(order._id, { method: 'Prepaid' })).toMatchObject({ status: 409, body: { message: 'Prepaid is not available' } });
  const stranger = ordering(bare);
  await stranger.add({ _id: oudSaffronMajlis });
  expect(await stranger.place(order._id, { method: 'Prepaid' })).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  expect((await at.get('/dev/payments')).status).toBe(404);
  expect((await at.place(order._id)).status).toBe(200);
  expect(await at.post(`/api/order/pay/${order._id}`, {})).toMatchObject({ status: 409, body: { message: 'Nothing to pay' } });
});

// This test is the last: timers that the shop's workers set while timers are faked never fire afterwards.
test('a gateway that hangs leads to 503 within ten seconds, however many calls a request needs', async () => {
  const { at, id } = await bought();
  const gateway = gatewayOf(shop);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const hanging = vi.spyOn(gateway, 'openLink').mockReturnValue(new Promise(() => {}));
  try {
    const paying = at.post(`/api/order/pay/${id}`, {});
    await expect.poll(() => hanging.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(9_500);
    expect(await paying).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
  } finally {
    hanging.mockRestore();
    vi.useRealTimers();
  }
  expect((await payPage(at, id)).url).toContain('/dev/payments/');
});
