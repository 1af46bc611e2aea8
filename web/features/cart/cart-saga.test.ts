import { call } from 'redux-saga/effects';
import { expect, test } from 'vitest';
import {
  alertClosed,
  callRepeated,
  cartOpened,
  cartRequested,
  itemAdded,
  itemRemoved,
  quantityChanged,
  selectFailedAddition,
  selectIsLoaded,
  selectAnnouncement,
} from './cart-slice.ts';
import { sessionChanged } from '../../lib/session-change.ts';
import { drainCart } from './cart-saga.ts';
import { openCart, quiet } from './testing/open-cart.ts';
import { gulab, khus, mitti, oud } from './testing/fake-cart-server.ts';

test('when the shop opens the cart is fetched after the first page is ready', async () => {
  const { shop, store, draw, answerAll } = openCart();
  await quiet();
  expect(shop.asked).toEqual([]);
  draw();
  await answerAll();
  expect(shop.asked.map(({ url }) => url)).toEqual(['/cart/get-cart']);
  expect(selectIsLoaded(store.getState())).toBe(true);
});

test('when the shop opens a new visitor never fetches a cart, neither on return nor on a page that shows it', async () => {
  const { shop, store, cart, draw, comeBack } = openCart(undefined, [], 'theme=dark; not_a_visitor=1');
  expect(selectIsLoaded(store.getState())).toBe(true);
  draw();
  comeBack();
  await quiet();
  store.dispatch(cartOpened());
  expect(cart()).toMatchObject({ items: [], loading: false });
  await quiet();
  expect(shop.asked).toEqual([]);
});

test('a cart that the browser cannot keep says that it needs cookies', async () => {
  const { store, cart, end } = openCart(undefined, [], '');
  store.dispatch(itemAdded(gulab, 1));
  await end();
  expect(cart()).toMatchObject({ items: [], loading: false });
  expect(selectFailedAddition(store.getState())).toMatch(/Allow cookies for this site/);
});

test.each<[string, ('load' | 'open' | 'draw')[]]>([
  ['when the page has fetched it', ['load', 'draw']],
  ['while the page is fetching it', ['open', 'draw']],
  ['for a page that opens while it is being fetched', ['draw', 'open']],
])('when the shop opens the cart is not fetched again %s', async (_, steps) => {
  const { shop, store, cart, load, draw, answerAll } = openCart();
  const take = { load, draw, open: () => store.dispatch(cartOpened()) };
  for (const step of steps) {
    await take[step]();
    await quiet();
  }
  await answerAll();
  expect(shop.asked).toHaveLength(1);
  expect(cart().loading).toBe(false);
});

test('fetching the cart sets `loading` and clears the error; success replaces items and total', async () => {
  const { store, cart, end } = openCart();
  store.dispatch(cartRequested());
  expect(cart()).toMatchObject({ items: [], total: 0, loading: true, error: null });
  await end('down');
  expect(cart()).toMatchObject({ loading: false, error: 'The shop could not do this just now. Please try again.' });
  store.dispatch(cartRequested());
  expect(cart()).toMatchObject({ loading: true, error: null });
  await end();
  expect(cart()).toMatchObject({ items: [], total: 0, loading: false, error: null });
});

test('fetching the cart on return shows no error when it fails', async () => {
  const { comeBack, load, cart, end } = openCart();
  await load();
  comeBack();
  await end('unreachable');
  expect(cart()).toMatchObject({ loading: false, error: null });
});

test('a change by the shopper is ignored below 1 and above 99, and additions stop at 99', async () => {
  const { store, lines, shop } = openCart();
  store.dispatch(itemAdded(gulab, 98));
  store.dispatch(quantityChanged(gulab._id, 0));
  store.dispatch(quantityChanged(gulab._id, 100));
  expect(lines()).toEqual(['98 × ruh-gulab']);
  store.dispatch(itemAdded(gulab, 5));
  expect(lines()).toEqual(['99 × ruh-gulab']);
  await quiet();
  expect(shop.asked).toHaveLength(1);
});

test('a change by the shopper replaces a waiting quantity change of the same line', async () => {
  const { store, shop, load, answerAll } = openCart();
  store.dispatch(itemAdded(gulab, 1));
  store.dispatch(itemAdded(oud, 1));
  await load();
  const before = shop.asked.length;
  for (const quantity of [2, 3, 4]) {
    store.dispatch(quantityChanged(gulab._id, quantity));
    store.dispatch(quantityChanged(oud._id, quantity));
  }
  await answerAll();
  expect(shop.asked.slice(before).map(({ url, quantity }) => `${url} ${quantity}`)).toEqual([
    '/cart/update/ruh-gulab 2',
    '/cart/update/assam-oud-noir 4',
    '/cart/update/ruh-gulab 4',
  ]);
});

test('a change by the shopper is announced to screen readers', async () => {
  const { store, answerAll } = openCart();
  const said = () => selectAnnouncement(store.getState());
  store.dispatch(itemAdded(gulab, 2));
  await answerAll();
  expect(said()).toEqual({ count: 1, text: 'Ruh Gulab added to cart. 2 items in your cart.' });
  store.dispatch(itemRemoved(gulab._id));
  expect(said()).toEqual({ count: 2, text: 'Ruh Gulab removed from cart.' });
});

test("a failed operation shows an alert with the server's message when it is an addition", async () => {
  const { store, cart, answerAll } = openCart();
  store.dispatch(itemAdded(khus, 1));
  await answerAll();
  expect(cart().error).toBe('Product is out of stock');
  expect(selectFailedAddition(store.getState())).toBe('Product is out of stock');
  store.dispatch(alertClosed());
  expect(cart().error).toBeNull();
  expect(selectFailedAddition(store.getState())).toBeNull();
});

test('a failed operation shows a general message when the server sent none', async () => {
  const { store, cart, end, answerAll } = openCart();
  store.dispatch(itemAdded(gulab, 1));
  await end('unreachable');
  await answerAll();
  expect(cart()).toMatchObject({ items: [], error: 'The shop did not answer. Check your connection and try again.' });
  expect(selectFailedAddition(store.getState())).toBe(cart().error);
});

test('a failed operation makes the cart refetch, in case the operation took effect', async () => {
  const { store, lines, end, answerAll } = openCart();
  store.dispatch(itemAdded(gulab, 3));
  await end('lost');
  expect(lines()).toEqual([]);
  await answerAll();
  expect(lines()).toEqual(['3 × ruh-gulab']);
});

test('without a network, operations wait and are then sent with the same idempotency key', async () => {
  const { store, shop, cart, lines, kept, goOffline, end, answerAll } = openCart();
  const goOnline = goOffline();
  store.dispatch(itemAdded(gulab, 1));
  store.dispatch(itemAdded(mitti, 2));
  await end('unreachable');
  expect(shop.waiting()).toBe(0);
  expect(cart()).toMatchObject({ error: null });
  expect(lines()).toEqual(['1 × ruh-gulab', '2 × mitti-after-rain']);
  expect(kept()).toHaveLength(2);
  goOnline();
  await answerAll();
  expect(lines()).toEqual(['1 × ruh-gulab', '2 × mitti-after-rain']);
  const [first, second] = shop.asked;
  expect(second).toEqual(first);
  expect(first?.key).toMatch(/./);
  expect(kept()).toEqual([]);
});

test('without a network, a refusal received before the network was lost still counts', async () => {
  const { store, cart, goOffline, end } = openCart();
  store.dispatch(itemAdded(khus, 1));
  goOffline();
  await end();
  expect(cart()).toMatchObject({ items: [], error: 'Product is out of stock' });
});

test('an unanswered call can be repeated with the same idempotency key', async () => {
  const { store, shop, lines, kept } = openCart();
  store.dispatch(itemAdded(gulab, 1));
  await quiet();
  store.dispatch(callRepeated());
  await quiet();
  expect(shop.asked).toHaveLength(2);
  expect(shop.asked[1]).toEqual(shop.asked[0]);
  shop.end('answered', 1);
  await quiet();
  expect(lines()).toEqual(['1 × ruh-gulab']);
  expect(kept()).toEqual([]);
});

test('an unanswered call can be repeated if it fetches the cart', async () => {
  const { store, shop, cart, end } = openCart();
  store.dispatch(cartRequested());
  await quiet();
  store.dispatch(callRepeated());
  await quiet();
  shop.end('answered', 1);
  await quiet();
  expect(cart().loading).toBe(false);
  await end();
  expect(shop.asked).toHaveLength(2);
});

test('draining the queue waits for all pending operations and returns whether all were confirmed', async () => {
  const { store, saga, shop, end } = openCart();
  const drained: boolean[] = [];
  const drain = () =>
    saga.run(function* drains() {
      drained.push(yield call(drainCart));
    });
  drain();
  expect(drained).toEqual([true]);

  store.dispatch(itemAdded(gulab, 1));
  store.dispatch(itemAdded(khus, 1));
  drain();
  await end();
  expect(drained).toEqual([true]);
  await end();
  expect(drained).toEqual([true, false]);
  expect(shop.view().items).toHaveLength(1);
});

test('when the shopper leaves, the cart is empty at once and ignores late answers', async () => {
  const { store, cart, shop, kept, lines, end, load } = openCart();
  store.dispatch(itemAdded(gulab, 1));
  await quiet();
  store.dispatch(sessionChanged({ from: 'u1', to: null, expired: false }));
  expect(cart()).toMatchObject({ items: [], total: 0, loading: true, error: null });
  expect(kept()).toEqual([]);
  await end();
  expect(lines()).toEqual([]);
  expect(shop.view().items).toHaveLength(1);
  await load();
  expect(lines()).toEqual(['1 × ruh-gulab']);
});
