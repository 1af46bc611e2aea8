import { mergeAtSignIn } from '../cart/merge-at-sign-in.ts';
import { leavePosition } from '../http/freshness.ts';
import type { OnSignedIn } from '../accounts/sessions/session.ts';
import { claimAtSignIn, type ClaimAtSignInDeps } from '../orders/claim-at-sign-in.ts';

/**
 * All that a visitor has gathered becomes the user's: what is in the cart, then what was ordered. Broken off, the next sign-in ends it.
 * After a sign-in the user sees all orders that are theirs by now: another tab may be claiming some at the same time.
 */
export const atSignIn = (deps: ClaimAtSignInDeps): OnSignedIn => {
  const [mergeCarts, claimOrders] = [mergeAtSignIn(deps), claimAtSignIn(deps)];
  return async (visitorId, userId, ctx) => {
    if (visitorId !== undefined) {
      await mergeCarts(visitorId, userId, ctx);
      await claimOrders(visitorId, userId, ctx);
    }
    leavePosition(ctx, 'order', await deps.store.head(['order']));
  };
};
