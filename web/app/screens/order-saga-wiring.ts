import { put } from 'redux-saga/effects';
import { selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { cartOutdated } from '../../features/cart/cart-slice.ts';
import { drainCart } from '../../features/cart/drain-cart.ts';
import { orderSaga, type OrderSagaWiring } from '../../features/orders/order-saga.ts';
import { read } from '../../lib/saga.ts';

/** Only when somebody is signed in: a visitor has no session that could have ended. */
function* refetchUser() {
  if ((yield* read(selectUser)) !== null) yield put(userFetchRequested());
}

const wiring: OrderSagaWiring = {
  drainCart,
  cartChanged: cartOutdated,
  checkSession: refetchUser,
};

/** Runs the order saga with the actions of cart and accounts, which the orders feature does not import. */
export function* wiredOrderSaga() {
  yield* orderSaga(wiring);
}
