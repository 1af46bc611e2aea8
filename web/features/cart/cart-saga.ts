import type { Action } from '@reduxjs/toolkit';
import { buffers, type Channel, type EventChannel, type Task } from 'redux-saga';
import { actionChannel, call, cancel, fork, put, race, take, takeEvery, takeLatest } from 'redux-saga/effects';
import type { CartView } from '#domain/cart/view.ts';
import { type Api, getMessage, getHttpStatus } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { type Identity, isAnotherShopper, sessionChanged } from '../../lib/session-change.ts';
import type { CartEnvironment } from './cart-environment.ts';
import { cartSlice } from './cart-slice.ts';
import { EMPTY_CART, type Operation } from './optimistic-cart.ts';

const { actions, selectors } = cartSlice;

const fetchCart = async (api: Api, signal: AbortSignal): Promise<CartView> => (await api.get<CartView>('/cart/get-cart', { signal })).data;

/** Sends an operation and returns the whole cart. The operation's id is its idempotency key, so a repetition takes effect once. */
const sendOperation = async (api: Api, operation: Operation, signal: AbortSignal): Promise<CartView> => {
  const once = { signal, headers: { 'Idempotency-Key': operation.id } };
  switch (operation.kind) {
    case 'add':
      return (await api.post<CartView>('/cart/add-to-cart', { ...operation.product, quantity: operation.quantity }, once)).data;
    case 'change':
      return (await api.put<CartView>(`/cart/update/${operation.productId}`, { quantity: operation.quantity }, once)).data;
    case 'remove':
      return (await api.delete<CartView>(`/cart/remove/${operation.productId}`, { signal })).data;
  }
};

/** Makes a call. `callRepeated` aborts it, and the result is then undefined. */
function* unlessRepeated(send: (signal: AbortSignal) => Promise<CartView>) {
  const abort = new AbortController();
  const { cart }: { cart?: CartView } = yield race({ cart: call(send, abort.signal), again: take(actions.callRepeated) });
  if (!cart) abort.abort();
  return cart;
}

const NEEDS_COOKIES = 'Your browser keeps no cookie of this shop, and a cart needs one. Allow cookies for this site, then add it again.';

function* confirmNext({ mayHaveCart, untilOnline }: CartEnvironment, operation: Operation) {
  const { api } = yield* services();
  yield put(actions.callStarted());
  try {
    const cart = yield* unlessRepeated((signal) => sendOperation(api, operation, signal));
    // The server had the cookie set with its answer. Without it, the next call comes from somebody new.
    if (cart) yield put(mayHaveCart() ? actions.operationConfirmed(cart) : actions.operationFailed(NEEDS_COOKIES));
  } catch (error) {
    // The network failed, so the operation stays pending and is sent again with the same key.
    if (getHttpStatus(error) === undefined && (yield* run(untilOnline))) return;
    yield put(actions.operationFailed(getMessage(error)));
  }
}

/** Fetches the cart. A visitor without a session has an empty one, which needs no call. */
function* refetchCart({ mayHaveCart }: CartEnvironment) {
  const { api } = yield* services();
  yield put(actions.callStarted());
  try {
    const cart = mayHaveCart() ? yield* unlessRepeated((signal) => fetchCart(api, signal)) : EMPTY_CART;
    if (cart) yield put(actions.cartFetched(cart));
  } catch (error) {
    yield put(actions.cartFetchFailed(getMessage(error)));
  }
}

/**
 * Sends one call at a time, so that answers arrive in order and the server applies changes in the shopper's order. The queue is in the
 * store, where the page shows it and quantity changes collapse. The channel only signals changes, so one buffered signal is enough.
 */
function* syncCart(environment: CartEnvironment) {
  const asked: Channel<Action> = yield actionChannel(
    [
      actions.itemAdded,
      actions.quantityChanged,
      actions.itemRemoved,
      actions.cartRequested,
      actions.cartOpened,
      actions.cartOutdated,
      sessionChanged,
    ],
    buffers.sliding<Action>(1),
  );
  for (;;) {
    const step = yield* read(selectors.selectNextStep);
    if (step === 'nothing') yield take(asked);
    else if (step === 'fetch') yield* refetchCart(environment);
    else yield* confirmNext(environment, step);
  }
}

/** Cancels the running call when another shopper enters, because its answer would be the previous shopper's cart. */
function* syncPerShopper(environment: CartEnvironment) {
  for (;;) {
    const working: Task = yield fork(syncCart, environment);
    yield take(isAnotherShopper);
    yield cancel(working);
  }
}

function* loadAtStart({ pageReady }: CartEnvironment) {
  yield* run(pageReady);
  // A page may already have requested the cart, or the shopper may have changed it.
  const { loading } = yield* read(selectors.selectCart);
  if (!loading && !(yield* read(selectors.selectIsLoaded))) yield put(actions.cartRequested());
}

function* refetchOnReturn() {
  yield put(actions.cartOutdated());
}

const pendingChanges = [
  actions.itemAdded,
  actions.quantityChanged,
  actions.itemRemoved,
  actions.operationConfirmed,
  actions.operationFailed,
  sessionChanged,
];

function* persistPending({ storage, identity }: CartEnvironment) {
  const owner: Identity = yield call(identity);
  const pending = yield* read(selectors.selectPending);
  yield call(storage.save, { owner, pending });
}

/** Sends stored operations once it is known that the same user is signed in. A visitor's operations are kept when they sign in. */
function* restorePending(environment: CartEnvironment) {
  const kept = environment.storage.load();
  if (kept === null) return;
  const who: Identity = yield call(environment.identity);
  if (kept.owner === null || kept.owner === who) yield put(actions.pendingRestored(kept.pending));
  yield* persistPending(environment);
}

/** Keeps the store and the server in step: fetches the cart once the first page is ready and whenever the window is focused again. */
export function* cartSaga(environment: CartEnvironment) {
  if (!environment.mayHaveCart()) yield put(actions.cartFetched(EMPTY_CART));
  yield* restorePending(environment);
  yield takeLatest(pendingChanges, persistPending, environment);
  yield fork(syncPerShopper, environment);
  yield fork(loadAtStart, environment);
  const returns: EventChannel<true> = yield call(environment.refocused);
  yield takeEvery(returns, refetchOnReturn);
}

/**
 * Waits until no operation is pending, so that the server's cart equals the page's, and returns whether all were confirmed. Refusals are
 * reported by the cart itself. Use: `const allConfirmed = yield* drainCart();`
 */
export function* drainCart() {
  let allConfirmed = true;
  while (yield* read(selectors.selectHasPending)) {
    const { type }: { type: string } = yield take([actions.operationConfirmed, actions.operationFailed]);
    allConfirmed &&= type === actions.operationConfirmed.type;
  }
  return allConfirmed;
}
