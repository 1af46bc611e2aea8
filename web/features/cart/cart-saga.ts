import type { Action } from '@reduxjs/toolkit';
import { buffers, type Channel, type EventChannel, type Task } from 'redux-saga';
import { actionChannel, call, cancel, fork, put, take, takeEvery } from 'redux-saga/effects';
import type { CartView } from '#domain/cart/view.ts';
import { type Api, messageOf, statusOf } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { browserEnvironment, type CartEnvironment } from './cart-environment.ts';
import {
  cartFetched,
  cartFetchFailed,
  cartReset,
  cartOpened,
  cartOutdated,
  cartRequested,
  fetchStarted,
  itemAdded,
  itemRemoved,
  operationConfirmed,
  operationFailed,
  operationStarted,
  pendingRestored,
  quantityChanged,
  selectCart,
  selectIsLoaded,
  selectNextStep,
  selectPending,
} from './cart-slice.ts';
import { EMPTY_CART, type Operation } from './optimistic-cart.ts';

const fetchCart = async (api: Api): Promise<CartView> => (await api.get<CartView>('/cart/get-cart')).data;

/** Tells the server; it answers with the whole cart as it is then. Told again, also after a reload, an operation is done once. */
const sendOperation = async (api: Api, operation: Operation): Promise<CartView> => {
  const once = { headers: { 'Idempotency-Key': operation.id } };
  switch (operation.kind) {
    case 'add':
      return (await api.post<CartView>('/cart/add-to-cart', { ...operation.product, quantity: operation.quantity }, once)).data;
    case 'change':
      return (await api.put<CartView>(`/cart/update/${operation.productId}`, { quantity: operation.quantity }, once)).data;
    case 'remove':
      return (await api.delete<CartView>(`/cart/remove/${operation.productId}`)).data;
  }
};

function* confirmNext({ networkBack }: CartEnvironment, operation: Operation) {
  const { api } = yield* services();
  yield put(operationStarted());
  try {
    yield put(operationConfirmed(yield* run(() => sendOperation(api, operation))));
  } catch (error) {
    const back = statusOf(error) === undefined ? networkBack() : undefined;
    // Without a network nobody has refused it: it stays pending, and is told again, under the same key, when there is one.
    if (back) yield* run(() => back);
    else yield put(operationFailed({ message: messageOf(error), sentence: messageOf(error, '') }));
  }
}

function* refetchCart() {
  const { api } = yield* services();
  yield put(fetchStarted());
  try {
    yield put(cartFetched(yield* run(() => fetchCart(api))));
  } catch (error) {
    yield put(cartFetchFailed(messageOf(error)));
  }
}

/**
 * One call at a time, each after the answer to the last: no answer can come late, and what the server does it does in the shopper's
 * order. What there is to tell stands in the store, where the screen sees it and where quantities collapse while they wait; the channel
 * only says that something came, so it holds one notice however many come.
 */
function* syncCart(surroundings: CartEnvironment) {
  const asked: Channel<Action> = yield actionChannel(
    [itemAdded, quantityChanged, itemRemoved, cartRequested, cartOpened, cartOutdated],
    buffers.sliding<Action>(1),
  );
  for (;;) {
    const step = yield* read(selectNextStep);
    if (step === 'nothing') yield take(asked);
    else if (step === 'fetch') yield* refetchCart();
    else yield* confirmNext(surroundings, step);
  }
}

/** Whoever leaves leaves no call behind: its answer would be somebody else's cart. */
function* syncPerShopper(surroundings: CartEnvironment) {
  for (;;) {
    const working: Task = yield fork(syncCart, surroundings);
    yield take(cartReset);
    yield cancel(working);
  }
}

function* loadAtStart({ pageIsThere, mayHaveCart }: CartEnvironment) {
  yield* run(pageIsThere);
  if (!mayHaveCart()) return;
  // The page itself may have asked for it, or the shopper been quick.
  const { loading } = yield* read(selectCart);
  if (!loading && !(yield* read(selectIsLoaded))) yield put(cartRequested());
}

function* refetchOnReturn({ mayHaveCart }: CartEnvironment) {
  if (mayHaveCart()) yield put(cartOutdated());
}

/** Whatever changes what is pending. */
const pendingChanges = [itemAdded, quantityChanged, itemRemoved, operationConfirmed, operationFailed, cartReset];

function* persistPending({ memory }: CartEnvironment) {
  const pending = yield* read(selectPending);
  yield call(memory.keep, pending);
}

/**
 * Keeps the cart on the screen and the cart of the shop the same. Loads it once the first page is there, and when the shopper returns;
 * a visitor's first page makes no call for a cart that nobody can have filled.
 */
export function* cartSaga(surroundings: CartEnvironment = browserEnvironment) {
  yield takeEvery(pendingChanges, persistPending, surroundings);
  // Who was never here has an empty cart: nobody need be asked.
  if (!surroundings.mayHaveCart()) yield put(cartFetched(EMPTY_CART));
  const recalled = surroundings.memory.recall();
  if (recalled.length > 0) yield put(pendingRestored(recalled));
  yield fork(syncPerShopper, surroundings);
  yield fork(loadAtStart, surroundings);
  const returns: EventChannel<true> = yield call(surroundings.returns);
  yield takeEvery(returns, refetchOnReturn, surroundings);
}
