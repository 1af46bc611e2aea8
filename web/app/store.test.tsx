import { create } from 'axios';
import { describe, expect, test } from 'vitest';
import { authScreenSlice, optionsLoaded, selectAuthScreen } from '../features/auth/auth-screen-slice.ts';
import { loggedIn, loggedOut, registerRequested, selectUser, verifyRequested } from '../features/auth/auth-slice.ts';
import { signInSaga } from '../features/auth/sign-in-saga.ts';
import { contentLoaded, selectContent } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { selectSubscriber } from '../features/newsletter/newsletter-slice.ts';
import { api } from '../lib/http/api.ts';
import { answerCalls } from '../testing/shop.tsx';
import { inject } from './reducer.ts';
import { createStore } from './store.ts';

// As `routes.tsx` does.
inject({ slices: [authScreenSlice], saga: signInSaga });

const ananya = { _id: 'u1', name: 'Ananya', email: 'ananya@example.com', phone: '98200', isAdmin: true, isAuditor: true };

test('a logout resets the state but keeps the site content', () => {
  const store = createStore({ api: create({ adapter: () => new Promise(() => {}) }), navigate: () => {} });
  store.dispatch(contentLoaded(siteContent));
  store.dispatch(loggedIn(ananya));
  expect(JSON.stringify(store.getState())).toContain('ananya@example.com');
  store.dispatch(loggedOut());
  expect(JSON.stringify(store.getState())).not.toContain('ananya@example.com');
  expect(selectContent(store.getState())).toEqual(siteContent);
});

test('a logout resets every slice that is not named as public', () => {
  const store = createStore({ api: create({ adapter: () => new Promise(() => {}) }), navigate: () => {} });
  store.dispatch(optionsLoaded({ googleClientId: 'ruhani', googleNonce: 'of this browser' }));
  store.dispatch(loggedOut());
  expect(selectAuthScreen(store.getState()).options).toBe('unknown');
});

describe('whoever signs up', () => {
  const signUp = async (consent: string) => {
    const asked = answerCalls(({ url }) => {
      if (url === '/user/register') return { status: 201, data: { userId: ananya._id } };
      return url === '/subscribe' ? { status: 201, data: { message: 'Thank you' } } : { data: ananya };
    });
    const store = createStore({ api, navigate: () => {} });
    store.dispatch(registerRequested({ email: 'Ananya@Example.com', consent }));
    await expect.poll(() => selectAuthScreen(store.getState()).unverified).not.toBeNull();
    const before = asked.map(({ url }) => url);
    store.dispatch(verifyRequested({ userId: ananya._id, otp: '123456' }));
    await expect.poll(() => selectUser(store.getState())).toEqual(ananya);
    return { store, asked, before };
  };

  test('with the box ticked subscribes once the address is proven, not before', async () => {
    const { store, asked, before } = await signUp('yes');
    await expect.poll(() => selectSubscriber(store.getState()).successMessage).toBe('Thank you');
    expect(before).not.toContain('/subscribe');
    expect(asked.filter(({ url }) => url === '/subscribe')).toMatchObject([{ body: { email: ananya.email } }]);
  });

  test.each(['no', ''])('with the box as %j does not', async (consent) => {
    const { store, asked } = await signUp(consent);
    expect(selectSubscriber(store.getState()).loading).toBe(false);
    // Signing in may bring a cart, so only the cart is requested.
    const urls = () => asked.map(({ url }) => url);
    await expect.poll(() => urls()).toEqual(['/user/register', '/user/verify-otp', '/cart/get-cart']);
  });
});
