import { put } from 'redux-saga/effects';
import { loggedOut, selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { cartOutdated } from '../../features/cart/cart-slice.ts';
import { drainCart } from '../../features/cart/drain-cart.ts';
import { orderSaga, type OrderSagaWiring } from '../../features/orders/order-saga.ts';
import { read } from '../../lib/saga.ts';

/** A visitor has no session that could have ended: of them nothing is asked that can only be refused. */
function* refetchUser() {
  if ((yield* read(selectUser)) !== null) yield put(userFetchRequested());
}

const wiring: OrderSagaWiring = {
  drainCart,
  cartChanged: cartOutdated,
  sessionDoubted: refetchUser,
  left: loggedOut.match,
};

/** Orders among cart and accounts, of which they know nothing themselves. */
export function* wiredOrderSaga() {
  yield* orderSaga(wiring);
}
