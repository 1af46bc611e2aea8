import { createSelector } from '@reduxjs/toolkit';
import { call, fork, put, take } from 'redux-saga/effects';
import { selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { callRepeated, cartOutdated, itemAdded } from '../../features/cart/cart-slice.ts';
import { drainCart } from '../../features/cart/cart-saga.ts';
import {
  checkoutSlice,
  formOwnerFound,
  formRestored,
  type KeptForm,
  selectFormToKeep,
} from '../../features/orders/checkout/checkout-slice.ts';
import { orderSaga, type OrderSagaWiring } from '../../features/orders/order-saga.ts';
import { orderSlice } from '../../features/orders/order-slice.ts';
import { read } from '../../lib/saga.ts';
import { KEPT_CHECKOUT, readSession, writeSession } from '../../lib/session-storage.ts';
import type { LazyState } from '../reducer.ts';

/** Refetches the user if somebody is signed in; a visitor has no session that could have ended. */
function* refetchUser() {
  if ((yield* read(selectUser)) !== null) yield put(userFetchRequested());
}

function* addToCart(lines: Parameters<OrderSagaWiring['addToCart']>[0]) {
  for (const { product, quantity } of lines) yield put(itemAdded(product, quantity));
  return yield* drainCart();
}

const wiring: OrderSagaWiring = {
  drainCart,
  addToCart,
  cartChanged: cartOutdated,
  cartCallRepeated: callRepeated,
  checkSession: refetchUser,
};

/** Returns what this release or an earlier one stored, or null. */
const keptForm = (kept: unknown): KeptForm | null =>
  typeof kept === 'object' && kept !== null && 'userId' in kept && 'form' in kept && typeof kept.form === 'object'
    ? (kept as KeptForm)
    : null;

/** Undefined when nothing was typed. */
const selectKept = createSelector([selectUser, selectFormToKeep], (user, form) => form && { userId: user?._id ?? null, ...form });

/** Writes the form to the session storage whenever the form or its user changes. */
function* keep() {
  let written = yield* read(selectKept);
  while (true) {
    yield take('*');
    const kept = yield* read(selectKept);
    if (kept !== written) yield call(writeSession, KEPT_CHECKOUT, kept);
    written = kept;
  }
}

/** Waits for the first user. Their own stored form is then shown again. */
function* findOwner() {
  let user = yield* read(selectUser);
  while (user === null) {
    yield take('*');
    user = yield* read(selectUser);
  }
  yield put(formOwnerFound(user._id));
}

/** Keeps the input typed at checkout when this tab is reloaded. A user's form is shown to nobody else. */
function* keepCheckout() {
  const kept = keptForm(readSession(KEPT_CHECKOUT));
  if (kept) yield put(formRestored(kept));
  yield fork(keep);
  yield* findOwner();
}

/** Runs the order saga with the actions of cart and accounts, which the orders feature must not import. */
function* wiredOrderSaga() {
  yield fork(keepCheckout);
  yield* orderSaga(wiring);
}

export const orders: LazyState = { slices: [orderSlice, checkoutSlice], saga: wiredOrderSaga };
