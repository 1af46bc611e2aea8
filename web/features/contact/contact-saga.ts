import { put, takeLeading } from 'redux-saga/effects';
import { fieldErrorsOf, messageOf } from '../../lib/http/api.ts';
import { run, services } from '../../lib/saga.ts';
import { sendMessage } from './contact-api.ts';
import { messageFailed, messageSendRequested, messageSent } from './contact-slice.ts';

function* send({ payload }: ReturnType<typeof messageSendRequested>) {
  const { api } = yield* services();
  try {
    yield put(messageSent(yield* run(() => sendMessage(api, payload))));
  } catch (error) {
    yield put(messageFailed({ message: messageOf(error, 'Something went wrong'), fields: fieldErrorsOf(error) }));
  }
}

export function* contactSaga() {
  yield takeLeading(messageSendRequested, send);
}
