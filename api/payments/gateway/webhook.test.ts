import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { paise } from '#domain/shared/money.ts';

import { AMOUNT, newOrder } from './testing/gateway-contract.ts';
import { openTestGateway, WEBHOOK_SECRET } from './testing/razorpay-stand-in.ts';
import { BadSignature, parseWebhook, type Webhook } from './webhook.ts';

const shop = await openTestGateway();
afterAll(() => shop.close());
beforeEach(() => shop.webhooks.splice(0));

const arrived = (): Webhook[] => shop.webhooks.map(({ rawBody, headers }) => parseWebhook(rawBody, headers, WEBHOOK_SECRET));
const signed = (body: string | Buffer, secret = WEBHOOK_SECRET) =>
  parseWebhook(
    Buffer.from(body),
    { 'x-razorpay-signature': createHmac('sha256', secret).update(body).digest('hex'), 'x-razorpay-event-id': 'evt_1' },
    WEBHOOK_SECRET,
  );
const event = (event: string, payload: object) => JSON.stringify({ entity: 'event', event, contains: Object.keys(payload), payload });

describe("the test gateway's webhook", () => {
  test('of a payment has its link, order, amount and method, and is sent twice', async () => {
    const order = newOrder();
    const { id } = await shop.gateway.openLink(order);
    const link = await shop.behind.pay(id, { method: 'card' });
    const payment = { id: link?.payments[0]?.id, amount: AMOUNT, method: 'card', status: 'captured' };
    const known = { kind: 'captured', link: id, reference: order.reference, payment };
    expect(arrived()).toMatchObject([known, known]);
    const [one, other] = arrived().map(({ eventId }) => eventId);
    expect(one).not.toBe(other);
  });

  test('of a failed payment has the reason', async () => {
    const order = newOrder();
    const { id } = await shop.gateway.openLink(order);
    await shop.behind.fail(id);
    const payment = { amount: AMOUNT, status: 'failed', reason: 'The payment was declined by the bank' };
    expect(arrived()).toMatchObject([{ kind: 'failed', link: id, reference: order.reference, payment }]);
  });

  test('of a closed link names the link', async () => {
    const order = newOrder();
    const { id } = await shop.gateway.openLink(order);
    await shop.gateway.closeLink(id);
    await expect.poll(arrived).toMatchObject([{ kind: 'link_closed', status: 'cancelled', link: id, reference: order.reference }]);
  });

  test('of a refund reports that it settled or was refused later', async () => {
    const order = newOrder();
    const { id } = await shop.gateway.openLink(order);
    const link = await shop.behind.pay(id, { webhook: 'never' });
    const asked = { payment: link?.payments[0]?.id ?? '', amount: paise(1_00), reference: randomUUID() };
    const settled = await shop.gateway.refund(asked);
    await expect
      .poll(arrived)
      .toMatchObject([{ kind: 'refund_settled', refund: settled, paid: { id: asked.payment }, link: id, reference: order.reference }]);
    shop.webhooks.splice(0);
    shop.behind.holdRefunds();
    const pending = await shop.gateway.refund({ ...asked, reference: randomUUID() });
    await shop.behind.settleRefunds('refused');
    expect(arrived()).toMatchObject([{ kind: 'refund_refused', refund: { ...pending, status: 'refused' } }]);
  });
});

describe('a signature', () => {
  const rawBody = Buffer.from(event('payment.captured', {}));
  const right = createHmac('sha256', WEBHOOK_SECRET).update(rawBody).digest('hex');

  test.each([undefined, '', 'x', right.toUpperCase(), `${right}0`, right.replace(/^./, (first) => (first === '0' ? '1' : '0')), [right]])(
    'that is wrong is refused: %j',
    (signature) => expect(() => parseWebhook(rawBody, { 'x-razorpay-signature': signature }, WEBHOOK_SECRET)).toThrow(BadSignature),
  );

  test('with another secret, or of other bytes, is refused', () => {
    expect(() => signed(rawBody, 'another')).toThrow(BadSignature);
    const spaced = Buffer.from(`${rawBody.toString()} `);
    expect(() => parseWebhook(spaced, { 'x-razorpay-signature': right }, WEBHOOK_SECRET)).toThrow(BadSignature);
  });
});

describe('a signed body', () => {
  test.each(['', 'no JSON', 'null', '[]', '{}', '{"event":"payment.captured"}', '{"event":1,"payload":{}}'])(
    'without the expected fields is unreadable: %s',
    (body) => expect(signed(body)).toEqual({ eventId: 'evt_1', kind: 'unreadable' }),
  );

  test('that is not text is unreadable', () => expect(signed(Buffer.from([0xff, 0x00, 0xfe]))).toMatchObject({ kind: 'unreadable' }));

  const payment = { id: 'pay_FOGsH8uHkF2FbR', amount: 10_000, currency: 'INR', method: 'netbanking', created_at: 1_596_890_289, notes: [] };
  test.each(['order.paid', 'payment.authorized'])('of %s is ignored', (name) =>
    expect(signed(event(name, { payment: { entity: payment } }))).toEqual({ eventId: 'evt_1', kind: 'ignored' }),
  );

  test.each([
    ['payment.captured', { payment: { entity: { ...payment, amount: 'much' } } }],
    ['payment.captured', { payment: { entity: { ...payment, amount: -1 } } }],
    ['payment.captured', { payment: { entity: { ...payment, currency: 'USD' } } }],
    ['payment.captured', { payment: { entity: { ...payment, id: '../x' } } }],
    ['payment.captured', { payment: { entity: { ...payment, created_at: 1e15 } } }],
    ['payment_link.paid', { payment_link: { entity: { id: 'plink_1', amount: 1, status: 'paid' } } }],
    ['payment_link.expired', { payment_link: { entity: null } }],
    ['refund.processed', { refund: { entity: {} } }],
  ])('with %s of %j is unreadable', (name, payload) =>
    expect(signed(event(name, payload))).toEqual({ eventId: 'evt_1', kind: 'unreadable' }),
  );

  test('of a payment without notes names its link by the description', () =>
    expect(signed(event('payment.captured', { payment: { entity: { ...payment, description: '#FOGqq3O6E5bkml' } } }))).toEqual({
      eventId: 'evt_1',
      kind: 'captured',
      payment: { id: payment.id, amount: 10_000, method: 'netbanking', at: '2020-08-08T12:38:09.000Z', status: 'captured' },
      link: 'plink_FOGqq3O6E5bkml',
      reference: undefined,
    }));

  test('of a paid link is read as Razorpay documents it', () => {
    const link = {
      id: 'plink_FOGqq3O6E5bkml',
      amount: 10_000,
      amount_paid: 10_000,
      currency: 'INR',
      notes: {},
      reference_id: '242324',
      status: 'paid',
    };
    const payload = { order: { entity: { id: 'order_1' } }, payment: { entity: payment }, payment_link: { entity: link } };
    expect(signed(event('payment_link.paid', payload))).toMatchObject({ kind: 'captured', link: link.id, reference: '242324' });
  });

  test("of an order's second link names the order", () => {
    const order = randomUUID();
    const link = { id: 'plink_2', amount: 10_000, notes: null, reference_id: `${order}-2`, status: 'expired' };
    expect(signed(event('payment_link.expired', { payment_link: { entity: link } }))).toMatchObject({
      kind: 'link_closed',
      status: 'expired',
      reference: order,
    });
  });

  test('of a refund made at the gateway itself has no reference of ours', () => {
    const refund = { id: 'rfnd_1', payment_id: payment.id, amount: 50, receipt: null, notes: [], status: 'processed' };
    expect(signed(event('refund.processed', { refund: { entity: refund } }))).toMatchObject({
      refund: { reference: '', status: 'settled' },
    });
  });

  test('without an event id is identified by its bytes', () => {
    const rawBody = Buffer.from('{}');
    const headers = { 'x-razorpay-signature': createHmac('sha256', WEBHOOK_SECRET).update(rawBody).digest('hex') };
    expect(parseWebhook(rawBody, headers, WEBHOOK_SECRET).eventId).toMatch(/^[0-9a-f]{64}$/);
    expect(parseWebhook(rawBody, { ...headers, 'x-razorpay-event-id': 'a b' }, WEBHOOK_SECRET).eventId).toMatch(/^[0-9a-f]{64}$/);
  });
});
