import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';

import { StreamIncomplete } from '#domain/event-store.ts';
import type { AmountName, Explanation } from '#domain/order/explain.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { refund } from '#domain/testing/payments.ts';

import { change } from '../cart/testing/shopping.ts';
import { paidOrder, pay } from '../payments/desk/testing/desk-orders.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { form, admin, auditor, ordering, signedInAs, signedUp, type OrderingBrowser } from './testing/ordering.ts';

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true });
await change([shop], oudSaffronMajlis, add());
const [alice, bob, guest] = [await signedUp(shop, 'alice@example.com'), await signedUp(shop, 'bob@example.com'), ordering(shop)];
const [desk, books] = [await signedInAs(shop, admin), await signedInAs(shop, auditor)];

const placed = async (at: OrderingBrowser): Promise<string> => (await at.buy())._id;
const asked = (at: OrderingBrowser, id: string) => at.get(`/api/order/${id}/explain`);
const audited = (at: OrderingBrowser, name: string) => at.get(`/api/audit/orders/${name}/explain`);

type Amount = Explanation['amounts'][number];
const explained = async (at: OrderingBrowser, id: string): Promise<Readonly<Record<AmountName, Amount>>> => {
  const { status, body } = await asked(at, id);
  expect(status).toBe(200);
  const { amounts } = body as Explanation;
  expect(amounts.map(({ name }) => name)).toEqual(['subtotal', 'tax', 'giftWrap', 'total', 'paid', 'refunded']);
  return Object.fromEntries(amounts.map((amount) => [amount.name, amount])) as Record<AmountName, Amount>;
};

/** Checks to the paisa that the parts add up to their amounts, and that the amounts equal those of the order's JSON. */
const addsUp = async (at: OrderingBrowser, id: string) => {
  const amounts = await explained(at, id);
  for (const { amount, parts } of Object.values(amounts))
    expect(parts.reduce((sum, part) => sum + Math.round(part.amount * 100), 0)).toBe(Math.round(amount * 100));
  const { order } = await at.order(id);
  const { subtotal, tax, total } = order;
  const money = { subtotal: amounts.subtotal.amount, tax: amounts.tax.amount, total: amounts.total.amount };
  expect({ ...money, refunded: amounts.refunded.amount }).toEqual({ subtotal, tax, total, refunded: order.payment.refunded });
  expect(amounts.giftWrap.amount > 0).toBe(order.giftWrap);
  return amounts;
};

describe('the amounts of an order are explained', () => {
  test('to staff and auditors, who also find it by its number', async () => {
    const id = await placed(alice);
    const { body } = await asked(alice, id);
    expect(await shop.progress.waitFor('orders-desk', await shop.store.head(['order']), 60_000)).toBe('fresh');
    const { orderNumber } = (await alice.order(id)).order;
    for (const at of [desk, books]) {
      const answers = [await asked(at, id), await audited(at, id), await audited(at, String(orderNumber))];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const answer of answers) expect(answer.body).toEqual(body);
    }
  });

  test('to nobody else', async () => {
    const [ofAlice, ofGuest, missing] = [await placed(alice), await placed(guest), randomUUID()];
    const refusals = [
      await asked(bob, ofAlice),
      await asked(ordering(shop), ofAlice),
      await asked(guest, ofAlice),
      await asked(alice, ofGuest),
      ...(await Promise.all([missing, 'x'].flatMap((id) => [asked(alice, id), asked(desk, id), audited(books, id)]))),
    ];
    for (const { status, body } of refusals) expect({ status, body }).toMatchObject({ status: 404, body: { message: 'Order not found' } });
  });

  test('before it is placed, and immediately after it was checked out again', async () => {
    const { _id: id } = await guest.draft();
    expect((await addsUp(guest, id)).giftWrap).toMatchObject({ amount: 0, parts: [] });
    expect((await guest.create({ ...form, giftWrap: true })).order._id).toBe(id);
    const { giftWrap, total } = await addsUp(guest, id);
    const event = { stream: `order-${id}`, revision: 1, type: 'OrderRevised' };
    expect(giftWrap.parts).toEqual([{ label: 'Gift wrap', amount: 39, event }]);
    expect(total.parts.map((part) => part.event)).toEqual([event, event, event]);
  });

  test('after it was paid and partly refunded', async () => {
    const { id, bill } = await paidOrder(shop);
    const { paid, refunded } = await addsUp(desk, id);
    expect(paid).toMatchObject({
      amount: bill.total / 100,
      parts: [{ label: 'Paid by UPI', event: { stream: `payment-${id}`, type: 'PaymentCaptured' } }],
    });
    expect(refunded).toMatchObject({ amount: 0, parts: [] });
    await pay(shop, id, refund({ bill }));
    expect((await addsUp(desk, id)).refunded.amount).toBe(0);
    const [{ _id: first } = { _id: '' }] = (await desk.order(id)).order.payment.refunds;
    await pay(shop, id, { type: 'SettleRefund', refund: first, now: shop.now() });
    expect((await addsUp(desk, id)).refunded).toMatchObject({
      amount: 100,
      parts: [{ label: 'Refund', amount: 100, event: { stream: `payment-${id}`, type: 'RefundSettled' } }],
    });
  });
});

test('nothing is explained by what is left of a stream that was cut in the event store', async () => {
  const id = await placed(alice);
  vi.spyOn(shop.store, 'read').mockRejectedValue(new StreamIncomplete(`payment-${id}`, 'truncated', 0, 1));
  const answers = [await asked(alice, id), await audited(books, id)];
  vi.restoreAllMocks();
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('missing') } });
});
