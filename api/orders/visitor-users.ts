import { isUuid, shopperId, type ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { batcher } from '../platform/batcher.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** The table `shop.visitors` records which user each visitor has signed in as. */
export type Visitors = {
  /** Records that the visitor has signed in as this user. Returns the first user they signed in as. */
  becomes(visitor: string, user: string): Promise<ShopperId>;
  userOf(visitor: ShopperId): Promise<ShopperId | undefined>;
  /** Returns the user's visitors whose orders may not all be claimed yet. */
  unclaimedOf(user: ShopperId): Promise<readonly ShopperId[]>;
  /** Records that all orders of the visitor are claimed. */
  claimed(visitor: ShopperId): Promise<void>;
};

export const createVisitorUsers = (db: ShopDatabase, now: () => Instant): Visitors => {
  /** Queries are batched, because a reaction looks up the visitor of every order. */
  const findUsers = batcher(async (visitors: readonly ShopperId[]) => {
    const rows = await db.selectFrom('visitors').select(['visitor_id', 'user_id']).where('visitor_id', '=', anyOf(visitors)).execute();
    const users = new Map(rows.map(({ visitor_id, user_id }) => [visitor_id, shopperId(user_id)]));
    return visitors.map((visitor) => users.get(visitor));
  });
  return {
    becomes: async (visitor_id, user_id) => {
      const { user_id: owner } = await db
        .insertInto('visitors')
        .values({ visitor_id, user_id, signed_in_at: new Date(now()), claimed_at: null })
        .onConflict((conflict) => conflict.column('visitor_id').doUpdateSet({ visitor_id }))
        .returning('user_id')
        .executeTakeFirstOrThrow();
      return shopperId(owner);
    },
    userOf: async (visitor) => {
      // Visitor ids are UUIDs; other ids are not visitors.
      return isUuid(visitor) ? findUsers(visitor) : undefined;
    },
    unclaimedOf: async (user) => {
      const rows = await db
        .selectFrom('visitors')
        .select('visitor_id')
        .where('user_id', '=', user)
        .where('claimed_at', 'is', null)
        .orderBy('signed_in_at', 'desc')
        .limit(20)
        .execute();
      return rows.map(({ visitor_id }) => shopperId(visitor_id));
    },
    claimed: async (visitor) => {
      await db
        .updateTable('visitors')
        .set({ claimed_at: new Date(now()) })
        .where('visitor_id', '=', visitor)
        .execute();
    },
  };
};
