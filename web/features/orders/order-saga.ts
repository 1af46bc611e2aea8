import type { UnknownAction } from '@reduxjs/toolkit';
import { call, put, race, take, takeLatest, takeLeading } from 'redux-saga/effects';
import { formOf, type CheckoutFields } from '#domain/order/checkout.ts';
import type { OrderItemView } from '#domain/order/view.ts';
import { createIdempotencyKeys, withIdempotencyKey, type IdempotencyKeys } from '../../lib/http/idempotency-keys.ts';
import type { Api } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { isAnotherShopper } from '../../lib/session-change.ts';
import { hasSessionCookie } from '../../lib/session-storage.ts';
import { addressesFound, addressNotSaved, addressSaved, selectSavesAddress } from './checkout/checkout-slice.ts';
import { checkoutOpened, lastAddressFound } from './checkout/checkout-slice.ts';
import { type AddedLine, chooseAgain } from './buy-again.ts';
import { toFailure, isLostSession, type Failure } from './order-failure.ts';
import { cancelOrder, checkPayment, createOrder, fetchMyOrders, fetchOrder, findProduct } from './order-api.ts';
import { payOrder, placeOrder, returnOrder } from './order-api.ts';
import { fetchAddresses, fetchLastAddress, saveAddress } from './order-api.ts';
import { MY_ORDERS_PAGE, type OrdersPage } from './order-api.ts';
import { reviewPath } from './order-paths.ts';
import { orderSlice, type OrdersState, selectOrder } from './order-slice.ts';

const { actions } = orderSlice;

/** The parts of cart and accounts that the order saga needs. This feature must not import them, so `app` passes them in. */
export type OrderSagaWiring = {
  /** Waits until the server has all cart changes, and returns whether it accepted all of them. */
  readonly drainCart: () => Generator<unknown, boolean, never>;
  /** Adds these lines to the cart, and returns whether the server accepted all of them. */
  readonly addToCart: (lines: readonly AddedLine[]) => Generator<unknown, boolean, never>;
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

/** Makes a call and puts its answer or its failure, which it returns. */
function* report<Answer>(
  send: (api: Api) => Promise<Answer>,
  answered: (answer: Answer) => UnknownAction,
  failed: (failure: Failure) => UnknownAction,
) {
  const { api } = yield* services();
  try {
    yield put(answered(yield* run(() => send(api))));
    return undefined;
  } catch (error) {
    const failure = toFailure(error);
    yield put(failed(failure));
    return failure;
  }
}

function* checkOut(
  wiring: OrderSagaWiring,
  keys: IdempotencyKeys,
  { payload: { form, lines } }: ReturnType<typeof actions.createRequested>,
) {
  const { api, navigate } = yield* services();
  try {
    const isAsSeen: boolean = yield call(wiring.drainCart);
    if (!isAsSeen) {
      yield put(actions.createFailed(CART_REFUSED));
      return;
    }
    const order = yield* run(() => withIdempotencyKey(keys, ['create', form, lines], (key) => createOrder(api, form, key)));
    yield put(actions.orderCreated(order));
    if (yield* read(selectSavesAddress)) yield* keepAddress(keys, form.shipping);
    yield* run(async () => navigate(reviewPath(order._id)));
  } catch (error) {
    const failure = toFailure(error);
    // Only the message is logged, because an axios error contains the request with the address.
    console.error(`Checkout: ${failure.message}`);
    yield put(actions.createFailed(failure));
    // After a refusal the cart on the server differs from the one shown.
    if (failure.status !== undefined) yield put(wiring.cartChanged());
    if (isLostSession(failure)) yield call(wiring.checkSession);
  }
}

function* refresh(wiring: OrderSagaWiring, keys: IdempotencyKeys, { payload: before }: ReturnType<typeof actions.refreshRequested>) {
  const { api, navigate } = yield* services();
  try {
    const isAsSeen: boolean = yield call(wiring.drainCart);
    if (!isAsSeen) {
      yield put(actions.refreshFailed(CART_REFUSED));
      return;
    }
    const now = yield* run(() => withIdempotencyKey(keys, ['refresh', before], (key) => createOrder(api, formOf(before), key)));
    yield put(actions.orderRefreshed({ before, now }));
    // A changed cart gives another order, so the review has a new URL.
    if (now._id !== before._id) yield* run(async () => navigate(reviewPath(now._id)));
  } catch (error) {
    yield put(actions.refreshFailed(toFailure(error)));
  }
}

/** Places an order. The review page redirects to the confirmation by itself. */
function* place(wiring: OrderSagaWiring, keys: IdempotencyKeys, { payload }: ReturnType<typeof actions.placeRequested>) {
  const send = (api: Api) => withIdempotencyKey(keys, ['place', payload], (key) => placeOrder(api, payload, key));
  const failure = yield* report(send, actions.orderPlaced, actions.placeFailed);
  if (!failure) yield put(wiring.cartChanged());
  // The order was placed elsewhere with the other payment method, so its current state is fetched.
  if (failure?.code === 'order_already_placed') yield put(actions.orderRequested(payload.id));
}

function* fetchOne({ payload: id }: ReturnType<typeof actions.orderRequested>) {
  yield* report((api) => fetchOrder(api, id), actions.orderFetched, actions.orderFetchFailed);
}

const LARGEST_PAGE = 200;

/** Keeps the older orders of a list that is longer than one request can fetch. */
const withOlder = (fetched: OrdersPage, before: Pick<OrdersState, 'orders' | 'next'>): OrdersPage => {
  const last = fetched.orders.at(-1);
  const older = before.orders.slice(before.orders.findIndex(({ _id }) => _id === last?._id) + 1);
  const isLonger = fetched.next !== undefined && older.length < before.orders.length;
  return isLonger ? { orders: [...fetched.orders, ...older], next: before.next ?? undefined } : fetched;
};

function* fetchMyOrdersSaga({ checkSession }: OrderSagaWiring, { payload: wanted = 0 }: ReturnType<typeof actions.ordersRequested>) {
  const before = yield* read(selectOrder);
  const limit = Math.min(Math.max(before.orders.length, wanted, MY_ORDERS_PAGE), LARGEST_PAGE);
  const fetchList = async (api: Api) => withOlder(await fetchMyOrders(api, { limit }), before);
  const failure = yield* report(fetchList, actions.ordersFetched, actions.ordersFetchFailed);
  if (failure?.status === 401) yield call(checkSession);
}

function* fetchMore() {
  const { next: cursor } = yield* read(selectOrder);
  if (!cursor) return;
  const fetchNext = (api: Api) => fetchMyOrders(api, { limit: MY_ORDERS_PAGE, cursor });
  yield* report(fetchNext, actions.moreOrdersFetched, actions.moreOrdersFailed);
}

function* cancel(keys: IdempotencyKeys, { payload }: ReturnType<typeof actions.cancelRequested>) {
  const { id, reason } = payload;
  const send = (api: Api) => withIdempotencyKey(keys, ['cancel', payload], (key) => cancelOrder(api, id, reason, key));
  yield* report(send, actions.orderCancelled, actions.cancelFailed);
}

function* returnItems(keys: IdempotencyKeys, { payload }: ReturnType<typeof actions.returnRequested>) {
  const { id, ...form } = payload;
  const send = (api: Api) => withIdempotencyKey(keys, ['return', payload], (key) => returnOrder(api, id, form, key));
  yield* report(send, actions.orderReturned, actions.returnFailed);
}

function* openGateway(id: string) {
  const { api } = yield* services();
  try {
    const url = yield* run(() => payOrder(api, id));
    yield* run(async () => location.assign(url));
  } catch (error) {
    const failure = toFailure(error);
    yield put(actions.payFailed(failure));
    // The order was paid or cancelled elsewhere, so its current state is fetched.
    if (failure.status === 409) yield put(actions.orderRequested(id));
  }
}

function* pay({ payload: id }: ReturnType<typeof actions.payRequested>) {
  yield race([call(openGateway, id), take((action: unknown) => actions.payLeft.match(action) && action.payload === id)]);
}

function* check({ payload: id }: ReturnType<typeof actions.checkRequested>) {
  yield* report((api) => checkPayment(api, id), actions.paymentChecked, actions.checkFailed);
}

function* buyAgain({ addToCart }: OrderSagaWiring, { payload: { items } }: ReturnType<typeof actions.againRequested>) {
  const { api } = yield* services();
  try {
    const find = async (item: OrderItemView) => ({ item, product: await findProduct(api, item.product._id) });
    const { lines, changes } = chooseAgain(yield* run(() => Promise.all(items.map(find))));
    const isWhole: boolean = yield call(addToCart, lines);
    yield put(actions.boughtAgain({ added: lines.length, isWhole, changes }));
  } catch (error) {
    yield put(actions.againFailed(toFailure(error)));
  }
}

/** Offers the addresses that the shopper keeps, and fills in the default; without any, that of the last order, of visitors too. */
function* findAddress({ payload: shopper }: ReturnType<typeof checkoutOpened>) {
  const { api } = yield* services();
  try {
    const addresses = shopper === null ? [] : yield* run(() => fetchAddresses(api));
    if (shopper !== null) yield put(addressesFound({ addresses, shopper }));
    // Who was never here has ordered nothing, which needs no call.
    const isKnown = shopper !== null || hasSessionCookie();
    const last = addresses.length > 0 || !isKnown ? null : yield* run(() => fetchLastAddress(api));
    if (last) yield put(lastAddressFound(last));
  } catch {
    // A known address is a convenience: without it the shopper types one.
  }
}

/** Keeps the address of an order that was created. A failure is told on the review, and holds nothing up. */
function* keepAddress(keys: IdempotencyKeys, address: CheckoutFields['shipping']) {
  const { api } = yield* services();
  try {
    yield put(addressSaved(yield* run(() => withIdempotencyKey(keys, ['keep', address], (key) => saveAddress(api, address, key)))));
  } catch (error) {
    yield put(addressNotSaved(toFailure(error).message));
  }
}

type Work<Asked> = (wiring: OrderSagaWiring, keys: IdempotencyKeys, asked: Asked) => Generator;

/** Restarts running work, with the same keys, when the shopper asks for it because the work or the cart's call hangs. */
const repeatable = <Asked>(work: Work<Asked>): Work<Asked> =>
  function* (wiring, keys, asked) {
    for (;;) {
      const { again }: { again?: unknown } = yield race({ done: call(work, wiring, keys, asked), again: take(actions.callRepeated) });
      if (!again) return;
      yield put(wiring.cartCallRepeated());
    }
  };

/** Cancels work that ends in a navigation when the shopper leaves the page, so that nobody is pulled back. */
const cancelOnLeave = <Asked>(work: Work<Asked>): Work<Asked> =>
  function* (wiring, keys, asked) {
    yield race([call(work, wiring, keys, asked), take(actions.draftLeft)]);
  };

function* watch(wiring: OrderSagaWiring) {
  const keys = createIdempotencyKeys();
  yield takeLeading(actions.createRequested, cancelOnLeave(repeatable(checkOut)), wiring, keys);
  yield takeLeading(actions.refreshRequested, cancelOnLeave(repeatable(refresh)), wiring, keys);
  yield takeLeading(actions.placeRequested, repeatable(place), wiring, keys);
  yield takeLeading(actions.cancelRequested, cancel, keys);
  yield takeLeading(actions.returnRequested, returnItems, keys);
  // Of two orders requested in a row, the page shows the later one.
  yield takeLatest(actions.orderRequested, fetchOne);
  yield takeLatest(actions.ordersRequested, fetchMyOrdersSaga, wiring);
  yield takeLeading(actions.moreOrdersRequested, fetchMore);
  yield takeLatest(checkoutOpened, findAddress);
  // A repeated request replaces one that hangs; the server answers a repetition like the first call.
  yield takeLatest(actions.payRequested, pay);
  yield takeLatest(actions.checkRequested, check);
  yield takeLeading(actions.againRequested, buyAgain, wiring);
}

/** Runs checkout and orders. Another shopper cancels all running work, because its answers belong to the previous one. */
export function* orderSaga(wiring: OrderSagaWiring) {
  for (;;) yield race([call(watch, wiring), take(isAnotherShopper)]);
}
