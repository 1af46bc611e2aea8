import { call, race, take } from 'redux-saga/effects';
import { sessionChanged } from '../lib/session-change.ts';
import { KEPT_CHECKOUT, readSession, writeSession } from '../lib/session-storage.ts';
import { inject } from './reducer.ts';

const loadOrders = async (): Promise<void> => {
  try {
    inject((await import('./screens/order-saga-wiring.ts')).orders);
  } catch {
    // The next screen that needs it tries again; until then nobody finds what was kept.
    await new Promise(() => {});
  }
};

/**
 * After a reload of any page, loads the slice that knows whose form was kept. When another identity enters before it has come, the form is
 * dropped.
 */
export function* recallCheckoutSaga() {
  if (readSession(KEPT_CHECKOUT) === null) return;
  const { changed }: { changed?: unknown } = yield race({ loaded: call(loadOrders), changed: take(sessionChanged) });
  if (changed) writeSession(KEPT_CHECKOUT, undefined);
}
