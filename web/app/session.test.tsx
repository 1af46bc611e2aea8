import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { created, home } from '#domain/testing/orders.ts';
import { AuthPage } from '../features/auth/AuthPage.tsx';
import {
  newsletterOptedIn,
  loggedIn,
  loggedOut,
  selectUser,
  userFetched,
  userFetchFailed,
  userFetchRequested,
} from '../features/auth/auth-slice.ts';
import { CartNotices } from '../features/cart/CartNotices.tsx';
import { cartRequested, itemAdded, selectCart, selectLeftOut } from '../features/cart/cart-slice.ts';
import { gulab } from '../features/cart/testing/fake-cart-server.ts';
import { contentLoaded, selectContent } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { draftEdited, formTyped, selectCheckoutForm } from '../features/orders/checkout/checkout-slice.ts';
import { orderFetched, ordersFetched, selectOrder } from '../features/orders/order-slice.ts';
import { answered, orderThatIs } from '../features/orders/testing/sample-orders.ts';
import { api } from '../lib/http/api.ts';
import { browserTab, type Tab } from '../lib/tab.ts';
import { answerCalls, NO_ANSWER, renderRoutes, type Answer } from '../testing/shop.tsx';
import { inject } from './reducer.ts';
import { contactScreen } from './screens/contact-screen.tsx';
import { CheckoutScreen } from './screens/CheckoutScreen.tsx';
import { orders } from './screens/order-saga-wiring.ts';
import { createStore } from './store.ts';
import { DESKTOP, mediaThatHold } from '../testing/in-view.ts';
import { fill, getField, press } from '../testing/interactions.ts';
import { ananya, NO_ROOM_FOR } from '../features/auth/testing/open-auth.tsx';
import { create } from 'axios';
import { selectSubscriber } from '../features/newsletter/newsletter-slice.ts';

// `routes.tsx` does the same.
inject(orders);
inject(contactScreen);

const bala = { ...ananya, _id: 'u2', name: 'Bala', email: 'bala@example.com' };
const WORDS = mapOrderTexts((field) => `Words of ${field}`);
const FORM = { shipping: home, giftWrap: true, ...WORDS };
const EMPTY = { items: [], totalCartValue: 0 };
const FULL = { items: [{ productId: gulab._id, quantity: 1, product: gulab }], totalCartValue: 2450 };

beforeEach(() => {
  document.cookie = 'visitor=1';
  sessionStorage.clear();
});
afterEach(() => {
  document.cookie = 'visitor=; max-age=0';
  document.cookie = 'signed_in=; max-age=0';
});

type Server = { cart: object; user: Answer; orders: Answer };

const open = async (tab?: Tab) => {
  const server: Server = { cart: FULL, user: { data: ananya }, orders: { data: { orders: [] } } };
  const asked = answerCalls(({ url }) => {
    if (url === '/order/get-AllOrders') return server.orders;
    return url === '/user/fetch-user' ? server.user : { data: server.cart };
  });
  const store = createStore({ api, navigate: () => {}, ...(tab && { tab }) });
  store.dispatch(loggedIn(ananya));
  await expect.poll(() => selectCart(store.getState()).items).toHaveLength(1);
  store.dispatch(ordersFetched({ orders: [orderThatIs('pending')], next: undefined }));
  store.dispatch(orderFetched(orderThatIs('created')));
  store.dispatch(formTyped(FORM));
  server.cart = EMPTY;
  const sees = () => {
    const { orders, currentOrder } = selectOrder(store.getState());
    return { form: selectCheckoutForm(store.getState()), orders, currentOrder, items: selectCart(store.getState()).items };
  };
  return { store, server, asked, sees };
};
const NOTHING = { form: BLANK_FORM, orders: [], currentOrder: null, items: [] };

test("a shopper's data are hidden from the next user when they sign in after the session has ended", async () => {
  const { store, sees } = await open();
  store.dispatch(userFetchFailed('Not signed in'));
  expect(sees()).toEqual(NOTHING);
  store.dispatch(loggedIn(bala));
  expect(sees()).toEqual(NOTHING);
  expect(JSON.stringify(store.getState())).not.toContain(home.address1);
});

test("a shopper's data are hidden from the next user when they sign in in another tab", async () => {
  const { store, server, sees } = await open();
  server.user = { data: bala };
  store.dispatch(userFetchRequested());
  await expect.poll(() => selectUser(store.getState())).toEqual(bala);
  expect(sees()).toEqual(NOTHING);
});

test("a shopper's data are hidden from the next user after a logout, even if it is the same user", async () => {
  const { store, sees } = await open();
  store.dispatch(loggedOut());
  store.dispatch(loggedIn(ananya));
  expect(sees()).toEqual(NOTHING);
});

test('when the session ends at checkout, the page says so, and the same user gets the form back', async () => {
  mediaThatHold(...DESKTOP);
  const { store, server, sees } = await open();
  renderRoutes(store, [{ path: '*', Component: CheckoutScreen }], '/checkout');
  act(() => void store.dispatch(userFetchFailed('Not signed in')));
  expect((await screen.findByText(/^Your session has ended/)).parentElement?.querySelector('a')?.getAttribute('href')).toBe(
    '/signin?from=%2Fcheckout',
  );
  server.cart = FULL;
  act(() => void store.dispatch(loggedIn(ananya)));
  expect(sees().form).toEqual(FORM);
  expect(await screen.findByDisplayValue(home.address1)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByText(/^Your session has ended/)).toBeNull();
  fill('City', 'Pune');
  expect(sees().form.shipping.city).toBe('Pune');
});

test('a visitor keeps order and checkout form when they sign in, and their cart is fetched again', async () => {
  const asked = answerCalls(() => ({ data: FULL }));
  const store = createStore({ api, navigate: () => {} });
  store.dispatch(cartRequested());
  await expect.poll(() => selectCart(store.getState()).loading).toBe(false);
  store.dispatch(orderFetched(orderThatIs('created')));
  store.dispatch(formTyped(FORM));
  store.dispatch(loggedIn(ananya));
  expect(selectCart(store.getState())).toMatchObject({ loading: true, total: 2450 });
  expect(selectCheckoutForm(store.getState())).toEqual(FORM);
  expect(selectOrder(store.getState()).currentOrder).not.toBeNull();
  await expect.poll(() => asked).toHaveLength(2);
});

test('a visitor who signs in is told on the next page what their cart had no room for, until they close it', async () => {
  const musk = { productId: 'musk', name: 'Musk', quantity: 1 };
  answerCalls(({ url }) => {
    if (url === '/user/sign-in-options') return { data: { googleClientId: null } };
    return { data: url === '/user/login' ? { user: ananya, noRoomFor: [...NO_ROOM_FOR, musk] } : FULL };
  });
  const store = createStore({ api, navigate: () => {} });
  const notices = (page: ReactNode) => (
    <>
      {page}
      <CartNotices />
    </>
  );
  const { place, router } = renderRoutes(
    store,
    [
      { path: '/signin', element: notices(<AuthPage />) },
      { path: '*', element: notices(<h1>Elsewhere</h1>) },
    ],
    '/signin?from=%2Fcart',
  );
  fill('Email', ananya.email);
  fill('Password', 'rosewater');
  press('Sign In');
  const notice = await screen.findByRole('alert');
  expect(place()).toBe('/cart');
  expect(notice.textContent).toContain(
    'Your cart had no room for 2 × Ruh Gulab, 1 × Musk. Order what is in it first, then add the rest again.',
  );
  await act(() => router.navigate('/shop'));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  press('Close');
  await act(() => router.navigate('/cart'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what did not fit is told too when another user signs in before the former left, and not to the next user', () => {
  answerCalls(() => ({ data: FULL }));
  const store = createStore({ api, navigate: () => {} });
  store.dispatch(loggedIn(bala));
  store.dispatch(loggedIn(ananya, NO_ROOM_FOR));
  expect(selectLeftOut(store.getState())).toEqual(NO_ROOM_FOR);
  store.dispatch(loggedOut());
  expect(selectLeftOut(store.getState())).toEqual([]);
});

test('a visitor who signs in keeps the input of the contact form, and the next user does not see it', async () => {
  answerCalls(() => ({ data: EMPTY }));
  const store = createStore({ api, navigate: () => {} });
  store.dispatch(contentLoaded(siteContent));
  renderRoutes(store, [{ path: '*', Component: contactScreen.Component }], '/contact');
  const values = () => ['Name', 'Email', 'Message'].map((label) => getField(label).value);
  fill('Message', 'Is the rose here?');
  fill('Name', 'A. Rao');
  act(() => void store.dispatch(loggedIn(ananya)));
  expect(values()).toEqual(['A. Rao', ananya.email, 'Is the rose here?']);
  act(() => void store.dispatch(userFetched(bala)));
  expect(values()).toEqual([bala.name, bala.email, '']);
});

describe('a tab', () => {
  class Channel extends EventTarget {
    static readonly all = new Set<Channel>();
    constructor() {
      super();
      Channel.all.add(this);
    }
    postMessage() {
      for (const other of Channel.all) if (other !== this) other.dispatchEvent(new MessageEvent('message'));
    }
  }
  const SIGNED_OUT = { status: 401, data: { message: 'Not signed in', code: 'not_signed_in' } };
  const stores: ReturnType<typeof createStore>[] = [];
  const openTab = async () => {
    const opened = await open(browserTab());
    stores.push(opened.store);
    return { ...opened, user: () => selectUser(opened.store.getState()) };
  };

  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', Channel);
    mediaThatHold(...DESKTOP);
  });
  afterEach(() => {
    // Signed-out tabs do not react to the signals of the next test.
    Channel.all.clear();
    for (const store of stores.splice(0)) store.dispatch(loggedOut());
  });

  test('shows the user who signs in in another tab', async () => {
    const here = await openTab();
    const other = await openTab();
    here.server.user = other.server.user = { data: bala };
    other.store.dispatch(loggedOut());
    other.store.dispatch(loggedIn(bala));
    await expect.poll(() => here.user()).toEqual(bala);
    expect(here.sees()).toEqual(NOTHING);
  });

  test.each([
    ['it is looked at again', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the network is back', () => dispatchEvent(new Event('online'))],
    ['a call is refused as not signed in', () => void api.get('/order/get-AllOrders').catch(() => {})],
  ])('finds out who is signed in when %s', async (_, happens) => {
    const { server, user, sees, asked } = await openTab();
    server.user = SIGNED_OUT;
    server.orders = SIGNED_OUT;
    happens();
    await expect.poll(user).toBeNull();
    expect(sees()).toEqual(NOTHING);
    expect(asked.filter(({ url }) => url === '/user/fetch-user')).toHaveLength(1);
  });

  test('keeps the signed-in shopper when the server fails to answer', async () => {
    const { server, user, sees, asked } = await openTab();
    server.user = { status: 503, data: {} };
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => asked.map(({ url }) => url)).toContain('/user/fetch-user');
    await new Promise((resolve) => setTimeout(resolve));
    expect(user()).toEqual(ananya);
    expect(sees().form).toEqual(FORM);
  });
});

/** Ananya adds a perfume and gets no answer; then `user`, or a visitor if null, reloads the tab. Returns the URLs that were called. */
const reloadAs = async (user: object | null) => {
  const { store } = await open();
  const unanswered = answerCalls(() => NO_ANSWER);
  store.dispatch(itemAdded(gulab, 1));
  await expect.poll(() => unanswered.map(({ url }) => url)).toContain('/cart/add-to-cart');
  expect(sessionStorage.getItem('cart-pending')).toContain(gulab._id);
  if (user) document.cookie = 'signed_in=1';
  const asked = answerCalls(({ url }) => (url === '/user/fetch-user' && user ? { data: user } : { data: FULL }));
  const next = createStore({ api, navigate: () => {} });
  next.dispatch(cartRequested());
  await expect.poll(() => asked.filter(({ url }) => url.startsWith('/cart/')).length).toBeGreaterThan(0);
  return asked.map(({ url }) => url);
};

test('a cart change that was not answered before a reload is sent again for the same user', async () =>
  expect(await reloadAs(ananya)).toContain('/cart/add-to-cart'));

test.each([
  ['another user', bala],
  ['a visitor', null],
])('a cart change that was not answered before a reload is not sent for %s', async (_, user) => {
  expect(await reloadAs(user)).not.toContain('/cart/add-to-cart');
  expect(sessionStorage.getItem('cart-pending')).toBeNull();
});

describe('a reload of the checkout', () => {
  const reload = (user: object | null) => {
    if (user) document.cookie = 'signed_in=1';
    answerCalls(({ url }) => (url === '/user/fetch-user' && user ? { data: user } : { data: FULL }));
    const { getState, dispatch } = createStore({ api, navigate: () => {} });
    return { dispatch, form: () => selectCheckoutForm(getState()), user: () => selectUser(getState()) };
  };

  test('keeps the form of an order that the shopper edits', () => {
    reload(null).dispatch(draftEdited(answered(created(WORDS))));
    expect(reload(null).form()).toMatchObject(WORDS);
  });

  test('keeps the input of a user for that user', async () => {
    await open();
    const { form } = reload(ananya);
    expect(form()).toEqual(BLANK_FORM);
    await expect.poll(form).toEqual(FORM);
    await expect.poll(reload(ananya).form).toEqual(FORM);
  });

  test('shows the input to nobody else, neither before nor after the server has answered', async () => {
    await open();
    const { form, user } = reload(bala);
    expect(form()).toEqual(BLANK_FORM);
    await expect.poll(user).toEqual(bala);
    expect(form()).toEqual(BLANK_FORM);
    expect(JSON.stringify(sessionStorage)).not.toContain(home.address1);
  });

  test('keeps the input until the user signs in again when their session has ended', async () => {
    const { store } = await open();
    store.dispatch(userFetchFailed('Not signed in'));
    const { form, dispatch } = reload(null);
    expect(form()).toEqual(BLANK_FORM);
    dispatch(loggedIn(ananya));
    expect(form()).toEqual(FORM);
  });

  test('drops the input after a logout', async () => {
    const { store } = await open();
    store.dispatch(loggedOut());
    expect(sessionStorage.getItem('checkout')).toBeNull();
    expect(reload(null).form()).toEqual(BLANK_FORM);
  });
});

test('a logout resets the state but keeps the site content', () => {
  const store = createStore({ api: create({ adapter: () => NO_ANSWER }), navigate: () => {} });
  store.dispatch(contentLoaded(siteContent));
  store.dispatch(loggedIn(ananya));
  expect(JSON.stringify(store.getState())).toContain('ananya@example.com');
  store.dispatch(loggedOut());
  expect(JSON.stringify(store.getState())).not.toContain('ananya@example.com');
  expect(selectContent(store.getState())).toEqual(siteContent);
});

test('a logout resets every slice that is not listed as public', () => {
  const store = createStore({ api: create({ adapter: () => NO_ANSWER }), navigate: () => {} });
  store.dispatch(newsletterOptedIn(ananya.email));
  expect(selectSubscriber(store.getState()).loading).toBe(true);
  store.dispatch(loggedOut());
  expect(selectSubscriber(store.getState()).loading).toBe(false);
});

test('a shopper who ticked the newsletter box at sign-up is subscribed', async () => {
  const asked = answerCalls(() => ({ status: 201, data: { message: 'Thank you' } }));
  const store = createStore({ api, navigate: () => {} });
  store.dispatch(newsletterOptedIn(ananya.email));
  await expect.poll(() => selectSubscriber(store.getState()).successMessage).toBe('Thank you');
  expect(asked.filter(({ url }) => url === '/subscribe')).toMatchObject([{ body: { email: ananya.email } }]);
});
