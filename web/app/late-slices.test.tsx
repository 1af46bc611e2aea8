import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts, orderTextFields, orderTexts } from '#domain/order/texts.ts';
import { home } from '#domain/testing/orders.ts';
import { loggedIn, loggedOut } from '../features/auth/auth-slice.ts';
import { gulab } from '../features/cart/testing/fake-cart-server.ts';
import { formTyped, selectCheckoutForm } from '../features/orders/checkout/checkout-slice.ts';
import { orderFetched, selectOrder } from '../features/orders/order-slice.ts';
import { orderThatIs } from '../features/orders/testing/sample-orders.ts';
import { answerCalls, renderRoutes } from '../testing/shop.tsx';
import { ananya } from '../features/auth/testing/open-auth.tsx';
import { DESKTOP, mediaThatHold } from '../testing/in-view.ts';

const FORM = { shipping: home, giftWrap: true, ...mapOrderTexts((field) => `Words of ${field}`) };

const open = async () => {
  vi.resetModules();
  answerCalls(() => ({ data: { items: [], totalCartValue: 0 } }));
  const { createStore } = await import('./store.ts');
  const { inject } = await import('./reducer.ts');
  const { api } = await import('../lib/http/api.ts');
  const store = createStore({ api, navigate: () => {} });
  const load = async () => inject((await import('./screens/order-saga-wiring.ts')).orders);
  return { store, load };
};

beforeEach(() => {
  document.cookie = 'visitor=1';
  sessionStorage.clear();
});
afterEach(() => {
  document.cookie = 'visitor=; max-age=0';
});

test('slices that load with a screen are in the state at once, and are reset for another shopper', async () => {
  const { store, load } = await open();
  store.dispatch(loggedIn(ananya));
  expect(store.getState()).not.toHaveProperty('order');
  await load();
  expect(selectOrder(store.getState()).orders).toEqual([]);
  store.dispatch(orderFetched(orderThatIs('created')));
  store.dispatch(formTyped(FORM));
  expect(JSON.stringify(store.getState())).toContain(home.address1);
  store.dispatch(loggedOut());
  expect(selectOrder(store.getState()).currentOrder).toBeNull();
  expect(JSON.stringify(store.getState())).not.toContain(home.address1);
  expect(sessionStorage.getItem('checkout')).toBeNull();
});

test('the slices of every screen are in the state before it renders', async () => {
  const { store } = await open();
  const { lazyRoutes } = await import('./routes.tsx');
  const { inject } = await import('./reducer.ts');
  const screens = await Promise.all(lazyRoutes.map(({ lazy }) => lazy()));
  const names = screens.flatMap(({ slices = [] }) => slices.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(['contact', 'order', 'checkout']));
  // Slices without a saga come first, so that no other screen's saga has added them.
  for (const screen of screens.toSorted((one, other) => Number('saga' in one) - Number('saga' in other))) {
    inject(screen);
    for (const { name } of screen.slices ?? []) expect(store.getState()).toHaveProperty(name);
  }
});

test('a logout before a slice has loaded does not add it to the state', async () => {
  const { store, load } = await open();
  store.dispatch(loggedIn(ananya));
  store.dispatch(loggedOut());
  expect(store.getState()).not.toHaveProperty('checkout');
  await load();
  expect(selectCheckoutForm(store.getState())).toEqual(BLANK_FORM);
});

test('input typed at checkout is restored after a reload of any page', async () => {
  const before = await open();
  await before.load();
  before.store.dispatch(formTyped(FORM));
  const { store } = await open();
  expect(store.getState()).not.toHaveProperty('checkout');
  await expect.poll(() => store.getState().checkout).toBeDefined();
  expect(selectCheckoutForm(store.getState())).toEqual(FORM);
});

test('input typed at checkout is dropped when another user signs in before the slice has loaded', async () => {
  const before = await open();
  await before.load();
  before.store.dispatch(formTyped(FORM));
  const { store, load } = await open();
  store.dispatch(loggedIn(ananya));
  store.dispatch(loggedOut());
  expect(sessionStorage.getItem('checkout')).toBeNull();
  await load();
  expect(selectCheckoutForm(store.getState())).toEqual(BLANK_FORM);
});

test.each(orderTextFields)('the %s of an order has one box, in the cart or at the checkout, which fills the form', async (field) => {
  mediaThatHold(...DESKTOP);
  const { store } = await open();
  const FULL = { items: [{ productId: gulab._id, quantity: 1, product: gulab }], totalCartValue: 2450 };
  answerCalls(() => ({ data: FULL }));
  const { cartFetched } = await import('../features/cart/cart-slice.ts');
  const { contentLoaded } = await import('../features/content/content-slice.ts');
  const { siteContent } = await import('../features/content/site-content.ts');
  const { lazyRoutes } = await import('./routes.tsx');
  const { inject } = await import('./reducer.ts');
  store.dispatch(contentLoaded(siteContent));
  const screens = await Promise.all(lazyRoutes.filter(({ path }) => path === 'cart' || path === 'checkout').map(({ lazy }) => lazy()));
  for (const each of screens) inject(each);
  store.dispatch(cartFetched(FULL));
  renderRoutes(store, [{ path: '*', element: screens.map(({ Component }) => <Component key={Component.name} />) }], '/cart');
  fireEvent.change(await screen.findByLabelText(new RegExp(`^${orderTexts[field].title}`)), { target: { value: 'Ring twice' } });
  expect(selectCheckoutForm(store.getState())).toMatchObject({ [field]: 'Ring twice' });
});
