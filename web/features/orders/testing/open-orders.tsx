import { combineReducers, configureStore, createAction } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { put } from 'redux-saga/effects';
import { vi } from 'vitest';
import type { CartItemView } from '#domain/cart/view.ts';
import { pages } from '#domain/site/pages.ts';
import { api } from '../../../lib/http/api.ts';
import { shopApi } from '../../../lib/http/shop-api.ts';
import type { Services } from '../../../lib/saga.ts';
import { isAnotherShopper, sessionChanged } from '../../../lib/session-change.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { answerCalls, renderRoutes, type Answer } from '../../../testing/shop.tsx';
import type { AddedLine } from '../buy-again.ts';
import { CheckoutPage } from '../checkout/CheckoutPage.tsx';
import { checkoutSlice, type KnownContact } from '../checkout/checkout-slice.ts';
import { OrderDetailsPage } from '../details/OrderDetailsPage.tsx';
import { MyOrdersPage } from '../history/MyOrdersPage.tsx';
import { InvoicePage } from '../invoice/InvoicePage.tsx';
import { orderSaga, type OrderSagaWiring } from '../order-saga.ts';
import { orderSlice } from '../order-slice.ts';
import { ReviewOrderPage } from '../review/ReviewOrderPage.tsx';

/** Answers by path below `/order`. A promise keeps the call pending; 'gone' fails it without a response. */
export type Answers = Record<string, Answer | Promise<Answer> | 'gone'>;

const parsePath = (url: string): string => url.replace('/order/', '');
const NOT_FOUND = { status: 404, data: { message: 'Order not found', code: 'order_not_found' } };

const NO_ADDRESSES = { data: { addresses: [] } };

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
  const asked = answerCalls(({ url }) => answers[parsePath(url)] ?? (url === '/user/addresses' ? NO_ADDRESSES : NOT_FOUND));
  const visited: string[] = [];
  const told: string[] = [];
  const added: AddedLine[] = [];
  let lead = (to: string): void => void visited.push(to);
  const services: Services = { api, navigate: (to) => lead(to) };
  const neighbours: OrderSagaWiring = {
    *drainCart() {
      yield Promise.resolve();
      return drained();
    },
    *addToCart(lines) {
      yield Promise.resolve();
      added.push(...lines);
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
  return { store, asked, visited, told, added, leadBy, calls: (path: string) => asked.filter(({ url }) => parsePath(url) === path) };
};

type Shown = Given & {
  readonly cart?: readonly CartItemView[];
  readonly cartKnown?: boolean;
  readonly shopper?: KnownContact | null;
  readonly onRepeat?: () => void;
};

const RETURNS_TO = ['RUHANI, Returns', '14 Bada Bazaar'];

export const openOrderPage = (
  address: string,
  answers: Answers = {},
  { cart = [], cartKnown = true, shopper = null, onRepeat = () => {}, ...given }: Shown = {},
) => {
  vi.stubGlobal('EventSource', FakeLive);
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
    {
      path: pages.orderConfirmed,
      element: <OrderDetailsPage Newsletter={() => <button type="button">Join Now</button>} returnsTo={RETURNS_TO} />,
    },
    { path: pages.invoice, Component: InvoicePage },
    { path: pages.myOrders, Component: MyOrdersPage },
    { path: '*', element: <h1>Elsewhere</h1> },
  ];
  const shown = renderRoutes(shop.store, routes, address);
  shop.leadBy((to) => void shown.router.navigate(to));
  return { ...shop, ...shown };
};
