import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loggedIn, loggedOut, selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { ordersFetched, ordersRequested, selectOrder } from '../../features/orders/order-slice.ts';
import { formTyped, selectCheckoutForm } from '../../features/orders/checkout/checkout-slice.ts';
import { orderThatIs } from '../../features/orders/testing/orders.ts';
import { api } from '../../lib/api.ts';
import { answerCalls } from '../../testing/shop.tsx';
import { bring } from '../late-sagas.ts';
import { createStore } from '../store.ts';
import { MyOrders } from './MyOrders.tsx';
import { ordersOfTheShop } from './neighbours.ts';

// As the routes do with its page.
bring(ordersOfTheShop);

const meera = { _id: 'u1', name: 'Meera Nair', email: 'meera@example.com', phone: '98470', isAdmin: false, isAuditor: false };
const EMPTY_CART = { data: { items: [], totalCartValue: 0 } };
const REFUSED = { status: 401, data: { message: 'Not signed in', code: 'not_signed_in' } };

const open = () => {
  const store = createStore({ api, navigate: () => {} });
  const routes = [
    { path: '/viewAllOrders', Component: MyOrders },
    { path: '*', element: <h1>Elsewhere</h1> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/viewAllOrders'] });
  const show = () =>
    render(
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>,
    );
  return { store, show, place: () => router.state.location.pathname + router.state.location.search };
};

beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} })));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('My Orders', () => {
  test('sends who is signed out to sign in, and tells where to come back to', () => {
    answerCalls(() => EMPTY_CART);
    const { show, place } = open();
    show();
    expect(place()).toBe('/signin?from=%2FviewAllOrders');
  });

  test('sends nobody away before it is known who is signed in', async () => {
    answerCalls(({ url }) => (url === '/order/get-AllOrders' ? { data: { orders: [orderThatIs('pending')] } } : EMPTY_CART));
    const { store, show, place } = open();
    store.dispatch(userFetchRequested());
    show();
    expect(screen.getByText('Loading your orders...')).toBeInstanceOf(HTMLElement);
    expect(place()).toBe('/viewAllOrders');
    act(() => void store.dispatch(loggedIn(meera)));
    expect(await screen.findByRole('heading', { level: 2, name: 'RH-4WPDX9CT' })).toBeInstanceOf(HTMLElement);
  });

  test('finds out when the session has ended, and sends the shopper to sign in', async () => {
    answerCalls(({ url }) => (url === '/cart/get-cart' ? EMPTY_CART : REFUSED));
    const { store, show, place } = open();
    store.dispatch(loggedIn(meera));
    show();
    await expect.poll(() => selectUser(store.getState())).toBeNull();
    await expect.poll(() => place()).toBe('/signin?from=%2FviewAllOrders');
  });
});

test('of a visitor nothing is asked that can only be refused', async () => {
  const asked = answerCalls(({ url }) => (url === '/cart/get-cart' ? EMPTY_CART : REFUSED));
  const { store } = open();
  store.dispatch(ordersRequested());
  await expect.poll(() => selectOrder(store.getState()).error).toBe('Not signed in');
  expect(asked.map(({ url }) => url)).not.toContain('/user/fetch-user');
});

test('whoever leaves takes orders and address along', () => {
  answerCalls(() => EMPTY_CART);
  const { store } = open();
  store.dispatch(loggedIn(meera));
  store.dispatch(ordersFetched([orderThatIs('pending')]));
  store.dispatch(formTyped({ shipping: { city: 'Kochi' }, giftWrap: true, giftMessage: 'For Amma' }));
  store.dispatch(loggedOut());
  expect(selectOrder(store.getState()).orders).toEqual([]);
  expect(selectCheckoutForm(store.getState())).toEqual({ shipping: {}, giftWrap: false, giftMessage: '' });
});
