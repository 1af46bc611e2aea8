import { fork, put } from 'redux-saga/effects';
import { selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { callRepeated, cartOutdated } from '../../features/cart/cart-slice.ts';
import { drainCart } from '../../features/cart/cart-saga.ts';
import { checkoutSlice } from '../../features/orders/checkout/checkout-slice.ts';
import { orderSaga, type OrderSagaWiring } from '../../features/orders/order-saga.ts';
import { orderSlice } from '../../features/orders/order-slice.ts';
import { read } from '../../lib/saga.ts';
import type { LazyState } from '../reducer.ts';
import { keepCheckoutSaga } from './kept-checkout.ts';

/** Refetches the user if somebody is signed in; a visitor has no session that could have ended. */
function* refetchUser() {
  if ((yield* read(selectUser)) !== null) yield put(userFetchRequested());
}

const wiring: OrderSagaWiring = {
  drainCart,
  cartChanged: cartOutdated,
  cartCallRepeated: callRepeated,
  checkSession: refetchUser,
};

/** Runs the order saga with the actions of cart and accounts, which the orders feature must not import. */
function* wiredOrderSaga() {
  yield fork(keepCheckoutSaga);
  yield* orderSaga(wiring);
}

export const orders: LazyState = { slices: [orderSlice, checkoutSlice], saga: wiredOrderSaga };
