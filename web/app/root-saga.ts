import { buffers, type EventChannel, eventChannel, type Saga } from 'redux-saga';
import { call, spawn, takeEvery } from 'redux-saga/effects';

/** Runs each feature's saga isolated: a saga that throws stops neither the root nor the others. Later sagas run the same way. */
export function* rootSaga(features: readonly Saga[]) {
  for (const feature of features) yield spawn(runIsolated, feature);
  const sagas: EventChannel<Saga> = yield call(injectedSagas);
  yield takeEvery(sagas, runIsolated);
}

function* runIsolated(feature: Saga) {
  try {
    yield call(feature);
  } catch (error) {
    // An error that escapes a saga is a bug in that feature. The rest of the shop continues.
    console.error(`The saga ${feature.name} ended`, error);
  }
}

const injected = new Set<Saga>();
const listeners = new Set<(saga: Saga) => void>();

/** Adds the saga of a loaded screen. Each saga runs once per store. */
export const injectSaga = (saga: Saga): void => {
  if (injected.has(saga)) return;
  injected.add(saga);
  for (const notify of listeners) notify(saga);
};

/** Emits the sagas added so far, then each new one. */
const injectedSagas = (): EventChannel<Saga> =>
  eventChannel<Saga>((emit) => {
    for (const saga of injected) emit(saga);
    listeners.add(emit);
    return () => listeners.delete(emit);
  }, buffers.expanding());
