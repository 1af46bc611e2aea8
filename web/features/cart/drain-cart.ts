import { take } from 'redux-saga/effects';
import { read } from '../../lib/saga.ts';
import { operationConfirmed, operationFailed, selectHasPending } from './cart-slice.ts';

/**
 * Waits until no operation is pending, so that the server's cart is what the screen shows. Returns at once when nothing is pending. Returns
 * whether everything was confirmed; the cart itself reports what was refused. `const wentThrough = yield* drainCart();`
 */
export function* drainCart() {
  let allConfirmed = true;
  while (yield* read(selectHasPending)) {
    const { type }: { type: string } = yield take([operationConfirmed, operationFailed]);
    allConfirmed &&= type === operationConfirmed.type;
  }
  return allConfirmed;
}
