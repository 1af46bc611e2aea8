import { combineReducers, configureStore, createAction } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import { create } from 'axios';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import createSagaMiddleware from 'redux-saga';
import { put } from 'redux-saga/effects';
import type { CartItemView } from '#domain/cart/view.ts';
import { pages } from '#domain/site/pages.ts';
import { httpClient } from '../../../lib/http/http-client.ts';
import { shopApi } from '../../../lib/http/shop-api.ts';
import type { Services } from '../../../lib/saga.ts';
import { isAnotherShopper, sessionChanged } from '../../../lib/session-change.ts';
import { CheckoutPage } from '../checkout/CheckoutPage.tsx';
import { checkoutSlice, type KnownContact } from '../checkout/checkout-slice.ts';
import { OrderDetailsPage } from '../details/OrderDetailsPage.tsx';
import { MyOrdersPage } from '../history/MyOrdersPage.tsx';
import { InvoicePage } from '../invoice/InvoicePage.tsx';
import { orderSaga, type OrderSagaWiring } from '../order-saga.ts';
import { orderSlice } from '../order-slice.ts';
import { ReviewOrderPage } from '../review/ReviewOrderPage.tsx';

export type Answer = { readonly status?: number; readonly data: unknown; readonly headers?: Readonly<Record<string, string>> };
/** Answers by path below `/order`. A promise keeps the call pending; 'gone' fails it without a response. */
export type Answers = Record<string, Answer | Promise<Answer> | 'gone'>;
export type Asked = { readonly path: string; readonly params?: unknown; readonly body: unknown; readonly key: string | undefined };

const answeringServer = (answers: Answers) => {
  const asked: Asked[] = [];
  const api = create({
    adapter: async (config) => {
      const path = (config.url ?? '').replace('/order/', '');
      const key: unknown = config.headers.get('Idempotency-Key');
      const body: unknown = typeof config.data === 'string' ? JSON.parse(config.data) : undefined;
      asked.push({ path, ...(config.params && { params: config.params }), body, key: typeof key === 'string' ? key : undefined });
      const answer = (await answers[path]) ?? { status: 404, data: { message: 'Order not found', code: 'order_not_found' } };
      if (answer === 'gone') throw Object.assign(new Error('Network Error'), { isAxiosError: true });
      const { status = 200, data, headers = {} } = answer;
      const response = { statusText: '', headers, data, status, config };
      if (status < 400) return response;
      throw Object.assign(new Error('Request failed'), { isAxiosError: true, response });
    },
  });
  // Components make their own calls with `httpClient`.
  httpClient.defaults.adapter = api.defaults.adapter ?? [];
  return { api, asked };
};

export const cartChanged = createAction('test/cartChanged');
const cartRepeated = createAction('test/cartRepeated');
export const sessionDoubted = createAction('test/sessionDoubted');
export const left = () => sessionChanged({ from: 'u1', to: null, expired: false });

const features = combineReducers({
  [orderSlice.name]: orderSlice.reducer,
  [checkoutSlice.name]: checkoutSlice.reducer,
  [shopApi.reducerPath]: shopApi.reducer,
});

type Given = {
  /** The result of draining the cart: whether the server accepted everything. */
  readonly drained?: () => boolean;
};

export const openOrders = (answers: Answers, { drained = () => true }: Given = {}) => {
  const { api, asked } = answeringServer(answers);
  const visited: string[] = [];
  const told: string[] = [];
  let lead = (to: string): void => void visited.push(to);
  const services: Services = { api, navigate: (to) => lead(to) };
  const neighbours: OrderSagaWiring = {
    *drainCart() {
      yield Promise.resolve();
      return drained();
    },
    cartChanged,
    cartCallRepeated: cartRepeated,
    *checkSession() {
      yield put(sessionDoubted());
    },
  };
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({
    reducer: (state: ReturnType<typeof features> | undefined, action) => {
      if (action.type.startsWith('test/')) told.push(action.type.replace('test/', ''));
      return features(isAnotherShopper(action) ? undefined : state, action);
    },
    middleware: (defaults) => defaults().concat(shopApi.middleware, saga),
  });
  saga.run(orderSaga, neighbours);
  const leadBy = (navigate: (to: string) => void): void => {
    lead = (to) => {
      visited.push(to);
      navigate(to);
    };
  };
  return { store, asked, visited, told, leadBy, calls: (path: string) => asked.filter((call) => call.path === path) };
};

type Shown = Given & {
  readonly cart?: readonly CartItemView[];
  readonly cartKnown?: boolean;
  readonly shopper?: KnownContact | null;
  readonly onRepeat?: () => void;
};

export const openOrderPage = (
  address: string,
  answers: Answers = {},
  { cart = [], cartKnown = true, shopper = null, onRepeat = () => {}, ...given }: Shown = {},
) => {
  const shop = openOrders(answers, given);
  const checkout = (
    <CheckoutPage
      cart={{ items: cart, known: cartKnown, onRepeat }}
      shopper={shopper}
      provider="Razorpay"
      signIn="/signin?from=%2Fcheckout"
    />
  );
  const routes = [
    { path: pages.checkout, element: checkout },
    { path: pages.reviewOrder, Component: ReviewOrderPage },
    { path: pages.orderConfirmed, element: <OrderDetailsPage Newsletter={() => <button type="button">Join Now</button>} /> },
    { path: pages.invoice, Component: InvoicePage },
    { path: pages.myOrders, Component: MyOrdersPage },
    { path: '*', element: <h1>Elsewhere</h1> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  shop.leadBy((to) => void router.navigate(to));
  const view = render(
    <Provider store={shop.store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return { ...shop, router, view, place: () => router.state.location.pathname };
};
