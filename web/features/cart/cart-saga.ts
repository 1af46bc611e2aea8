import { buffers, type Channel, type EventChannel } from 'redux-saga';
import { actionChannel, call, cancel, fork, put, take, takeEvery } from 'redux-saga/effects';
import type { Task } from 'redux-saga';
import type { Action } from '@reduxjs/toolkit';
import { messageOf, statusOf } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { fetchCart, tell } from './cart-api.ts';
import {
  cartFetched,
  cartFetchFailed,
  cartForgotten,
  cartOpened,
  cartOutdated,
  cartRequested,
  fetchStarted,
  itemAdded,
  itemRemoved,
  pendingRecalled,
  operationConfirmed,
  operationFailed,
  operationStarted,
  quantityChanged,
  selectCart,
  selectIsLoaded,
  selectNextStep,
  selectPending,
} from './cart-slice.ts';
import { EMPTY_CART, type Operation } from './optimistic-cart.ts';
import { browserWindow, type Surroundings } from './cart-environment.ts';

function* tellServer({ networkBack }: Surroundings, operation: Operation) {
  const { api } = yield* services();
  yield put(operationStarted());
  try {
    yield put(operationConfirmed(yield* run(() => tell(api, operation))));
  } catch (error) {
    const back = statusOf(error) === undefined ? networkBack() : undefined;
    // Without a network nobody has refused it: it stays pending, and is told again, under the same key, when there is one.
    if (back) yield* run(() => back);
    else yield put(operationFailed({ message: messageOf(error), sentence: messageOf(error, '') }));
  }
}

function* askServer() {
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
function* keepInStep(surroundings: Surroundings) {
  const asked: Channel<Action> = yield actionChannel(
    [itemAdded, quantityChanged, itemRemoved, cartRequested, cartOpened, cartOutdated],
    buffers.sliding<Action>(1),
  );
  for (;;) {
    const step = yield* read(selectNextStep);
    if (step === 'nothing') yield take(asked);
    else if (step === 'fetch') yield* askServer();
    else yield* tellServer(surroundings, step);
  }
}

/** Whoever leaves leaves no call behind: its answer would be somebody else's cart. */
function* keepInStepWithEachShopper(surroundings: Surroundings) {
  for (;;) {
    const working: Task = yield fork(keepInStep, surroundings);
    yield take(cartForgotten);
    yield cancel(working);
  }
}

function* loadAtStart({ pageIsThere, mayHaveCart }: Surroundings) {
  yield* run(pageIsThere);
  if (!mayHaveCart()) return;
  // The page itself may have asked for it, or the shopper been quick.
  const { loading } = yield* read(selectCart);
  if (!loading && !(yield* read(selectIsLoaded))) yield put(cartRequested());
}

function* noticeReturn({ mayHaveCart }: Surroundings) {
  if (mayHaveCart()) yield put(cartOutdated());
}

/** Whatever changes what is pending. */
const pendingChanges = [itemAdded, quantityChanged, itemRemoved, operationConfirmed, operationFailed, cartForgotten];

function* keepPending({ memory }: Surroundings) {
  const pending = yield* read(selectPending);
  yield call(memory.keep, pending);
}

/**
 * Keeps the cart on the screen and the cart of the shop the same. Loads it once the first page is there, and when the shopper returns;
 * a visitor's first page makes no call for a cart that nobody can have filled.
 */
export function* cartSaga(surroundings: Surroundings = browserWindow) {
  yield takeEvery(pendingChanges, keepPending, surroundings);
  // Who was never here has an empty cart: nobody need be asked.
  if (!surroundings.mayHaveCart()) yield put(cartFetched(EMPTY_CART));
  const recalled = surroundings.memory.recall();
  if (recalled.length > 0) yield put(pendingRecalled(recalled));
  yield fork(keepInStepWithEachShopper, surroundings);
  yield fork(loadAtStart, surroundings);
  const returns: EventChannel<true> = yield call(surroundings.returns);
  yield takeEvery(returns, noticeReturn, surroundings);
}
