import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { created, home, placed } from '#domain/testing/orders.ts';
import { formTyped, selectLastAddress, selectCheckoutForm } from './checkout/checkout-slice.ts';
import {
  cancelRequested,
  createRequested,
  draftLeft,
  findFailure,
  orderRequested,
  orderReset,
  ordersRequested,
  placeRequested,
  refreshRequested,
  returnRequested,
  selectOrder,
} from './order-slice.ts';
import { left, openOrders, type Answer } from './testing/open-orders.tsx';
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

const later = () => {
  let answer: (answer: Answer) => void = () => {};
  const promise = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  return { promise, answer: (given: Answer) => answer(given) };
};

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

describe('creating an order', () => {
  test('sends the form, stores the order and opens its review', async () => {
    const shop = openOrders({ 'create-order': { status: 201, data: { order: draft } } });
    shop.store.dispatch(checkOut);
    expect(orderOf(shop)).toMatchObject({ loading: true, error: null, success: false });
    await becomes(shop, { loading: false, success: true, currentOrder: draft });
    expect(shop.asked).toEqual([{ path: 'create-order', body: FORM, key: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(shop.visited).toEqual([`/review-order/${ID}`]);
  });

  test('waits for pending cart changes, and stops when the server refused one', async () => {
    const shop = openOrders({ 'create-order': { status: 201, data: { order: draft } } }, { drained: () => false });
    shop.store.dispatch(checkOut);
    await becomes(shop, { loading: false, error: 'Your cart was not saved as it is shown here. Please check it and try again.' });
    expect(shop.asked).toEqual([]);
  });

  test('ignores a second request while the first is running', async () => {
    const answer = later();
    const shop = openOrders({ 'create-order': answer.promise });
    shop.store.dispatch(checkOut);
    shop.store.dispatch(checkOut);
    answer.answer({ status: 201, data: { order: draft } });
    await ended(shop);
    expect(shop.calls('create-order')).toHaveLength(1);
  });

  test('does not navigate after the shopper has left the page, and can be repeated', async () => {
    const answers: Record<string, Answer | Promise<Answer>> = {};
    const first = later();
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

  test('keeps its idempotency key while the server is still processing the request', async () => {
    const answers: Record<string, Answer> = { 'create-order': { status: 409, data: { message: 'Ask again', code: 'request_under_way' } } };
    const shop = openOrders(answers);
    shop.store.dispatch(checkOut);
    await ended(shop);
    shop.store.dispatch(checkOut);
    await ended(shop);
    expect(new Set(shop.calls('create-order').map(({ key }) => key)).size).toBe(1);
  });

  test('keeps its idempotency key after a lost answer and gets a new one after an answer', async () => {
    const answers: Record<string, Answer | 'gone'> = { 'create-order': 'gone' };
    const shop = openOrders(answers);
    shop.store.dispatch(checkOut);
    await becomes(shop, { loading: false, error: 'The shop did not answer. Check your connection and try again.' });
    answers['create-order'] = { status: 201, data: { order: draft } };
    shop.store.dispatch(checkOut);
    await becomes(shop, { success: true });
    shop.store.dispatch(checkOut);
    await becomes(shop, { success: true });
    const [lost, repeated, anew] = shop.calls('create-order').map(({ key }) => key);
    expect(repeated).toBe(lost);
    expect(anew).not.toBe(lost);
  });

  test('keeps its idempotency key after a 5xx', async () => {
    const shop = openOrders({ 'create-order': { status: 503, data: { message: 'Not now', code: 'unavailable' } } });
    shop.store.dispatch(checkOut);
    await ended(shop);
    shop.store.dispatch(checkOut);
    await ended(shop);
    expect(new Set(shop.calls('create-order').map(({ key }) => key)).size).toBe(1);
  });

  test('logs a failure without the address, and keeps its details in the state', async () => {
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

  test('checks the session when the server does not know the cart', async () => {
    const shop = openOrders({ 'create-order': { status: 400, data: { message: 'Your cart is empty', code: 'cart_empty' } } });
    shop.store.dispatch(checkOut);
    await becomes(shop, { error: 'Your cart is empty' });
    expect(shop.told).toEqual(['cartChanged', 'sessionDoubted']);
  });
});

describe('placing an order', () => {
  const place = placeRequested({ id: ID, method: 'COD' });

  test('sends the payment method, stores the placed order and makes the cart refetch', async () => {
    const shop = openOrders({ [`place-order/${ID}`]: { data: pending } });
    shop.store.dispatch(place);
    await becomes(shop, { loading: false, success: true, currentOrder: pending });
    expect(shop.asked).toMatchObject([{ body: { method: 'COD' }, key: expect.any(String) }]);
    expect(shop.told).toEqual(['cartChanged']);
  });

  test('ignores a second request while the first is running', async () => {
    const answer = later();
    const shop = openOrders({ [`place-order/${ID}`]: answer.promise });
    shop.store.dispatch(place);
    shop.store.dispatch(place);
    answer.answer({ data: pending });
    await ended(shop);
    expect(shop.asked).toHaveLength(1);
  });

  test('fetches the order if it was placed elsewhere with the other payment method', async () => {
    const shop = openOrders({
      [`place-order/${ID}`]: { status: 409, data: { message: 'Order already placed', code: 'order_already_placed' } },
      [`get-order/${ID}`]: { data: answered(created(), placed('Prepaid')) },
    });
    shop.store.dispatch(place);
    await becomes(shop, { currentOrder: { paymentMethod: 'Prepaid' } });
  });
});

describe('refreshing a draft', () => {
  test('sends the same form again, and keeps the previous order for comparison', async () => {
    const now = answered(dearer);
    const shop = openOrders({ 'create-order': { data: { order: now } } });
    const words = mapOrderTexts((field) => `Words of ${field}`);
    const before = answered(created(words));
    shop.store.dispatch(refreshRequested(before));
    await becomes(shop, { currentOrder: now, success: true });
    expect(shop.asked).toMatchObject([{ body: { ...FORM, ...words } }]);
    expect(selectLastAddress(shop.store.getState())).toEqual(before);
    expect(shop.visited).toEqual([]);
  });

  test('opens the new order if the cart has changed', async () => {
    const other = { ...draft, _id: 'another' };
    const shop = openOrders({ 'create-order': { data: { order: other } } });
    shop.store.dispatch(refreshRequested(draft));
    await becomes(shop, { currentOrder: other });
    expect(shop.visited).toEqual(['/review-order/another']);
  });
});

describe('fetching orders', () => {
  test('stores the orders of the signed-in shopper', async () => {
    const shop = openOrders({ 'get-AllOrders': { data: { orders: [pending] } } });
    shop.store.dispatch(ordersRequested(undefined));
    await becomes(shop, { loading: false, orders: [pending] });
  });

  test('checks the session after a 401', async () => {
    const shop = openOrders({ 'get-AllOrders': { status: 401, data: { message: 'Not signed in', code: 'not_signed_in' } } });
    shop.store.dispatch(ordersRequested(undefined));
    await becomes(shop, { loading: false, error: 'Not signed in' });
    expect(shop.told).toEqual(['sessionDoubted']);
  });

  test('shows the order requested last, whichever answer comes first', async () => {
    const first = later();
    const shop = openOrders({ 'get-order/a': first.promise, 'get-order/b': { data: { ...pending, _id: 'b' } } });
    shop.store.dispatch(orderRequested('a'));
    shop.store.dispatch(orderRequested('b'));
    await becomes(shop, { currentOrder: { _id: 'b' } });
    first.answer({ data: { ...pending, _id: 'a' } });
    await first.promise;
    await Promise.resolve();
    expect(orderOf(shop).currentOrder?._id).toBe('b');
  });
});

test('a late failure of one call is not reported for another', async () => {
  const placing = later();
  const shop = openOrders({ [`place-order/${ID}`]: placing.promise, [`get-order/${ID}`]: { data: draft } });
  shop.store.dispatch(placeRequested({ id: ID, method: 'COD' }));
  shop.store.dispatch(orderRequested(ID));
  await becomes(shop, { currentOrder: draft, loading: true });
  placing.answer({ status: 503, data: { message: 'Not now' } });
  await becomes(shop, { loading: false, error: 'Not now' });
  expect(findFailure(orderOf(shop), 'fetch')).toBeNull();
  expect(findFailure(orderOf(shop), 'place')).toMatchObject({ message: 'Not now' });
});

describe('cancelling and returning', () => {
  test('store the changed order', async () => {
    const shop = openOrders({
      [`cancel/${ID}`]: { data: orderThatIs('cancelled') },
      [`return/${ID}`]: { data: orderThatIs('returned') },
    });
    shop.store.dispatch(cancelRequested({ id: ID, reason: 'Too late' }));
    await becomes(shop, { currentOrder: { status: 'cancelled' } });
    shop.store.dispatch(returnRequested({ id: ID, reason: '', opened: false }));
    await becomes(shop, { currentOrder: { status: 'returned' } });
    expect(shop.asked.map(({ body }) => body)).toEqual([{ reason: 'Too late' }, { reason: '', opened: false }]);
  });

  test.each([cancelRequested({ id: ID, reason: '' }), returnRequested({ id: ID, reason: '', opened: true })])(
    '$type: stores the refusal of the server',
    async (request) => {
      const refusal: Answer = { status: 409, data: { message: 'The order is shipped and cannot become cancelled' } };
      const shop = openOrders({ [`cancel/${ID}`]: refusal, [`return/${ID}`]: refusal });
      shop.store.dispatch(request);
      await becomes(shop, { loading: false, error: 'The order is shipped and cannot become cancelled' });
    },
  );
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
  const answer = later();
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
