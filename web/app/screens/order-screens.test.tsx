import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OrderStatus } from '#domain/order/rules.ts';
import { loggedIn, selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { orderPlaced, placeFailed, placeRequested, ordersRequested, selectOrder } from '../../features/orders/order-slice.ts';
import { ID, orderThatIs } from '../../features/orders/testing/sample-orders.ts';
import { api } from '../../lib/http/api.ts';
import { answerCalls, renderShop, createLateAnswer, renderRoutes, type Answer } from '../../testing/shop.tsx';
import { Layout } from '../layout/Layout.tsx';
import { inject } from '../reducer.ts';
import { createStore } from '../store.ts';
import { MyOrdersScreen } from './MyOrdersScreen.tsx';
import { orders } from './order-saga-wiring.ts';
import { OrderDetailsScreen } from './OrderDetailsScreen.tsx';
import { FakeLive } from '../../testing/fake-live.ts';
import { DESKTOP, mediaThatHold } from '../../testing/in-view.ts';
import { ananya } from '../../features/auth/testing/open-auth.tsx';
import { findTitle, getHref } from '../../testing/interactions.ts';

// `routes.tsx` does the same.
inject(orders);

const EMPTY_CART = { data: { items: [], totalCartValue: 0 } };
const REFUSED = { status: 401, data: { message: 'Not signed in', code: 'not_signed_in' } };

const open = (address = '/viewAllOrders') => {
  const store = createStore({ api, navigate: () => {} });
  const routes = [
    { path: '/viewAllOrders', Component: MyOrdersScreen },
    { path: '/order-confirmed/:id', Component: OrderDetailsScreen },
    { path: '*', element: <h1>Elsewhere</h1> },
  ];
  return { store, show: () => renderRoutes(store, routes, address) };
};

beforeEach(() => {
  mediaThatHold(...DESKTOP);
  vi.stubGlobal('EventSource', FakeLive);
});

test('My Orders redirects a visitor to the sign-in page, which returns here', () => {
  answerCalls(() => EMPTY_CART);
  expect(open().show().place()).toBe('/signin?from=%2FviewAllOrders');
});

test('My Orders redirects nobody until it is known who is signed in', async () => {
  answerCalls(({ url }) => (url === '/order/get-AllOrders' ? { data: { orders: [orderThatIs('pending')] } } : EMPTY_CART));
  const { store, show } = open();
  store.dispatch(userFetchRequested());
  const { place } = show();
  expect(screen.getByText('Loading your orders...')).toBeInstanceOf(HTMLElement);
  expect(place()).toBe('/viewAllOrders');
  act(() => void store.dispatch(loggedIn(ananya)));
  expect(await screen.findByRole('heading', { level: 2, name: 'RH-4WPDX9CT' })).toBeInstanceOf(HTMLElement);
});

test('My Orders notices an ended session and redirects to the sign-in page', async () => {
  answerCalls(({ url }) => (url === '/cart/get-cart' ? EMPTY_CART : REFUSED));
  const { store, show } = open();
  store.dispatch(loggedIn(ananya));
  const { place } = show();
  await expect.poll(() => selectUser(store.getState())).toBeNull();
  await expect.poll(() => place()).toBe('/signin?from=%2FviewAllOrders');
});

test.each([
  ["staff with the role orders are offered no invoice of another's order", 'orders', { mailProblem: null }, 0],
  ["staff with the role money are offered the invoice of another's order", 'money', { mailProblem: null }, 1],
  ['staff are offered the invoice of their own order', 'orders', {}, 1],
] as const)('%s', async (_title, role, access, links) => {
  const asked = answerCalls(({ url }) => {
    if (url === `/order/get-order/${ID}`) return { data: { ...orderThatIs('delivered'), ...access } };
    return url === `/order/${ID}/invoice` ? { data: { number: 'RH/26-27/000001', creditNotes: [] } } : EMPTY_CART;
  });
  const { store, show } = open(`/order-confirmed/${ID}`);
  store.dispatch(loggedIn({ ...ananya, roles: [role] }));
  show();
  await screen.findByRole('heading', { level: 1, name: /^(?!Elsewhere)/ });
  if (links > 0) await screen.findByRole('link', { name: 'View and print the invoice' });
  expect(screen.queryAllByRole('link', { name: 'View and print the invoice' })).toHaveLength(links);
  expect(asked.filter(({ url }) => url === `/order/${ID}/invoice`)).toHaveLength(links);
});

test.each([
  ['pending', { mailProblem: null }, []],
  ['pending', {}, ['Cancel order']],
  ['delivered', { mailProblem: null }, []],
  ['delivered', {}, ['Buy again what is in order RH-4WPDX9CT', 'Return order']],
] as const)('staff may cancel, send back or buy again only their own order: %s, %j', async (status, access, offered) => {
  answerCalls(({ url }) => {
    if (url !== `/order/get-order/${ID}`) return url === `/order/${ID}/invoice` ? { status: 404 } : EMPTY_CART;
    const order = orderThatIs(status);
    return { data: { ...order, history: order.history.map((entry) => ({ ...entry, at: new Date().toISOString() })), ...access } };
  });
  const { store, show } = open(`/order-confirmed/${ID}`);
  store.dispatch(loggedIn({ ...ananya, roles: ['orders'] }));
  show();
  await screen.findByRole('heading', { level: 1, name: /^(?!Elsewhere)/ });
  expect(
    screen.queryAllByRole('button', { name: /^(Cancel order|Return order|Buy again .*)$/ }).map(({ textContent }) => textContent),
  ).toEqual(offered);
});

describe('a guest who wants to erase their data', () => {
  const openAs = async (user: typeof ananya | undefined, status: OrderStatus, erasure: Answer | Promise<Answer> = REFUSED, access = {}) => {
    const asked = answerCalls(({ url }) => {
      if (url === `/order/get-order/${ID}`) return { data: { ...orderThatIs(status), ...access } };
      if (url === `/order/${ID}/invoice`) return { status: 404, data: { message: 'No invoice yet' } };
      return url === `/order/erase/${ID}` ? erasure : EMPTY_CART;
    });
    const { store, show } = open(`/order-confirmed/${ID}`);
    if (user) store.dispatch(loggedIn(user));
    show();
    await screen.findByRole('heading', { level: 1, name: /^(?!Elsewhere)/ });
    return { store, erasures: () => asked.filter(({ url }) => url.startsWith('/order/erase/')) };
  };
  const ask = () => {
    const button = screen.getByRole('button', { name: 'Erase my personal data' });
    button.focus();
    fireEvent.click(button);
    return within(screen.getByRole('dialog', { name: 'Erase your personal data?' }));
  };

  test.each(['delivered', 'cancelled', 'returned'] as const)(
    'is asked to confirm when the order is %s, and may keep the data',
    async (status) => {
      const { erasures } = await openAs(undefined, status);
      const dialog = ask();
      expect(dialog.getByText(/of all orders that you made in this browser/)).toBeInstanceOf(HTMLElement);
      expect(dialog.getByText(/can no longer be opened/)).toBeInstanceOf(HTMLElement);
      fireEvent.click(dialog.getByRole('button', { name: 'Keep my data' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(erasures()).toEqual([]);
    },
  );

  test('sees a confirmation instead of the order, whose data are removed from the state', async () => {
    const { store, erasures } = await openAs(undefined, 'delivered', { data: { message: 'Your personal data are erased' } });
    fireEvent.click(ask().getByRole('button', { name: 'Erase for good' }));
    const title = await findTitle('Goodbye');
    await waitFor(() => expect(document.activeElement).toBe(title));
    expect(screen.getByRole('status').textContent).toBe('Your personal data are erased.');
    expect(getHref('Go to the shop')).toBe('/');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(selectOrder(store.getState()).currentOrder).toBeNull();
    expect(erasures()).toHaveLength(1);
  });

  test('sees a refusal in the dialog and may close it', async () => {
    const message = 'Order RH-7K3MQ2XA is on its way and needs its address.';
    const { promise, answer } = createLateAnswer();
    await openAs(undefined, 'cancelled', promise);
    const dialog = ask();
    fireEvent.click(dialog.getByRole('button', { name: 'Erase for good' }));
    expect(await dialog.findByText('Erasing...')).toBeInstanceOf(HTMLElement);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    answer({ status: 409, data: { message, code: 'order_is_open' } });
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('heading', { level: 1, name: 'Cancelled' })).toBeInstanceOf(HTMLElement);
  });

  test('reads first that the order is cancelled, or that erasing must wait for its parcel', async () => {
    await openAs(undefined, 'pending');
    expect(ask().getAllByRole('listitem')[0]?.textContent).toBe('RH-4WPDX9CT will be cancelled, nothing was paid for it.');
    cleanup();
    await openAs(undefined, 'shipped');
    const dialog = ask();
    expect(dialog.getByText(/erasing must wait/)).toBeInstanceOf(HTMLElement);
    expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
  });

  test('is not offered erasure for an order that a mailed link opened, whose others are not of this browser, nor a review of it', async () => {
    const { store } = await openAs(undefined, 'delivered', REFUSED, { byLink: true });
    expect(screen.queryByRole('button', { name: 'Erase my personal data' })).toBeNull();
    expect(selectOrder(store.getState()).currentOrder).not.toHaveProperty('byLink');
    cleanup();
    await openAs(ananya, 'delivered', REFUSED, { byLink: true });
    expect(screen.queryByText('Write a review')).toBeNull();
  });

  test('is not offered erasure with an account', async () => {
    await openAs(ananya, 'delivered');
    expect(screen.queryByRole('button', { name: 'Erase my personal data' })).toBeNull();
  });

  test('is offered erasure only once it is known that nobody is signed in', async () => {
    const { store } = await openAs(undefined, 'delivered');
    act(() => void store.dispatch(userFetchRequested()));
    expect(screen.queryByRole('button', { name: 'Erase my personal data' })).toBeNull();
  });
});

const openAnyPage = () => renderShop([{ Component: Layout, children: [{ path: '*', element: <p>A page</p> }] }], '/shop');

test('an order placed after the shopper left the page is announced on any page, with a link to it', async () => {
  const { store, router } = openAnyPage();
  act(() => void store.dispatch(orderPlaced(orderThatIs('pending'))));
  fireEvent.click(await screen.findByRole('link', { name: 'See your order' }));
  expect(router.state.location.pathname).toBe(`/order-confirmed/${ID}`);
  await waitFor(() => expect(screen.queryByText('Your order is placed')).toBeNull());
  await act(() => router.navigate('/shop'));
  expect(screen.queryByText('Your order is placed')).toBeNull();
});

describe('an order that failed to be placed after the shopper left the review', () => {
  const open = () => {
    const shown = openAnyPage();
    act(() => {
      shown.store.dispatch(placeRequested({ id: ID, method: 'COD' }));
      shown.store.dispatch(placeFailed({ message: 'Out of stock', errors: {} }));
    });
    return shown;
  };

  test('is announced on any page, with a link back to the review', async () => {
    const { router } = open();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Your order could not be placed');
    expect(alert.textContent).toContain('Out of stock');
    fireEvent.click(within(alert).getByRole('link', { name: 'Back to your order' }));
    expect(router.state.location.pathname).toBe(`/review-order/${ID}`);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('is announced until the notice is closed', async () => {
    const { router } = open();
    fireEvent.click(within(await screen.findByRole('alert')).getByRole('button', { name: 'Close' }));
    await act(() => router.navigate('/about'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is not announced twice on pages that show the failure themselves', async () => {
    const { router } = open();
    await screen.findByRole('alert');
    for (const page of [`/review-order/${ID}`, '/checkout']) {
      await act(() => router.navigate(page));
      expect(screen.queryByRole('alert')).toBeNull();
    }
  });
});

test('a visitor makes no call that needs a session', async () => {
  const asked = answerCalls(({ url }) => (url === '/cart/get-cart' ? EMPTY_CART : REFUSED));
  const { store } = open();
  store.dispatch(ordersRequested(undefined));
  await expect.poll(() => selectOrder(store.getState()).error).toBe('Not signed in');
  expect(asked.map(({ url }) => url)).not.toContain('/user/fetch-user');
});
