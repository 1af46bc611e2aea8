import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import type { OrderView } from '#domain/order/view.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { home } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { hashOf } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import type { MailProblem } from '../mail/unsent-order-mails.ts';
import { openMailServer } from '../mail/testing/mail-server.ts';
import { metadata } from '../payments/desk/testing/desk-orders.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { admin, ordering, signedInAs, type OrderingBrowser } from './testing/ordering.ts';

type DeskOrder = OrderView & { readonly mailProblem: MailProblem | null };

const WRONG = 'mira@example.com';
const RIGHT = 'meera.nair@example.com';

const server = await openMailServer();
afterAll(() => server.close());
const shop = await openShopForFile({ people: { admin, smtpUrl: server.url }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const staff = await signedInAs(shop, admin);

let at: OrderingBrowser;
let id: OrderView['_id'];
let number: OrderView['orderNumber'];
const shown = async (): Promise<DeskOrder> => (await staff.order(id)).body as DeskOrder;
const onDesk = async (of = id): Promise<DeskOrder | undefined> =>
  ((await staff.get('/api/admin/orders')).body as { orders: DeskOrder[] }).orders.find(({ _id }) => _id === of);
const correct = async (email: unknown = RIGHT, reason: unknown = 'She called', of: string = id) =>
  await staff.send('PUT', `/api/admin/order/${of}/email`, { body: { email, reason } });

/** Returns the subjects of the mails about an order; those about other tests' orders may still arrive. */
const mailsTo = (address: string, about = number): readonly string[] =>
  server.received
    .flatMap(({ to, source }) => (to.includes(address) ? (/^subject: (.*)$/im.exec(source)?.[1] ?? '') : []))
    .filter((subject) => subject.includes(`order ${about} `));

/** Buys with the wrong address, which the mail server refuses. */
const buyInVain = async (): Promise<OrderView> => {
  server.behave({ refuse: { code: 550, at: 'recipient' } });
  const order = await at.buy({ shipping: { ...home, email: WRONG } });
  await expect.poll(async () => (await onDesk(order._id))?.mailProblem?.to).toBe(WRONG);
  server.behave({});
  return order;
};

beforeEach(async () => {
  at = ordering(shop);
  ({ _id: id, orderNumber: number } = await buyInVain());
});

describe('a mail that was given up', () => {
  test('is shown on its order to the staff, and not to its shopper', async () => {
    const mailProblem = {
      to: WRONG,
      reason: 'The mail server refused the address (EENVELOPE 550)',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(await shown()).toMatchObject({ mailProblem });
    expect(await onDesk()).toMatchObject({ mailProblem });
    expect((await staff.move(id, 'confirmed')).body).toMatchObject({ mailProblem });
    expect((await at.order(id)).body).not.toHaveProperty('mailProblem');
  });

  test('is shown to all staff who read orders, in the list and alone', async () => {
    const mine = await hashOf(shop, admin.email);
    const become = (role: string) => shop.pool.query('update shop.users set roles = $1 where address_hash = $2', [[role], mine]);
    await become('money');
    const seen = [await onDesk(), await shown()];
    await become('owner');
    for (const each of seen) expect(each).toMatchObject({ mailProblem: { to: WRONG } });
  });

  test('is sent again to the corrected address of its order, as are later mails; other orders stay as they are', async () => {
    const other = await buyInVain();
    const answer = await correct(' Meera.Nair@Example.com ');
    expect(answer).toMatchObject({
      status: 200,
      body: { _id: id, shippingAddress: { email: 'Meera.Nair@example.com' }, mailProblem: null },
    });
    await expect.poll(() => mailsTo('Meera.Nair@example.com')).toHaveLength(1);
    expect(mailsTo('Meera.Nair@example.com')[0]).toContain('is placed');
    await expect.poll(async () => (await onDesk())?.shippingAddress.email).toBe('Meera.Nair@example.com');
    expect(await onDesk()).toMatchObject({ mailProblem: null });
    expect((await at.order(id)).order.shippingAddress).toEqual({ ...home, email: 'Meera.Nair@example.com' });

    await staff.move(id, 'cancelled');
    await expect.poll(() => mailsTo('Meera.Nair@example.com')).toHaveLength(2);
    expect(await onDesk(other._id)).toMatchObject({ shippingAddress: { email: WRONG }, mailProblem: { to: WRONG } });
    expect([...mailsTo(WRONG), ...mailsTo(WRONG, other.orderNumber)]).toEqual([]);
  });

  test('is sent again to the same address, if that works now', async () => {
    expect((await correct(WRONG)).body).toMatchObject({ mailProblem: null });
    await expect.poll(() => mailsTo(WRONG)).toHaveLength(1);
    expect((await shop.store.read(orderStream(id))).events.map(({ type }) => type)).not.toContain('OrderEmailCorrected');
  });

  test('is sent again although the process that corrected the address has died', async () => {
    await shop.execute(order, orderStream(id), { type: 'CorrectEmail', email: RIGHT, reason: 'She called', now: shop.now() }, metadata());
    await expect.poll(() => mailsTo(RIGHT)).toHaveLength(1);
    expect(await shown()).toMatchObject({ mailProblem: null });
  });
});

test('a mail that was written under another secret stops neither the desk nor the correction of its order', async () => {
  await shop.pool.query(`update shop.outbox set content = set_byte(content, 20, 255 - get_byte(content, 20)) where cause = $1`, [
    `order-placed:${id}`,
  ]);
  const reason = 'The mail was written under another SESSION_SECRET and cannot be read any more';
  const mailProblem = { to: null, reason, at: expect.any(String) };
  expect(await onDesk()).toMatchObject({ mailProblem });
  expect(await staff.move(id, 'confirmed')).toMatchObject({ status: 200, body: { mailProblem } });
  await expect.poll(() => mailsTo(WRONG)).toHaveLength(1);
  expect(await correct()).toMatchObject({ status: 200, body: { shippingAddress: { email: RIGHT }, mailProblem } });
  await staff.move(id, 'cancelled');
  await expect.poll(() => mailsTo(RIGHT)).toHaveLength(1);
});

test('an answer whose mail was given up is shown on its message to the staff', async () => {
  const listed = async () => ((await staff.get('/api/contact?limit=1')).body as { data: { _id: string; mailProblem: unknown }[] }).data[0];
  await at.post('/api/contact', { name: 'Mira', email: WRONG, message: 'Is the rose here?' });
  expect(await listed()).toMatchObject({ mailProblem: null });
  const { _id: message } = (await listed()) ?? expect.fail('no message');
  server.behave({ refuse: { code: 550, at: 'recipient' } });
  const answer = (again: boolean) => staff.send('PUT', `/api/contact/${message}`, { body: { answer: 'It is.', again } });
  expect((await answer(false)).body).toMatchObject({ _id: message, mailProblem: null });
  const mailProblem = { to: WRONG, reason: 'The mail server refused the address (EENVELOPE 550)', at: expect.any(String) };
  await expect.poll(listed).toMatchObject({ mailProblem });
  server.behave({});
  expect((await answer(true)).body).toMatchObject({ mailProblem });
});

test('a mail about somebody of the same id is no problem of a message', async () => {
  await at.post('/api/contact', { name: 'Mira', email: WRONG, message: 'Is the rose here?' });
  await shop.pool.query(`update shop.outbox set cause = 'subscribed:' || (select max(id) from shop.contact_messages) where id =
    (select id from shop.outbox where state = 'parked' limit 1)`);
  expect((await staff.get('/api/contact?limit=1')).body).toMatchObject({ data: [{ mailProblem: null }] });
});

describe('the correction of an address', () => {
  test.each([
    ['a@b!c', 'She called', { email: NOT_AN_EMAIL }],
    [undefined, 'She called', { email: expect.any(String) }],
    [RIGHT, ' ', { reason: 'Required' }],
    [RIGHT, 'x'.repeat(501), { reason: 'Please use at most 500 characters' }],
  ])('is refused for %j and %j', async (email, reason, errors) =>
    expect(await correct(email ?? null, reason)).toMatchObject({ status: 400, body: { errors } }),
  );

  test('is refused for a draft and an unknown order', async () => {
    const { _id: draft } = await at.draft();
    for (const each of [draft, crypto.randomUUID()]) expect((await correct(RIGHT, 'She called', each)).status).toBe(404);
  });

  test('is an event of its admin, whose personal texts are sealed, and are erased with the order', async () => {
    await correct();
    const { events } = await shop.store.read(orderStream(id));
    expect(events.at(-1)).toMatchObject({ type: 'OrderEmailCorrected', data: { email: RIGHT, reason: 'She called' } });
    expect(events.at(-1)?.metadata.actor).toMatchObject({ kind: 'admin' });
    const stored = (await shop.store.storedStream(orderStream(id))).map(({ data }) => data).join();
    for (const text of [RIGHT, 'She called']) expect(stored).not.toContain(text);

    await at.cancel(id);
    expect((await at.post(`/api/order/erase/${id}`, {})).status).toBe(200);
    await expect.poll(async () => (await shown()).shippingAddress.email).toBe('erased');
    expect((await shop.store.read(orderStream(id))).events.find(({ type }) => type === 'OrderEmailCorrected')).toMatchObject({
      data: { email: 'erased', reason: 'erased' },
    });
    expect(await correct('new@example.com')).toMatchObject({
      status: 409,
      body: { message: 'The data of this shopper was erased. There is nobody to write to.' },
    });
  });
});
