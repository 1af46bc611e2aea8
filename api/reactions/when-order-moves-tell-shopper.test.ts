import PostalMime from 'postal-mime';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { OrderEvent } from '#domain/order/events.ts';
import { NO_STREAM } from '#domain/event-store.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { payment, type PaymentCommand, paymentStream } from '#domain/payment/payment.ts';
import { anOrder, evening, meera } from '#domain/testing/carts.ts';
import {
  created,
  home,
  cancel,
  create,
  decideReturn,
  deliveryDay,
  giveBack,
  moveTo,
  parcel,
  place,
  placed,
  receiveReturn,
} from '#domain/testing/orders.ts';
import { oudSaffronMajlis } from '#domain/testing/products.ts';
import { invoice } from '#domain/testing/tax-documents.ts';
import { capture } from '#domain/testing/payments.ts';

import { postgresSubjectKeys } from '../event-store/postgres/postgres-subject-keys.ts';
import { sendDue } from '../mail/sender.ts';
import { openMailServer } from '../mail/testing/mail-server.ts';
import { smtpTransport } from '../mail/transport.ts';
import type { Reaction } from './reaction.ts';
import { testKeyring } from '../testing/test-keyring.ts';
import { metadata, openFollowedShop, type FollowedShop } from './testing/following.ts';
import { whenOrderMovesTellShopper, whenOrderProgressesTellShopper } from './when-order-moves-tell-shopper.ts';
import { whenPaymentMovesTellShopper } from './when-payment-moves-tell-shopper.ts';

let shop: FollowedShop;
let tell: Reaction;
beforeEach(async () => {
  shop = await openFollowedShop();
  tell = whenOrderMovesTellShopper(shop);
});
afterEach(() => shop.close());

const placeOrder = async (changes: Parameters<typeof create>[0] = {}): Promise<void> => {
  await shop.toOrder(create(changes));
  await shop.toOrder(place());
};
const react = async (): Promise<void> => {
  const running = shop.start(tell);
  await shop.caughtUp(tell);
  await running.stop();
};
const causes = async (): Promise<string[]> => (await shop.mails()).map(({ cause }) => cause);
const onlyMail = async () => {
  const mails = await shop.mails();
  expect(mails).toHaveLength(1);
  return mails[0] ?? expect.fail();
};

describe('a shopper gets a mail', () => {
  test('about the confirmation: number, products, totals, gift message, note, delivery, address and link', async () => {
    await placeOrder({ giftWrap: true, giftMessage: 'For Amma,\nwith love', note: 'Ring twice' });
    await react();
    const { cause, to, subject, text, html } = await onlyMail();
    expect({ cause, to, subject }).toEqual({
      cause: `order-placed:${anOrder}`,
      to: 'meera@example.com',
      subject: 'Your Ruhani order RH-4WPDX9CT is placed',
    });
    const facts = ['RH-4WPDX9CT', 'Oud Saffron Majlis', 'Ruh Gulab', '₹6,900.00', '₹9,350.00', '₹39.00', '₹1,683.00', '₹11,072.00'];
    const places = ['Cash on Delivery', 'with love', 'Ring twice', '14 Marine Drive', 'Kochi, Kerala 682031'];
    const links = [`https://ruhani.example/order/token`, 'https://ruhani.example/viewAllOrders'];
    for (const part of [text, html]) for (const fact of [...facts, ...places, ...links]) expect(part).toContain(fact);
    for (const part of [text, html]) expect(part).toMatch(/Expected delivery[^]*19\s–\s21 November/);
  });

  test('at the address that the staff corrected since', async () => {
    await placeOrder();
    await shop.toOrder({ type: 'CorrectEmail', email: 'meera.nair@example.com', reason: 'She called', now: evening });
    await react();
    expect(await onlyMail()).toMatchObject({ cause: `order-placed:${anOrder}`, to: 'meera.nair@example.com' });
  });

  test('without promises that depend on the payment, and without a link to the order list for visitors', async () => {
    await shop.toOrder(create());
    await shop.toOrder(place({ method: 'Prepaid' }));
    await react();
    const { text, html } = await onlyMail();
    for (const part of [text, html]) expect(part).toContain('Pay ₹11,033.00');
    for (const part of [text, html]) expect(part).toContain(`https://ruhani.example/order/token`);
    expect(text).toContain('Once it is paid we look at it');
    expect(text).not.toContain('We look at it next');
    expect(text).toContain('If you have an account, all that you order with it is in My Orders');
  });

  test('about a missing payment, unless it arrives before the mail is written', async () => {
    await shop.toOrder(create());
    await shop.toOrder(place({ method: 'Prepaid' }));
    const bill = computeBill((await shop.load(order, `order-${anOrder}`)).state as ExistingOrder);
    const toPayment = (command: PaymentCommand) => shop.execute(payment, paymentStream(anOrder), command, metadata());
    tell = whenPaymentMovesTellShopper(shop);
    await toPayment({ type: 'RemindOfPayment', bill, now: evening });
    await react();
    expect(await causes()).toEqual([`payment-reminder:${anOrder}`]);
    await shop.db.deleteFrom('outbox').execute();
    await shop.db.deleteFrom('reactions').execute();
    await toPayment(capture({ bill, amount: bill.total }));
    await react();
    expect(await causes()).toEqual([`order-paid:${anOrder}`]);
  });

  test('about each step once, in order', async () => {
    await placeOrder();
    for (const step of ['confirmed', 'shipped'] as const) await shop.toOrder(moveTo(step, { note: `Note on ${step}` }));
    await shop.store.append('invoices-2026-2027', NO_STREAM, [invoice()], metadata());
    await shop.toOrder(moveTo('delivered', { note: 'Note on delivered' }));
    await react();
    expect(await causes()).toEqual([`order-placed:${anOrder}`, `order-shipped:${anOrder}`, `order-delivered:${anOrder}`]);
    const [, shipped, delivered] = await shop.mails();
    expect(shipped?.text).toContain('RH/26-27/000001');
    expect(shipped?.text).toContain('Note on shipped');
    expect(delivered?.text).toContain('You may return an unopened bottle within 14 days of delivery.');
  });

  test('about a confirmation and each corrected shipment, with the facts of its event, and none about what happened before', async () => {
    await placeOrder();
    await shop.toOrder(moveTo('confirmed', { note: 'Too early' }));
    tell = whenOrderProgressesTellShopper(shop);
    await react();
    expect(await causes()).toEqual([]);
    await shop.toOrder(moveTo('shipped', { shipment: parcel }));
    const correct = (courier: string) => shop.toOrder({ type: 'CorrectShipment', texts: { ...parcel, courier }, now: evening });
    await correct('DTDC');
    await correct('Delhivery');
    await react();
    await react();
    expect(await causes()).toEqual([4, 5].map((revision) => `shipment-corrected:${anOrder}:${revision}`));
    const [first, second] = await shop.mails();
    expect([first?.text, second?.text]).toEqual([expect.stringContaining('Courier: DTDC'), expect.stringContaining('Courier: Delhivery')]);
  });

  test('about the confirmation by the desk', async () => {
    tell = whenOrderProgressesTellShopper(shop);
    await react();
    await placeOrder();
    await shop.toOrder(moveTo('confirmed', { note: 'Packed on Monday' }));
    await react();
    expect(await onlyMail()).toMatchObject({ cause: `order-confirmed:${anOrder}`, text: expect.stringContaining('Packed on Monday') });
  });

  test('about each step of a return, as it was then', async () => {
    tell = whenOrderProgressesTellShopper(shop);
    await react();
    await placeOrder();
    for (const step of ['confirmed', 'shipped'] as const) await shop.toOrder(moveTo(step));
    await shop.toOrder(moveTo('delivered', { now: deliveryDay }));
    const ask = (quantity: number) => shop.toOrder(giveBack({ lines: [{ productId: oudSaffronMajlis, quantity }] }));
    await ask(1);
    await shop.toOrder(decideReturn('refused', 'The seal is broken'));
    await ask(2);
    await shop.toOrder(decideReturn('accepted', 'Wrap it well'));
    await shop.toOrder(receiveReturn());
    await react();
    const mails = (await shop.mails()).slice(1);
    const steps = ['requested', 'refused', 'requested', 'accepted', 'received'];
    expect(mails.map(({ cause }) => cause)).toEqual(steps.map((step, index) => `return-${step}:${anOrder}:${index + 5}`));
    const facts = [
      ['₹4,071.00', 'Not for me'],
      ['₹4,071.00', 'The seal is broken'],
      ['₹8,142.00'],
      ['₹8,142.00', 'Wrap it well'],
      ['₹8,142.00'],
    ];
    for (const [index, { text, html }] of mails.entries())
      for (const fact of ['Oud Saffron Majlis', ...(facts[index] ?? [])]) for (const part of [text, html]) expect(part).toContain(fact);
    for (const { text } of mails) expect(text).not.toContain('Ruh Gulab');
  });

  test('about the shipment as it was when it left, also when it was corrected since', async () => {
    await placeOrder();
    await shop.toOrder(moveTo('confirmed'));
    await shop.toOrder(moveTo('shipped', { shipment: parcel }));
    await shop.toOrder({ type: 'CorrectShipment', texts: { ...parcel, courier: 'DTDC' }, now: evening });
    await shop.store.append('invoices-2026-2027', NO_STREAM, [invoice()], metadata());
    await react();
    expect((await shop.mails()).at(-1)).toMatchObject({
      cause: `order-shipped:${anOrder}`,
      text: expect.stringContaining('Courier: Blue Dart'),
    });
  });

  test('about the cancellation, with the reason', async () => {
    await placeOrder();
    await shop.toOrder(cancel({ reason: 'The wrong size' }));
    await react();
    expect(await causes()).toEqual([`order-placed:${anOrder}`, `order-cancelled:${anOrder}`]);
    expect((await shop.mails())[1]?.text).toContain('The reason given:\nThe wrong size');
  });

  test('only for placed orders, not for drafts', async () => {
    await shop.toOrder(create());
    await shop.toOrder(cancel());
    await react();
    expect(await causes()).toEqual([]);
  });

  test("only until the shopper's data are erased", async () => {
    await placeOrder();
    await postgresSubjectKeys(shop.pool, testKeyring).erase(meera);
    // This process may use its cached key for half a second; another process has no cached key.
    const other = await openFollowedShop(shop.databaseUrl);
    const reaction = whenOrderMovesTellShopper(other);
    other.start(reaction);
    await other.caughtUp(reaction);
    await other.close();
    expect(await causes()).toEqual([]);
  });

  test('about the order as it was at the event, however late the mail is', async () => {
    await placeOrder();
    await shop.toOrder(moveTo('confirmed'));
    await shop.toOrder(cancel());
    await react();
    const [first] = await shop.mails();
    expect(first).toMatchObject({ cause: `order-placed:${anOrder}`, subject: 'Your Ruhani order RH-4WPDX9CT is placed' });
    expect(first?.text).toMatch(/19\s–\s21 November/);
  });
});

describe('typed input', () => {
  const nasty = '<img src=x onerror=alert(1)>"\'&amp;';
  const typed = { ...home, name: nasty, address1: nasty };

  test('is plain text in the mail, never markup', async () => {
    await placeOrder({ shipping: typed, giftWrap: true, giftMessage: nasty, note: nasty });
    await react();
    const { html, text } = await onlyMail();
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;amp;');
    expect(text).toContain(nasty);
  });

  test.each(['Meera\r\nBcc: evil@example.com', 'Meera\nBcc: evil@example.com\n\nBody', 'Meera%0d%0aBcc: evil@example.com'])(
    'never gets into a header, even from old events: %j',
    async (name) => {
      const data = { ...created().data, shippingAddress: { ...home, name } };
      const history: readonly OrderEvent[] = [{ ...created(), data } as OrderEvent, placed()];
      await shop.store.append(`order-${anOrder}`, NO_STREAM, history, metadata());
      await react();
      const server = await openMailServer();
      const transport = smtpTransport({ url: server.url, sender: 'care@ruhani.example' });
      await sendDue({
        db: shop.db,
        outbox: shop.outbox,
        orderPage: () => '',
        transport,
        now: () => new Date(),
        log: pino({ level: 'silent' }),
      });
      transport.close();
      await server.close();
      expect(server.received).toMatchObject([{ to: ['meera@example.com'] }]);
      const { headers } = await PostalMime.parse(server.received[0]?.source ?? '');
      expect(headers.map(({ key }) => key).toSorted()).toEqual(
        ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
      );
    },
  );
});
