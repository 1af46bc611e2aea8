import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { put, takeEvery } from 'redux-saga/effects';
import { authSaga } from '../features/auth/auth-saga.ts';
import { authScreenSlice } from '../features/auth/auth-screen-slice.ts';
import { authSlice, newsletterOptedIn } from '../features/auth/auth-slice.ts';
import { cartSaga } from '../features/cart/cart-saga.ts';
import { cartFetched, cartSlice } from '../features/cart/cart-slice.ts';
import { EMPTY_CART } from '../features/cart/optimistic-cart.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contactSlice } from '../features/contact/contact-slice.ts';
import { contentSaga } from '../features/content/content-saga.ts';
import { contentSlice } from '../features/content/content-slice.ts';
import { newsletterSaga } from '../features/newsletter/newsletter-saga.ts';
import { newsletterSlice, subscribeRequested } from '../features/newsletter/newsletter-slice.ts';
import { checkoutSlice } from '../features/orders/checkout/checkout-slice.ts';
import { orderSlice } from '../features/orders/order-slice.ts';
import type { FirstAnswers } from '../lib/http/first-answers.ts';
import type { Services } from '../lib/saga.ts';
import { isAnotherShopper } from '../lib/session-change.ts';
import { keepCheckoutSaga } from './kept-checkout.ts';
import { rootSaga } from './root-saga.ts';

/** A shopper who ticked the newsletter box at sign-up is subscribed once the email address is verified. */
function* newsletterOptInSaga() {
  yield takeEvery(newsletterOptedIn, subscribe);
}

function* subscribe({ payload: email }: ReturnType<typeof newsletterOptedIn>) {
  yield put(subscribeRequested(email));
}

const features = combineReducers({
  [contentSlice.name]: contentSlice.reducer,
  [authSlice.name]: authSlice.reducer,
  [authScreenSlice.name]: authScreenSlice.reducer,
  [newsletterSlice.name]: newsletterSlice.reducer,
  [contactSlice.name]: contactSlice.reducer,
  [cartSlice.name]: cartSlice.reducer,
  [orderSlice.name]: orderSlice.reducer,
  [checkoutSlice.name]: checkoutSlice.reducer,
  [catalogueApi.reducerPath]: catalogueApi.reducer,
});

/**
 * Another shopper resets everything but what is the same for all, who it is, and the checkout, which does so itself. A new slice is reset
 * unless it is named here.
 */
export const reducer: typeof features = (state, action) => {
  if (!state || !isAnotherShopper(action)) return features(state, action);
  const { content, catalogue, auth, checkout } = state;
  return features({ content, catalogue, auth, checkout }, action);
};

type ShopState = ReturnType<typeof features>;

/** The state that the server rendered from: site content, catalogue, and an empty cart. */
export const serverRenderedState = ({ content, catalogue }: ShopState): ShopState =>
  features({ content, catalogue }, cartFetched(EMPTY_CART));

/** The store for rendering on the server: no sagas, and the answers to the first calls instead of a network. */
export const createServerStore = (answers: FirstAnswers) =>
  configureStore({
    reducer,
    preloadedState: features(undefined, cartFetched(EMPTY_CART)),
    middleware: (defaults) => defaults({ thunk: { extraArgument: answers } }).concat(catalogueApi.middleware),
  });

export const createStore = (services: Services) => {
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, saga) });
  saga.run(rootSaga, [contentSaga, authSaga, cartSaga, newsletterSaga, newsletterOptInSaga, keepCheckoutSaga]);
  return store;
};
