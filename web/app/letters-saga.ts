import { put, takeEvery } from 'redux-saga/effects';
import { lettersWished } from '../features/auth/auth-slice.ts';
import { subscribeRequested } from '../features/newsletter/newsletter-slice.ts';

/** Where accounts and newsletter meet: whoever ticked the box at sign-up subscribes once the address is proven. */
export function* lettersSaga() {
  yield takeEvery(lettersWished, subscribe);
}

function* subscribe({ payload: email }: ReturnType<typeof lettersWished>) {
  yield put(subscribeRequested(email));
}
