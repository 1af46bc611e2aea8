import { cart } from '#domain/cart/cart.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart-stream.ts';

import { leavePosition } from '../http/freshness.ts';
import { type OnSignedIn, type OnRecognised, commandMetadata } from '../accounts/sessions/session.ts';
import { claimAtSignIn, unlessCut, type ClaimAtSignInDeps } from '../orders/claim-at-sign-in.ts';
import type { Shop } from '../shop.ts';

/**
 * Closes the visitor's cart, then merges its lines into the user's. If this is interrupted the sign-in has failed, and the next one
 * completes it: a cart that was closed before goes to the user it was closed for.
 */
const mergeAtSignIn =
  ({ execute, now }: Pick<Shop, 'execute' | 'now'>): OnRecognised =>
  async (visitorId, userId, ctx) => {
    const from = shopperId(visitorId);
    const metadata = () => commandMetadata(ctx, { kind: 'user', id: userId });
    const closing = { type: 'CloseCart', into: shopperId(userId), now: now() } as const;
    const { state: left } = await execute(cart, cartStream(from), closing, await metadata());
    if (left.closed === null) return;

    const { into, at: closedAt } = left.closed;
    const merging = { type: 'MergeCarts', from, into, lines: left.lines, closedAt, now: now() } as const;
    const { position } = await execute(cart, cartStream(into), merging, await metadata());
    if (position !== undefined) leavePosition(ctx, 'cart', position);
  };

/**
 * The visitor's cart, then the orders, become the user's; if interrupted, the next sign-in completes it. Afterwards the user sees all
 * orders that are theirs by now: another tab may be claiming some at the same time.
 */
export const atSignIn = (deps: ClaimAtSignInDeps): OnSignedIn => {
  const [mergeCarts, claimOrders] = [mergeAtSignIn(deps), claimAtSignIn(deps)];
  return async (visitorId, userId, ctx) => {
    if (visitorId !== undefined) {
      await unlessCut(deps.log, () => mergeCarts(visitorId, userId, ctx));
      await claimOrders(visitorId, userId, ctx);
    }
    leavePosition(ctx, 'order', await deps.store.head(['order']));
  };
};
