import { call, put, take, takeEvery } from 'redux-saga/effects';
import { selectUser } from '../../features/auth/auth-slice.ts';
import {
  draftEdited,
  formOwnerFound,
  formRestored,
  formTyped,
  type KeptForm,
  noteTyped,
  selectFormToKeep,
} from '../../features/orders/checkout/checkout-slice.ts';
import { orderPlaced } from '../../features/orders/order-slice.ts';
import { read } from '../../lib/saga.ts';
import { sessionChanged } from '../../lib/session-change.ts';
import { KEPT_CHECKOUT, readSession, writeSession } from '../../lib/session-storage.ts';

/** What this release or an earlier one wrote, or null. */
const keptForm = (kept: unknown): KeptForm | null =>
  typeof kept === 'object' && kept !== null && 'userId' in kept && 'form' in kept && typeof kept.form === 'object'
    ? (kept as KeptForm)
    : null;

function* keep() {
  const userId = (yield* read(selectUser))?._id ?? null;
  const form = yield* read(selectFormToKeep);
  yield call(writeSession, KEPT_CHECKOUT, form && { userId, ...form });
}

/** Waits for the first user: a form of theirs is then shown again. */
function* findOwner() {
  let user = yield* read(selectUser);
  while (user === null) {
    yield take('*');
    user = yield* read(selectUser);
  }
  yield put(formOwnerFound(user._id));
}

/** Keeps what was typed at checkout over a reload of this tab. A user's form is shown to nobody else. */
export function* keepCheckoutSaga() {
  const kept = keptForm(readSession(KEPT_CHECKOUT));
  if (kept) yield put(formRestored(kept));
  yield takeEvery([formTyped, noteTyped, draftEdited, orderPlaced, sessionChanged, formOwnerFound], keep);
  yield* findOwner();
}
