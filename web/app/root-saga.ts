import { buffers, type EventChannel, eventChannel, type Saga } from 'redux-saga';
import { call, spawn, takeEvery } from 'redux-saga/effects';

/** Each feature stands apart: one that breaks ends neither the root nor its neighbours. Others join when a page brings them along. */
export function* rootSaga(features: readonly Saga[]) {
  for (const feature of features) yield spawn(runIsolated, feature);
  const sagas: EventChannel<Saga> = yield call(injectedSagas);
  yield takeEvery(sagas, runIsolated);
}

function* runIsolated(feature: Saga) {
  try {
    yield call(feature);
  } catch (error) {
    // A worker that lets an error escape is a bug in that feature; the rest of the shop goes on.
    console.error(`The saga ${feature.name} ended`, error);
  }
}

/** Sagas that came with the script of a page, in the order in which they came. */
const injected = new Set<Saga>();
const listeners = new Set<(saga: Saga) => void>();

/** What only some pages need comes with their script: each such saga begins once in every store. */
export const injectSaga = (saga: Saga): void => {
  if (injected.has(saga)) return;
  injected.add(saga);
  for (const tell of listeners) tell(saga);
};

/** Those that have come, and each that comes. */
const injectedSagas = (): EventChannel<Saga> =>
  eventChannel<Saga>((emit) => {
    for (const saga of injected) emit(saga);
    listeners.add(emit);
    return () => listeners.delete(emit);
  }, buffers.expanding());
