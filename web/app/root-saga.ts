import type { Saga } from 'redux-saga';
import { call, spawn } from 'redux-saga/effects';

/** Each feature stands apart: one that breaks ends neither the root nor its neighbours. */
export function* rootSaga(features: readonly Saga[]) {
  for (const feature of features) yield spawn(watched, feature);
}

function* watched(feature: Saga) {
  try {
    yield call(feature);
  } catch (error) {
    // A worker that lets an error escape is a bug in that feature; the rest of the shop goes on.
    console.error(`The saga ${feature.name} ended`, error);
  }
}
