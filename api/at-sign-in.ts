import { mergeAtSignIn } from './cart/merge-at-sign-in.ts';
import type { OnSignedIn } from './http/session.ts';
import type { Queries, Shop } from './open-shop.ts';
import { claimAtSignIn } from './orders/claim-at-sign-in.ts';
import { visitorsIn } from './orders/visitors.ts';
import { shopDatabase } from './shop-tables.ts';

/** All that a visitor has gathered becomes the user's: what is in the cart, then what was ordered. Broken off, the next sign-in ends it. */
export const atSignIn = (
  { execute, now, store, pool }: Pick<Shop, 'execute' | 'now' | 'store' | 'pool'>,
  { myOrders, progress }: Pick<Queries, 'myOrders' | 'progress'>,
): OnSignedIn => {
  const mergeCarts = mergeAtSignIn({ execute, now });
  const claimOrders = claimAtSignIn({ execute, now, store, myOrders, progress, visitors: visitorsIn(shopDatabase(pool), now) });
  return async (visitorId, userId, ctx) => {
    await mergeCarts(visitorId, userId, ctx);
    await claimOrders(visitorId, userId, ctx);
  };
};
