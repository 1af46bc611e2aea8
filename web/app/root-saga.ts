import type { EventChannel, Saga } from 'redux-saga';
import { call, spawn, takeEvery } from 'redux-saga/effects';
import { broughtSagas } from './saga-injection.ts';

/** Each feature stands apart: one that breaks ends neither the root nor its neighbours. Others join when a page brings them along. */
export function* rootSaga(features: readonly Saga[]) {
  for (const feature of features) yield spawn(watched, feature);
  const latecomers: EventChannel<Saga> = yield call(broughtSagas);
  yield takeEvery(latecomers, watched);
}

function* watched(feature: Saga) {
  try {
    yield call(feature);
  } catch (error) {
    // A worker that lets an error escape is a bug in that feature; the rest of the shop goes on.
    console.error(`The saga ${feature.name} ended`, error);
  }
}
