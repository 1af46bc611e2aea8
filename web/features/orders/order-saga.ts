import type { UnknownAction } from '@reduxjs/toolkit';
import { call, fork, put, race, take, takeLatest, takeLeading } from 'redux-saga/effects';
import { formOf } from '#domain/order/checkout.ts';
import { createIdempotencyKeys, withIdempotencyKey, type IdempotencyKeys } from '../../lib/http/idempotency-keys.ts';
import { read, run, services } from '../../lib/saga.ts';
import { isAnotherShopper } from '../../lib/session-change.ts';
import { checkoutOpened, lastAddressFound } from './checkout/checkout-slice.ts';
import { toFailure, isLostSession, type Failure } from './order-failure.ts';
import {
  cancelOrder,
  createOrder,
  fetchMyOrders,
  fetchOrder,
  MY_ORDERS_PAGE,
  type OrdersPage,
  placeOrder,
  returnOrder,
} from './order-api.ts';
import { reviewPath } from './order-paths.ts';
import { watchPayments } from './payment/payment-saga.ts';
import {
  callRepeated,
  cancelFailed,
  cancelRequested,
  createFailed,
  createRequested,
  draftLeft,
  orderCancelled,
  orderCreated,
  orderFetched,
  orderFetchFailed,
  orderPlaced,
  orderRefreshed,
  orderRequested,
  orderReturned,
  ordersFetched,
  ordersFetchFailed,
  ordersRequested,
  moreOrdersFailed,
  moreOrdersFetched,
  moreOrdersRequested,
  placeFailed,
  placeRequested,
  refreshFailed,
  type OrdersState,
  refreshRequested,
  returnFailed,
  returnRequested,
  selectOrder,
} from './order-slice.ts';

/** The parts of cart and accounts that the order saga needs. This feature must not import them, so `app` passes them in. */
export type OrderSagaWiring = {
  /** Waits until the server has all cart changes, and returns whether it accepted all of them. */
  readonly drainCart: () => Generator<unknown, boolean, never>;
  readonly cartChanged: () => UnknownAction;
  /** Creates the action that repeats the cart's running call, which draining waits for. */
  readonly cartCallRepeated: () => UnknownAction;
  /** Checks whether the session has ended, because the server may no longer know the shopper. */
  readonly checkSession: () => Generator<unknown, void, never>;
};

/** The cart has already reported which changes it could not save. */
const CART_REFUSED: Failure = {
  message: 'Your cart was not saved as it is shown here. Please check it and try again.',
  status: 409,
  errors: {},
};

function* checkOut(wiring: OrderSagaWiring, keys: IdempotencyKeys, { payload: { form, lines } }: ReturnType<typeof createRequested>) {
  const { api, navigate } = yield* services();
  try {
    const isAsSeen: boolean = yield call(wiring.drainCart);
    if (!isAsSeen) {
      yield put(createFailed(CART_REFUSED));
      return;
    }
    const order = yield* run(() => withIdempotencyKey(keys, ['create', form, lines], (key) => createOrder(api, form, key)));
    yield put(orderCreated(order));
    yield* run(async () => navigate(reviewPath(order._id)));
  } catch (error) {
    const failure = toFailure(error);
    // Only the message is logged, because an axios error contains the request with the address.
    console.error(`Checkout: ${failure.message}`);
    yield put(createFailed(failure));
    // After a refusal the cart on the server differs from the one shown.
    if (failure.status !== undefined) yield put(wiring.cartChanged());
    if (isLostSession(failure)) yield call(wiring.checkSession);
  }
}

function* refresh(wiring: OrderSagaWiring, keys: IdempotencyKeys, { payload: before }: ReturnType<typeof refreshRequested>) {
  const { api, navigate } = yield* services();
  try {
    const isAsSeen: boolean = yield call(wiring.drainCart);
    if (!isAsSeen) {
      yield put(refreshFailed(CART_REFUSED));
      return;
    }
    const now = yield* run(() => withIdempotencyKey(keys, ['refresh', before], (key) => createOrder(api, formOf(before), key)));
    yield put(orderRefreshed({ before, now }));
    // A changed cart gives another order, so the review has a new URL.
    if (now._id !== before._id) yield* run(async () => navigate(reviewPath(now._id)));
  } catch (error) {
    yield put(refreshFailed(toFailure(error)));
  }
}

/** Places an order. The review page redirects to the confirmation by itself. */
function* place(wiring: OrderSagaWiring, keys: IdempotencyKeys, { payload }: ReturnType<typeof placeRequested>) {
  const { api } = yield* services();
  const { id, method } = payload;
  try {
    yield put(orderPlaced(yield* run(() => withIdempotencyKey(keys, ['place', payload], (key) => placeOrder(api, id, method, key)))));
    yield put(wiring.cartChanged());
  } catch (error) {
    const failure = toFailure(error);
    yield put(placeFailed(failure));
    // The order was placed elsewhere with the other payment method, so its current state is fetched.
    if (failure.code === 'order_already_placed') yield put(orderRequested(id));
  }
}

function* fetchOne({ payload: id }: ReturnType<typeof orderRequested>) {
  const { api } = yield* services();
  try {
    yield put(orderFetched(yield* run(() => fetchOrder(api, id))));
  } catch (error) {
    yield put(orderFetchFailed(toFailure(error)));
  }
}

const LARGEST_PAGE = 200;

/** Keeps the older orders of a list that is longer than one request can fetch. */
const withOlder = (fetched: OrdersPage, before: Pick<OrdersState, 'orders' | 'next'>): OrdersPage => {
  const last = fetched.orders.at(-1);
  const older = before.orders.slice(before.orders.findIndex(({ _id }) => _id === last?._id) + 1);
  const isLonger = fetched.next !== undefined && older.length < before.orders.length;
  return isLonger ? { orders: [...fetched.orders, ...older], next: before.next ?? undefined } : fetched;
};

function* fetchMyOrdersSaga({ checkSession }: OrderSagaWiring, { payload: wanted = 0 }: ReturnType<typeof ordersRequested>) {
  const { api } = yield* services();
  try {
    const before = yield* read(selectOrder);
    const limit = Math.min(Math.max(before.orders.length, wanted, MY_ORDERS_PAGE), LARGEST_PAGE);
    yield put(ordersFetched(withOlder(yield* run(() => fetchMyOrders(api, { limit })), before)));
  } catch (error) {
    const failure = toFailure(error);
    yield put(ordersFetchFailed(failure));
    if (failure.status === 401) yield call(checkSession);
  }
}

function* fetchMore() {
  const { api } = yield* services();
  const { next } = yield* read(selectOrder);
  if (!next) return;
  try {
    yield put(moreOrdersFetched(yield* run(() => fetchMyOrders(api, { limit: MY_ORDERS_PAGE, cursor: next }))));
  } catch (error) {
    yield put(moreOrdersFailed(toFailure(error)));
  }
}

function* cancel(keys: IdempotencyKeys, { payload }: ReturnType<typeof cancelRequested>) {
  const { api } = yield* services();
  const { id, reason } = payload;
  try {
    yield put(orderCancelled(yield* run(() => withIdempotencyKey(keys, ['cancel', payload], (key) => cancelOrder(api, id, reason, key)))));
  } catch (error) {
    yield put(cancelFailed(toFailure(error)));
  }
}

function* returnItems(keys: IdempotencyKeys, { payload }: ReturnType<typeof returnRequested>) {
  const { api } = yield* services();
  const { id, reason, opened } = payload;
  try {
    yield put(
      orderReturned(
        yield* run(() => withIdempotencyKey(keys, ['return', payload], (key) => returnOrder(api, id, { reason, opened }, key))),
      ),
    );
  } catch (error) {
    yield put(returnFailed(toFailure(error)));
  }
}

function* fetchLastAddress({ payload: shopper }: ReturnType<typeof checkoutOpened>) {
  if (shopper === null) return;
  const { api } = yield* services();
  try {
    const {
      orders: [last],
    } = yield* run(() => fetchMyOrders(api, { limit: 1 }));
    if (last) yield put(lastAddressFound(last.shippingAddress));
  } catch {
    // The last address is a convenience: without it the shopper types the address.
  }
}

type Work<Asked> = (wiring: OrderSagaWiring, keys: IdempotencyKeys, asked: Asked) => Generator;

/** Restarts running work, with the same keys, when the shopper asks for it because the work or the cart's call hangs. */
const repeatable = <Asked>(work: Work<Asked>): Work<Asked> =>
  function* (wiring, keys, asked) {
    for (;;) {
      const { again }: { again?: unknown } = yield race({ done: call(work, wiring, keys, asked), again: take(callRepeated) });
      if (!again) return;
      yield put(wiring.cartCallRepeated());
    }
  };

/** Cancels work that ends in a navigation when the shopper leaves the page, so that nobody is pulled back. */
const cancelOnLeave = <Asked>(work: Work<Asked>): Work<Asked> =>
  function* (wiring, keys, asked) {
    yield race([call(work, wiring, keys, asked), take(draftLeft)]);
  };

function* watch(wiring: OrderSagaWiring) {
  const keys = createIdempotencyKeys();
  yield takeLeading(createRequested, cancelOnLeave(repeatable(checkOut)), wiring, keys);
  yield takeLeading(refreshRequested, cancelOnLeave(repeatable(refresh)), wiring, keys);
  yield takeLeading(placeRequested, repeatable(place), wiring, keys);
  yield takeLeading(cancelRequested, cancel, keys);
  yield takeLeading(returnRequested, returnItems, keys);
  // Of two orders requested in a row, the page shows the later one.
  yield takeLatest(orderRequested, fetchOne);
  yield takeLatest(ordersRequested, fetchMyOrdersSaga, wiring);
  yield takeLeading(moreOrdersRequested, fetchMore);
  yield takeLatest(checkoutOpened, fetchLastAddress);
  yield fork(watchPayments);
}

/** Runs checkout and orders. Another shopper cancels all running work, because its answers belong to the previous one. */
export function* orderSaga(wiring: OrderSagaWiring) {
  for (;;) yield race([call(watch, wiring), take(isAnotherShopper)]);
}
