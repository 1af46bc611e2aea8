import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { expect, test } from 'vitest';
import { googleLoggedIn, loggedIn, loggedOut, verified } from '../features/auth/auth-slice.ts';
import { cartFetched, cartRequested, cartSlice, fetchStarted, selectCart, selectNextStep } from '../features/cart/cart-slice.ts';
import { gulab } from '../features/cart/testing/fake-cart-server.ts';
import { cartSessionSaga } from './store.ts';

const ananya = { _id: 'u1', name: 'Ananya', email: 'ananya@example.com', phone: '98200', isAdmin: false, isAuditor: false };

const open = () => {
  const saga = createSagaMiddleware();
  const store = configureStore({
    reducer: { [cartSlice.name]: cartSlice.reducer },
    middleware: (defaults) => defaults({ thunk: false }).concat(saga),
  });
  saga.run(cartSessionSaga);
  store.dispatch(fetchStarted());
  store.dispatch(cartFetched({ items: [{ productId: gulab._id, quantity: 1, product: gulab }], totalCartValue: 2450 }));
  return store;
};

test.each([loggedIn(ananya), googleLoggedIn(ananya), verified(ananya)])('$type: the cart is loaded afresh', (signedIn) => {
  const store = open();
  store.dispatch(signedIn);
  expect(selectNextStep(store.getState())).toBe('fetch');
  expect(selectCart(store.getState())).toMatchObject({ loading: true, total: 2450 });
});

test('a fetch under way at sign-in is repeated afterwards', () => {
  const store = open();
  store.dispatch(cartRequested());
  store.dispatch(fetchStarted());
  store.dispatch(loggedIn(ananya));
  expect(selectNextStep(store.getState())).toBe('fetch');
});

test('a logout empties the cart', () => {
  const store = open();
  store.dispatch(loggedOut());
  expect(selectCart(store.getState())).toEqual({ items: [], total: 0, loading: false, error: null });
});
