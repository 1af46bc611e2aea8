import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { takeEvery } from 'redux-saga/effects';
import { productId } from '#domain/shared/ids.ts';
import { api } from '../../../lib/http/api.ts';
import { shopApi } from '../../../lib/http/shop-api.ts';
import type { Services } from '../../../lib/saga.ts';
import { answerCalls, renderRoutes, type Answer } from '../../../testing/shop.tsx';
import type { User } from '../auth-api.ts';
import { AuthPage } from '../AuthPage.tsx';
import { authSaga } from '../auth-saga.ts';
import { authSlice, loggedIn, newsletterOptedIn } from '../auth-slice.ts';

export const ananya: User = {
  _id: '0b8c2a54-7d7e-4a08-9f0e-1c2f7a6d3b11',
  name: 'Ananya Mehta',
  email: 'ananya@example.com',
  phone: '+91 98200 55501',
  isAdmin: false,
  isAuditor: false,
  roles: [],
  totp: false,
};

/** Answers by path below `/user`. A promise keeps the call pending; 'gone' fails it without a response. */
export type Answers = Readonly<Record<string, Answer | Promise<Answer> | 'gone'>>;
type Asked = { readonly path: string; readonly body: unknown };

const parsePath = (url: string): string => url.replace('/user/', '');

/**
 * Creates a store with the auth saga and a server with these answers; other calls get a 404. `lettersTo` lists newsletter opt-ins, `leftOut` what
 * did not fit into the user's cart.
 */
export const openAccounts = (answers: Answers, { cookies = '' } = {}) => {
  const made = answerCalls(({ url }) => answers[parsePath(url)] ?? { status: 404 });
  const asked = (): Asked[] => made.map(({ url, body }) => ({ path: parsePath(url), body }));
  const visited: string[] = [];
  const services: Services = { api, navigate: (to) => void visited.push(to) };
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({
    reducer: { [authSlice.name]: authSlice.reducer, [shopApi.reducerPath]: shopApi.reducer },
    middleware: (defaults) => defaults().concat(shopApi.middleware, saga),
  });
  const lettersTo: string[] = [];
  const leftOut: unknown[] = [];
  saga.run(authSaga, () => cookies);
  saga.run(function* () {
    yield takeEvery(newsletterOptedIn, ({ payload }) => void lettersTo.push(payload));
    yield takeEvery(loggedIn, ({ meta }) => void leftOut.push(...meta.noRoomFor));
  });
  return { store, asked, visited, lettersTo, leftOut, calls: (path: string) => asked().filter((call) => call.path === path) };
};

export const NO_ROOM_FOR = [{ productId: productId('ruh-gulab'), name: 'Ruh Gulab', quantity: 2 }];

export const openAuthPage = (address: string, answers: Answers = {}) => {
  const shop = openAccounts({ 'sign-in-options': { status: 200, data: { googleClientId: null } }, ...answers });
  const routes = [
    { path: '/signin', Component: AuthPage },
    { path: '/signup', Component: AuthPage },
    { path: '*', element: <h1>Elsewhere</h1> },
  ];
  return { ...shop, ...renderRoutes(shop.store, routes, address) };
};
