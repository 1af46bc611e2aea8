import { randomUUID } from 'node:crypto';

import { cart, cartStream, findLinesWithoutRoom } from '#domain/cart/cart.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { wishlist, wishlistStream } from '#domain/wishlist/wishlist.ts';

import { setPosition } from '../http/freshness.ts';
import { type LinesWithoutRoom, type OnSignedIn, type OnRecognised, commandMetadata } from '../accounts/sessions/session.ts';
import { claimAtSignIn, ignoreCutStream, type ClaimAtSignInDeps } from '../orders/claim-at-sign-in.ts';
import { mergeCommandId, withOwnId } from '../orders/take-from-cart.ts';
import type { Shop } from '../shop.ts';

/**
 * Closes the visitor's cart, then merges its lines into the user's. If the merge is interrupted, the sign-in fails, and the next sign-in
 * repeats the merge: a closed cart still has its lines, and the id of the user who gets them. Returns the lines that did not fit, also when the
 * interrupted sign-in had merged before.
 */
const mergeAtSignIn =
  ({ execute, now }: Pick<Shop, 'execute' | 'now'>): OnRecognised<LinesWithoutRoom> =>
  async (visitorId, userId, ctx) => {
    const from = shopperId(visitorId);
    const metadata = () => commandMetadata(ctx, { kind: 'user', id: userId });
    const closing = { type: 'CloseCart', into: shopperId(userId), now: now() } as const;
    const { state: left } = await execute(cart, cartStream(from), closing, await metadata());
    if (left.closed === null) return [];

    const { into, at: closedAt } = left.closed;
    const merging = { type: 'MergeCarts', from, into, lines: left.lines, closedAt, now: now() } as const;
    const { state, position } = await execute(cart, cartStream(into), merging, withOwnId(await metadata(), mergeCommandId(from, closedAt)));
    if (position !== undefined) setPosition(ctx, 'cart', position);
    // An interrupted sign-in of another user may have closed the cart: then the lines went there.
    return into === userId ? findLinesWithoutRoom(state, from) : [];
  };

/** Adds the visitor's wishes to the user's. A repetition adds nothing. */
const mergeWishesAtSignIn =
  ({ execute, load, now }: Pick<Shop, 'execute' | 'load' | 'now'>): OnRecognised =>
  async (visitorId, userId, ctx) => {
    const { products } = (await load(wishlist, wishlistStream(visitorId))).state;
    if (products.length === 0) return;
    const merging = { type: 'MergeWishes', from: shopperId(visitorId), products, now: now() } as const;
    const metadata = await commandMetadata(ctx, { kind: 'user', id: userId });
    await execute(wishlist, wishlistStream(userId), merging, withOwnId(metadata, randomUUID()));
  };

/**
 * Gives the visitor's cart and then the orders to the user. After an interruption, the next sign-in gives what is left. Afterwards the user
 * sees all orders that they own by then: another tab may be claiming some at the same time.
 */
export const atSignIn = (deps: ClaimAtSignInDeps): OnSignedIn => {
  const [mergeCarts, mergeWishes, claimOrders] = [mergeAtSignIn(deps), mergeWishesAtSignIn(deps), claimAtSignIn(deps)];
  return async (visitorId, userId, ctx) => {
    let noRoomFor: LinesWithoutRoom = [];
    if (visitorId !== undefined) {
      await ignoreCutStream(deps.log, async () => {
        noRoomFor = await mergeCarts(visitorId, userId, ctx);
      });
      await ignoreCutStream(deps.log, () => mergeWishes(visitorId, userId, ctx));
      await claimOrders(visitorId, userId, ctx);
    }
    setPosition(ctx, 'order', await deps.store.head(['order']));
    return noRoomFor;
  };
};
