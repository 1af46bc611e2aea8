import { put, takeLeading } from 'redux-saga/effects';
import { fieldErrorsOf, messageOf } from '../../lib/http/api.ts';
import { run, services } from '../../lib/saga.ts';
import { subscribe } from './newsletter-api.ts';
import { subscribed, subscribeFailed, subscribeRequested } from './newsletter-slice.ts';

function* subscribeToNewsletter({ payload: email }: ReturnType<typeof subscribeRequested>) {
  const { api } = yield* services();
  try {
    yield put(subscribed(yield* run(() => subscribe(api, email))));
  } catch (error) {
    // The error of the one field says more than the general message.
    yield put(subscribeFailed(fieldErrorsOf(error)['email'] ?? messageOf(error, 'Failed to subscribe')));
  }
}

export function* newsletterSaga() {
  yield takeLeading(subscribeRequested, subscribeToNewsletter);
}
