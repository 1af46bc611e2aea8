import { buffers, type EventChannel, eventChannel, type Saga } from 'redux-saga';
import { call, spawn, takeEvery } from 'redux-saga/effects';

/** Runs each feature's saga isolated: one that throws stops neither the root nor the others. Sagas injected later run the same way. */
export function* rootSaga(features: readonly Saga[]) {
  for (const feature of features) yield spawn(runIsolated, feature);
  const sagas: EventChannel<Saga> = yield call(injectedSagas);
  yield takeEvery(sagas, runIsolated);
}

function* runIsolated(feature: Saga) {
  try {
    yield call(feature);
  } catch (error) {
    // An error that escapes a saga is a bug in that feature; the rest of the shop goes on.
    console.error(`The saga ${feature.name} ended`, error);
  }
}

/** Sagas of loaded screens, in order of arrival. */
const injected = new Set<Saga>();
const listeners = new Set<(saga: Saga) => void>();

/** Adds a saga that came with a screen's chunk. Each runs once per store. */
export const injectSaga = (saga: Saga): void => {
  if (injected.has(saga)) return;
  injected.add(saga);
  for (const notify of listeners) notify(saga);
};

/** Emits the sagas injected so far, then each new one. */
const injectedSagas = (): EventChannel<Saga> =>
  eventChannel<Saga>((emit) => {
    for (const saga of injected) emit(saga);
    listeners.add(emit);
    return () => listeners.delete(emit);
  }, buffers.expanding());
