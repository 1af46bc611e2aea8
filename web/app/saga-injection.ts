import { buffers, eventChannel, type EventChannel, type Saga } from 'redux-saga';

/** Sagas that came with the script of a page, in the order in which they came. */
const brought = new Set<Saga>();
const listeners = new Set<(saga: Saga) => void>();

/** What only some pages need comes with their script: each such saga begins once in every store. */
export const bring = (saga: Saga): void => {
  if (brought.has(saga)) return;
  brought.add(saga);
  for (const tell of listeners) tell(saga);
};

/** Those that have come, and each that comes. */
export const broughtSagas = (): EventChannel<Saga> =>
  eventChannel<Saga>((emit) => {
    for (const saga of brought) emit(saga);
    listeners.add(emit);
    return () => listeners.delete(emit);
  }, buffers.expanding());
