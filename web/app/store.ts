import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { call, put, race, take, takeEvery } from 'redux-saga/effects';
import { authSaga } from '../features/auth/auth-saga.ts';
import { loggedIn, newsletterOptedIn, selectIsUnknown, selectUser } from '../features/auth/auth-slice.ts';
import { browserEnvironment } from '../features/cart/cart-environment.ts';
import { cartSaga } from '../features/cart/cart-saga.ts';
import { linesLeftOut } from '../features/cart/cart-slice.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contentSaga } from '../features/content/content-saga.ts';
import { newsletterApi } from '../features/newsletter/newsletter-api.ts';
import type { FirstAnswers } from '../lib/http/first-answers.ts';
import { shopApi } from '../lib/http/shop-api.ts';
import { read, run, type Services } from '../lib/saga.ts';
import { isAnotherShopper, sessionChanged } from '../lib/session-change.ts';
import { KEPT_CHECKOUT, readSession, writeSession } from '../lib/session-storage.ts';
import { emptyState, inject, receiveSlices, reducer } from './reducer.ts';
import { rootSaga } from './root-saga.ts';

/** Waits until it is known who is signed in, and returns the user's id, or null for a visitor. */
function* knownIdentity() {
  // The account saga must first start to fetch the user.
  yield* run(() => Promise.resolve());
  while (yield* read(selectIsUnknown)) yield take('*');
  return (yield* read(selectUser))?._id ?? null;
}

/** Passes the signed-in user to the cart saga, because the cart feature does not know accounts. */
function* wiredCartSaga() {
  yield* cartSaga({ ...browserEnvironment, identity: knownIdentity });
}

/** Passes the lines that did not fit at sign-in to the cart. It runs after the account saga, whose `sessionChanged` may reset the cart. */
function* leftOutSaga() {
  yield takeEvery(loggedIn, function* pass({ meta: { noRoomFor } }: ReturnType<typeof loggedIn>) {
    if (noRoomFor.length > 0) yield put(linesLeftOut(noRoomFor));
  });
}

/** Clears cached answers, which belong to one shopper. A saga does it because queries that wait for an answer must learn of it. */
function* forgetCallsSaga() {
  yield takeEvery(isAnotherShopper, function* forget() {
    yield put(shopApi.util.resetApiState());
  });
}

const loadOrders = async (): Promise<void> => {
  try {
    inject((await import('./screens/order-saga-wiring.ts')).orders);
  } catch {
    // The next screen that needs the chunk loads it again. This saga waits until then.
    await new Promise(() => {});
  }
};

/**
 * After a reload of any page, loads the slice that knows whose checkout form was stored. The form is dropped if another user enters before
 * the slice has loaded.
 */
function* recallCheckoutSaga() {
  if (readSession(KEPT_CHECKOUT) === null) return;
  const { changed }: { changed?: unknown } = yield race({ loaded: call(loadOrders), changed: take(sessionChanged) });
  if (changed) writeSession(KEPT_CHECKOUT, undefined);
}

/** Creates the store for rendering on the server, which has no sagas and gets the answers to the first calls instead of a network. */
export const createServerStore = (answers: FirstAnswers) =>
  configureStore({
    reducer,
    preloadedState: emptyState(),
    middleware: (defaults) => defaults({ thunk: { extraArgument: answers } }).concat(catalogueApi.middleware, shopApi.middleware),
  });

export const createStore = (services: Services) => {
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, shopApi.middleware, saga) });
  receiveSlices(store);
  /** Subscribes a shopper who ticked the newsletter box at sign-up once the email address is verified. */
  function* newsletterOptInSaga() {
    yield takeEvery(newsletterOptedIn, ({ payload: email }) => void store.dispatch(newsletterApi.endpoints.subscribe.initiate(email)));
  }
  saga.run(rootSaga, [contentSaga, authSaga, wiredCartSaga, leftOutSaga, newsletterOptInSaga, forgetCallsSaga, recallCheckoutSaga]);
  return store;
};
