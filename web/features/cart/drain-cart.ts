import { take } from 'redux-saga/effects';
import { read } from '../../lib/saga.ts';
import { cartReset, operationConfirmed, operationFailed, selectHasPending } from './cart-slice.ts';

/**
 * Waits until no operation on the cart is pending, whether confirmed or refused: from then on the server's cart is what the screen
 * shows, and an order of it is what the shopper saw. Returns at once when nothing is pending. Answers whether all that was waited for
 * was confirmed; of what was refused the shopper is told by the cart.
 *
 * `const wentThrough = yield* drainCart();`
 */
export function* drainCart() {
  let allConfirmed = true;
  while (yield* read(selectHasPending)) {
    const { type }: { type: string } = yield take([operationConfirmed, operationFailed, cartReset]);
    allConfirmed &&= type === operationConfirmed.type;
  }
  return allConfirmed;
}
