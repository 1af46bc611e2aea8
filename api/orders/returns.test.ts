import { expect, test } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import type { DeskReturnView } from '#projections/orders/desk-return-queries.ts';
import { add, oudSaffronMajlis, ruhGulab } from '#domain/testing/products.ts';

import { getFresh, type Answer } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { catchUp, openShopForFile } from '../testing/test-shop.ts';
import { admin, form, ordering, signedInAs, type OrderingBrowser } from './testing/ordering.ts';

type Listed = { readonly returns: readonly DeskReturnView[]; readonly nextCursor: string | null; readonly counts: object };

const shop = await openShopForFile({ people: { admin }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
await change([shop], ruhGulab, add());
const desk = await signedInAs(shop, admin);
await desk.send('PUT', `/api/admin/stock/${oudSaffronMajlis}`, { body: { count: 1_000 } });
const at = ordering(shop);

/** Two Oud Saffron Majlis and one Ruh Gulab in a gift wrap are delivered and, if they were to be, paid. */
const delivered = async (method: 'COD' | 'Prepaid', isPaid = true): Promise<string> => {
  for (const _id of [oudSaffronMajlis, oudSaffronMajlis, ruhGulab]) await at.add({ _id });
  const { order } = await at.create({ ...form, giftWrap: true });
  const id = order._id;
  expect((await at.place(id, { method, again: true })).status).toBe(200);
  if (method === 'Prepaid') await at.post(`/dev/payments/${await at.payLink(id)}/pay`, {});
  if (method === 'Prepaid') await expect.poll(async () => (await at.order(id)).order.payment.status).toBe('paid');
  for (const status of ['confirmed', 'shipped', 'delivered']) expect((await desk.move(id, status)).status).toBe(200);
  if (method === 'COD' && isPaid) await desk.send('PUT', `/api/admin/order/${id}/cash`, { body: { amount: order.total } });
  return id;
};
const ask = (id: string, lines?: readonly { readonly productId: ProductId; readonly quantity: number }[], who: OrderingBrowser = at) =>
  who.giveBack(id, { reason: 'Not for me', opened: false, lines });
const receive = (id: string, restock: boolean) => desk.handleReturn(id, { received: true, restock });
const seen = async (id: string): Promise<OrderView> => (await at.order(id)).order;
const onHand = async (): Promise<number> =>
  ((await desk.get(`/api/admin/stock/${oudSaffronMajlis}`)).body as { stock: { onHand: number } }).stock.onHand;
const credited = async (id: string) => {
  const { body } = await getFresh(at, `/api/order/${id}/invoice`);
  return (body as { creditNotes: { total: number; lines: { name: string; quantity: number }[]; giftWrap: number }[] }).creditNotes;
};
const list = async (query: string) => {
  await catchUp(shop);
  return (await desk.get(`/api/admin/returns?${query}`)).body as Listed;
};
const listed = async (status: string) => (await list(`status=${status}`)).returns.map(({ _id }) => _id);
const nextOf = async (next: string) => {
  await catchUp(shop);
  return ((await desk.get(`/api/admin/orders?next=${next}`)).body as { orders: { _id: string }[] }).orders.map(({ _id }) => _id);
};
const rejected = (answer: Answer, status: number, body: object) => expect(answer).toMatchObject({ status, body });
const oud = (quantity: number) => ({ productId: oudSaffronMajlis, quantity });

test('a paid order comes back in two parts: each is decided, received, credited and refunded, and put back into stock or not', async () => {
  const id = await delivered('Prepaid');
  // The two bottles leave the stock a moment after the shipment.
  const before = 998;
  await expect.poll(onHand).toBe(before);
  const asked = await ask(id, [oud(1)]);
  expect(asked).toMatchObject({
    status: 200,
    order: {
      status: 'delivered',
      return: { _id: `${id}-1`, status: 'requested', lines: [oud(1)], value: 4071, reason: 'Not for me', requestedAt: expect.any(String) },
    },
  });
  rejected(await ask(id), 409, { code: 'return_open' });
  rejected(await receive(id, true), 409, { code: 'return_settled', message: 'This return is not accepted yet' });
  const accepted = await desk.handleReturn(id, { decision: 'accepted', note: 'Write the number on it' });
  expect(accepted).toMatchObject({
    status: 200,
    order: { return: { status: 'accepted', note: 'Write the number on it', decidedAt: expect.any(String) }, mailProblem: null },
  });
  expect((await desk.handleReturn(id, { decision: 'accepted' })).order).toEqual(accepted.order);
  rejected(await desk.handleReturn(id, { decision: 'refused' }), 409, { message: 'This return was accepted' });
  // A shopper's click, and a decision, neither credit nor refund anything.
  expect([await credited(id), (await seen(id)).payment.refunds, await onHand()]).toEqual([[], [], before]);

  expect(await receive(id, true)).toMatchObject({
    status: 200,
    order: { status: 'delivered', return: { status: 'received', restock: true }, payment: { status: 'refunding' } },
  });
  rejected(await receive(id, false), 409, { message: 'This return was received and put back into stock' });
  expect((await receive(id, true)).status).toBe(200);
  expect(await credited(id)).toMatchObject([{ total: 4071, giftWrap: 0, lines: [{ name: 'Oud Saffron Majlis', quantity: 1 }] }]);
  await expect
    .poll(async () => (await seen(id)).payment)
    .toMatchObject({ status: 'partly_refunded', refunded: 4071, refunds: [{ amount: 4071, return: 1 }] });
  await expect.poll(onHand).toBe(before + 1);

  rejected(await ask(id, [oud(2)]), 409, {
    code: 'return_exceeds_order',
    message: 'More than was bought',
    errors: { [oudSaffronMajlis]: 'Only 1 can come back' },
  });
  expect(await ask(id)).toMatchObject({
    status: 200,
    order: { return: { _id: `${id}-2`, value: 8181, lines: [oud(1), { productId: ruhGulab, quantity: 1 }] } },
  });
  await desk.handleReturn(id, { decision: 'accepted' });
  expect(await receive(id, false)).toMatchObject({
    status: 200,
    order: { status: 'returned', returns: [{ status: 'received' }, { status: 'received', restock: false }] },
  });
  expect(await credited(id)).toMatchObject([{}, { total: 8181, giftWrap: 39 }]);
  await expect.poll(async () => (await seen(id)).payment).toMatchObject({ status: 'refunded', refunded: 12_252 });
  rejected(await ask(id), 409, { code: 'nothing_to_return' });
  expect(await onHand()).toBe(before + 1);
  const { body } = await at.get(`/api/order/${id}/explain`);
  expect((body as { amounts: object[] }).amounts.at(-1)).toMatchObject({
    name: 'refunded',
    amount: 12_252,
    parts: [{ label: 'Refund of return 1' }, { label: 'Refund of return 2' }],
  });
});

test('orders whose cash is to be sent back are listed once, with returns or without one, until staff have sent it', async () => {
  const [asked, too, twice] = [await delivered('COD'), await delivered('COD'), await delivered('COD')];
  const refund = (id: string, body: object) => desk.send('PUT', `/api/admin/order/${id}/refund`, { body });
  const listedNext = async () => [await nextOf('refund'), (await desk.get('/api/admin/orders/next')).body];
  for (const id of [asked, too])
    expect((await refund(id, { amount: 500, reason: 'A broken bottle' })).body).toMatchObject({ payment: { status: 'refunding' } });
  for (const _ of [1, 2]) {
    await ask(twice, [oud(1)]);
    await desk.handleReturn(twice, { decision: 'accepted' });
    expect((await receive(twice, false)).status).toBe(200);
  }
  await expect.poll(() => listed('to_refund')).toEqual([`${twice}-2`, `${twice}-1`]);
  expect((await list('')).counts).toMatchObject({ to_refund: 2 });
  expect(await listedNext()).toMatchObject([[twice, too, asked], { refund: 3 }]);
  for (const id of [asked, too, twice]) expect((await refund(id, { reference: 'UTR 4326' })).status).toBe(200);
  expect(await listedNext()).toMatchObject([[], { refund: 0 }]);
});

test('collected cash is refunding until staff name the transfer, and an order that was never paid for refunds nothing', async () => {
  const [paid, unpaid] = [await delivered('COD'), await delivered('COD', false)];
  for (const id of [paid, unpaid]) {
    await ask(id, [oud(2)]);
    await desk.handleReturn(id, { decision: 'accepted' });
    expect((await receive(id, false)).status).toBe(200);
  }
  await expect
    .poll(async () => (await seen(paid)).payment)
    .toMatchObject({ status: 'refunding', refunds: [{ _id: 'cash-1', amount: 8142 }] });
  // The order's page shows the refund as soon as it is certain; the desk lists it once it is requested.
  await expect.poll(() => listed('to_refund')).toEqual([`${paid}-1`]);
  expect(await nextOf('refund')).toEqual([paid]);
  const note = (id: string, body: object) => desk.send('PUT', `/api/admin/order/${id}/refund`, { body });
  for (const wrong of [
    { reference: ' ' },
    { reference: 'x'.repeat(101) },
    { reference: 'UTR 4326', amount: 0 },
    { reference: 'UTR 4326', reason: 'x' },
    { reason: 'x' },
    {},
  ])
    rejected(await note(paid, wrong), 400, { errors: expect.any(Object) });
  // The dialog was opened before the bottles came back, for a refund that the desk asked for.
  rejected(await note(paid, { reference: 'UTR 4326', amount: 500 }), 409, {
    code: 'cash_refund_differs',
    message: '₹8,142.00 is to be sent back now, not ₹500.00. Nothing was changed. Please look at the order again.',
  });
  expect((await seen(paid)).payment).toMatchObject({ status: 'refunding', refunded: 0 });
  for (const body of [{ reference: 'UTR 4326', amount: 8142 }, { reference: 'UTR 4326' }])
    expect(await note(paid, body)).toMatchObject({
      status: 200,
      body: { payment: { status: 'partly_refunded', refunded: 8142, refunds: [{ reference: 'UTR 4326' }] } },
    });
  expect(await listed('to_refund')).not.toContain(`${paid}-1`);
  rejected(await note(paid, { reference: 'UTR 4327' }), 409, { code: 'no_cash_refund' });
  rejected(await note(unpaid, { reference: 'UTR 4326' }), 409, { code: 'no_cash_refund' });
  expect(await credited(unpaid)).toMatchObject([{ total: 8142 }]);
  expect((await seen(unpaid)).payment).toMatchObject({ status: 'on_delivery', refunds: [] });
  // The courier brings the cash after the bottles came back.
  await desk.send('PUT', `/api/admin/order/${unpaid}/cash`, { body: { amount: 12_252 } });
  await expect.poll(async () => (await seen(unpaid)).payment).toMatchObject({ status: 'refunding', refunds: [{ amount: 8142 }] });
});

test('wrong input changes nothing', async () => {
  const id = await delivered('COD');
  const lines = (...given: readonly unknown[]) => at.giveBack(id, { reason: 'Not for me', opened: false, lines: given });
  for (const wrong of [
    lines(),
    lines(oud(0)),
    lines(oud(1.5)),
    lines({ ...oud(1), quantity: '1' }),
    lines({ quantity: 1 }),
    lines(null),
    lines({ productId: 'NO ID', quantity: 1 }),
  ])
    rejected(await wrong, 400, { errors: expect.any(Object) });
  rejected(await lines({ productId: 'musk', quantity: 1 }), 409, { errors: { musk: 'None can come back' } });
  rejected(await lines(oud(1_000)), 409, { code: 'return_exceeds_order' });
  rejected(await desk.handleReturn(id, { decision: 'accepted' }), 404, { code: 'return_not_found' });
  await ask(id);
  for (const wrong of [
    {},
    { decision: 'perhaps' },
    { received: true },
    { restock: true },
    { received: false, restock: true },
    { decision: 'accepted', received: true, restock: true },
    { decision: 'accepted', note: 'x'.repeat(501) },
    { decision: 'accepted', return: 0 },
    { decision: 'accepted', return: '1' },
  ])
    rejected(await desk.handleReturn(id, wrong), 400, { errors: expect.any(Object) });
  rejected(await at.handleReturn(id, { decision: 'accepted' }), 401, {});
  rejected(await desk.handleReturn(id, { decision: 'accepted', return: 2 }), 404, { code: 'return_not_found' });
  rejected(await desk.move(id, 'returned'), 409, { code: 'illegal_transition' });
  expect(await desk.handleReturn(id, { decision: 'refused', note: 'It was opened' })).toMatchObject({
    status: 200,
    order: { return: { status: 'refused', note: 'It was opened' } },
  });
  rejected(await receive(id, true), 409, { message: 'This return was refused' });
  expect(await seen(id)).toMatchObject({ status: 'delivered', returns: [{ status: 'refused' }] });
});

test('staff list returns by what is to be done, newest first, page by page', async () => {
  const [first, second, third] = [await delivered('COD'), await delivered('COD'), await delivered('COD')];
  const before = (await list('')).counts as { requested: number; accepted: number };
  for (const id of [first, second, third]) await ask(id, [oud(1)]);
  await desk.handleReturn(second, { decision: 'accepted' });
  await desk.handleReturn(third, { decision: 'refused' });
  const all = await list('');
  expect(all.returns.slice(0, 3).map(({ _id }) => _id)).toEqual([third, second, first].map((id) => `${id}-1`));
  const { return: newest, orderNumber } = await seen(third);
  expect(all.returns[0]).toEqual({ ...newest, orderId: third, orderNumber, order: await seen(third) });
  expect(all.counts).toMatchObject({ requested: before.requested + 1, accepted: before.accepted + 1 });
  expect([(await nextOf('decide'))[0], (await nextOf('receive'))[0]]).toEqual([first, second]);
  expect((await desk.get('/api/admin/orders/next')).body).toMatchObject({ decide: before.requested + 1, receive: before.accepted + 1 });
  expect((await listed('waiting')).slice(0, 2)).toEqual([`${second}-1`, `${first}-1`]);
  expect([(await listed('requested'))[0], (await listed('accepted'))[0], (await listed('refused'))[0]]).toEqual([
    `${first}-1`,
    `${second}-1`,
    `${third}-1`,
  ]);
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && pages.length < all.returns.length;) {
    const page: Listed = await list(`limit=1${cursor && `&cursor=${cursor}`}`);
    pages.push(...page.returns.map(({ _id }) => _id));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual(all.returns.map(({ _id }) => _id));
  const tooLate = Buffer.from(`999999999999999 ${first}-1`).toString('base64url');
  for (const wrong of ['status=lost', 'cursor=x', `cursor=${tooLate}`, 'limit=0'])
    rejected(await desk.get(`/api/admin/returns?${wrong}`), 400, { errors: expect.any(Object) });
});
