import { put, takeEvery } from 'redux-saga/effects';
import { googleLoggedIn, loggedIn, loggedOut, verified } from '../features/auth/auth-slice.ts';
import { cartForgotten, cartRequested } from '../features/cart/cart-slice.ts';

function* loadAfresh() {
  yield put(cartRequested());
}

function* forget() {
  yield put(cartForgotten());
}

/** Two features meet: who signs in brings a cart along and may find another, who leaves takes theirs along. */
export function* cartSessionSaga() {
  yield takeEvery([loggedIn, googleLoggedIn, verified], loadAfresh);
  yield takeEvery(loggedOut, forget);
}
