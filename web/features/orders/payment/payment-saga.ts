import { call, put, race, take, takeLatest } from 'redux-saga/effects';
import { run, services } from '../../../lib/saga.ts';
import { checkPayment, payOrder } from '../order-api.ts';
import { toFailure } from '../order-failure.ts';
import { checkFailed, checkRequested, orderRequested, payFailed, payLeft, paymentChecked, payRequested } from '../order-slice.ts';

function* openGateway(id: string) {
  const { api } = yield* services();
  try {
    const url = yield* run(() => payOrder(api, id));
    yield* run(async () => location.assign(url));
  } catch (error) {
    const failure = toFailure(error);
    yield put(payFailed(failure));
    // The order was paid or cancelled elsewhere, so its current state is fetched.
    if (failure.status === 409) yield put(orderRequested(id));
  }
}

function* pay({ payload: id }: ReturnType<typeof payRequested>) {
  yield race([call(openGateway, id), take((action: unknown) => payLeft.match(action) && action.payload === id)]);
}

function* check({ payload: id }: ReturnType<typeof checkRequested>) {
  const { api } = yield* services();
  try {
    yield put(paymentChecked(yield* run(() => checkPayment(api, id))));
  } catch (error) {
    yield put(checkFailed(toFailure(error)));
  }
}

/** A repeated request replaces one that hangs; the server answers a repetition like the first call. */
export function* watchPayments() {
  yield takeLatest(payRequested, pay);
  yield takeLatest(checkRequested, check);
}
