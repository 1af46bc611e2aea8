import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { created, home, placed } from '#domain/testing/orders.ts';
import { formTyped, selectCheckoutForm } from './checkout/checkout-slice.ts';
import {
  createRequested,
  draftLeft,
  findFailure,
  orderRequested,
  orderReset,
  ordersRequested,
  placeRequested,
  refreshRequested,
  selectOrder,
} from './order-slice.ts';
import { createLateAnswer, type Answer } from '../../testing/shop.tsx';
import { left, openOrders, type Answers } from './testing/open-orders.tsx';
import { answered, dearer, ID, orderThatIs } from './testing/sample-orders.ts';

const FORM = { ...BLANK_FORM, shipping: home };
const LINES = [{ productId: 'oud-saffron-majlis', quantity: 2 }];
const checkOut = createRequested({ form: FORM, lines: LINES });
const draft = orderThatIs('created');
const pending = orderThatIs('pending');

type Shop = ReturnType<typeof openOrders>;
const orderOf = ({ store }: Shop) => selectOrder(store.getState());
const becomes = (shop: Shop, expected: object) => expect.poll(() => orderOf(shop)).toMatchObject(expected);
const ended = (shop: Shop) => becomes(shop, { loading: false });

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

test.each([
  ['create-order', checkOut, { order: draft }],
  [`place-order/${ID}`, placeRequested({ id: ID, method: 'COD' }), pending],
])('%s: ignores a second request while the first is running', async (path, request, data) => {
  const { promise, answer } = createLateAnswer();
  const shop = openOrders({ [path]: promise });
  shop.store.dispatch(request);
  shop.store.dispatch(request);
  answer({ data });
  await ended(shop);
  expect(shop.asked).toHaveLength(1);
});

test('creating an order waits for pending cart changes, and stops when the server refused one', async () => {
  const shop = openOrders({ 'create-order': { status: 201, data: { order: draft } } }, { drained: () => false });
  shop.store.dispatch(checkOut);
  await becomes(shop, { loading: false, error: 'Your cart was not saved as it is shown here. Please check it and try again.' });
  expect(shop.asked).toEqual([]);
});

test('creating an order does not navigate after the shopper has left the page, and can be repeated', async () => {
  const answers: Answers = {};
  const first = createLateAnswer();
  const other = answered(dearer);
  answers['create-order'] = first.promise;
  const shop = openOrders(answers);
  shop.store.dispatch(checkOut);
  await expect.poll(() => shop.calls('create-order')).toHaveLength(1);
  shop.store.dispatch(draftLeft());
  expect(orderOf(shop)).toMatchObject({ loading: false });
  answers['create-order'] = { status: 201, data: { order: other } };
  shop.store.dispatch(createRequested({ form: { ...FORM, giftWrap: true }, lines: LINES }));
  await becomes(shop, { currentOrder: other });
  first.answer({ status: 201, data: { order: draft } });
  await first.promise;
  expect(orderOf(shop).currentOrder).toEqual(other);
  expect(shop.visited).toEqual([`/review-order/${ID}`]);
});

test.each<[string, Answer | 'gone', string]>([
  ['a lost answer', 'gone', 'The shop did not answer. Check your connection and try again.'],
  ['a 5xx', { status: 503, data: { message: 'Not now', code: 'unavailable' } }, 'Not now'],
  ['a call that still runs', { status: 409, data: { message: 'Ask again', code: 'request_under_way' } }, 'Ask again'],
])('creating an order keeps its idempotency key after %s and gets a new one after an answer', async (_, lost, error) => {
  const answers: Answers = { 'create-order': lost };
  const shop = openOrders(answers);
  shop.store.dispatch(checkOut);
  await becomes(shop, { loading: false, error });
  answers['create-order'] = { status: 201, data: { order: draft } };
  for (let time = 0; time < 2; time++) {
    shop.store.dispatch(checkOut);
    await becomes(shop, { success: true });
  }
  const [first, repeated, anew] = shop.calls('create-order').map(({ key }) => key);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(repeated).toBe(first);
  expect(anew).not.toBe(first);
});

test('creating an order logs a failure without the address, and keeps its details in the state', async () => {
  const errors = { 'ruh-gulab': 'Ruh Gulab is no longer available' };
  const refusal = { message: 'Some items are no longer available', code: 'items_unavailable', errors };
  const shop = openOrders({ 'create-order': { status: 409, data: refusal } });
  shop.store.dispatch(checkOut);
  await becomes(shop, { loading: false, error: refusal.message, success: false });
  expect(findFailure(orderOf(shop), 'create')).toEqual({ ...refusal, status: 409 });
  expect(vi.mocked(console.error).mock.calls).toEqual([['Checkout: Some items are no longer available']]);
  expect(shop.told).toEqual(['cartChanged']);
  expect(shop.visited).toEqual([]);
});

test('an order that was placed elsewhere with the other payment method is fetched', async () => {
  const shop = openOrders({
    [`place-order/${ID}`]: { status: 409, data: { message: 'Order already placed', code: 'order_already_placed' } },
    [`get-order/${ID}`]: { data: answered(created(), placed('Prepaid')) },
  });
  shop.store.dispatch(placeRequested({ id: ID, method: 'COD' }));
  await becomes(shop, { currentOrder: { paymentMethod: 'Prepaid' } });
});

test('a refresh opens the new order if the cart has changed', async () => {
  const other = { ...draft, _id: 'another' };
  const shop = openOrders({ 'create-order': { data: { order: other } } });
  shop.store.dispatch(refreshRequested(draft));
  await becomes(shop, { currentOrder: other });
  expect(shop.visited).toEqual(['/review-order/another']);
});

test('fetching orders checks the session after a 401', async () => {
  const shop = openOrders({ 'get-AllOrders': { status: 401, data: { message: 'Not signed in', code: 'not_signed_in' } } });
  shop.store.dispatch(ordersRequested(undefined));
  await becomes(shop, { loading: false, error: 'Not signed in' });
  expect(shop.told).toEqual(['sessionDoubted']);
});

test('fetching orders shows the order requested last, whichever answer comes first', async () => {
  const first = createLateAnswer();
  const shop = openOrders({ 'get-order/a': first.promise, 'get-order/b': { data: { ...pending, _id: 'b' } } });
  shop.store.dispatch(orderRequested('a'));
  shop.store.dispatch(orderRequested('b'));
  await becomes(shop, { currentOrder: { _id: 'b' } });
  first.answer({ data: { ...pending, _id: 'a' } });
  await first.promise;
  await Promise.resolve();
  expect(orderOf(shop).currentOrder?._id).toBe('b');
});

test('a late failure of one call is not reported for another', async () => {
  const placing = createLateAnswer();
  const shop = openOrders({ [`place-order/${ID}`]: placing.promise, [`get-order/${ID}`]: { data: draft } });
  shop.store.dispatch(placeRequested({ id: ID, method: 'COD' }));
  shop.store.dispatch(orderRequested(ID));
  await becomes(shop, { currentOrder: draft, loading: true });
  placing.answer({ status: 503, data: { message: 'Not now' } });
  await becomes(shop, { loading: false, error: 'Not now' });
  expect(findFailure(orderOf(shop), 'fetch')).toBeNull();
  expect(findFailure(orderOf(shop), 'place')).toMatchObject({ message: 'Not now' });
});

test('a reset clears all but the list of orders', async () => {
  const shop = openOrders({ 'get-AllOrders': { data: { orders: [pending] } }, 'get-order/b': { data: { ...draft, _id: 'b' } } });
  shop.store.dispatch(ordersRequested(undefined));
  await becomes(shop, { orders: [pending] });
  shop.store.dispatch(orderRequested('b'));
  await becomes(shop, { currentOrder: { _id: 'b' } });
  shop.store.dispatch(orderReset());
  expect(orderOf(shop)).toMatchObject({
    orders: [pending],
    currentOrder: null,
    loading: false,
    error: null,
    success: false,
    placing: null,
  });
});

test('a logout cancels running requests, and later requests still work', async () => {
  const answer = createLateAnswer();
  const shop = openOrders({ 'get-AllOrders': answer.promise, [`get-order/${ID}`]: { data: draft } });
  shop.store.dispatch(ordersRequested(undefined));
  shop.store.dispatch(left());
  answer.answer({ data: { orders: [pending] } });
  shop.store.dispatch(orderRequested(ID));
  await becomes(shop, { currentOrder: draft, orders: [] });
});

test('after placing, the address is kept and the gift options are not', async () => {
  const shop = openOrders({ [`place-order/${ID}`]: { data: pending } });
  shop.store.dispatch(formTyped({ shipping: home, giftWrap: true, ...mapOrderTexts(() => 'For Amma') }));
  shop.store.dispatch(placeRequested({ id: ID, method: 'COD' }));
  await becomes(shop, { success: true });
  expect(selectCheckoutForm(shop.store.getState())).toEqual(FORM);
});
