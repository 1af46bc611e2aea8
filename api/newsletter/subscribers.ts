import type { EmailAddress } from '../platform/email-address.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** `createdAt` is the time of the first subscription in ISO 8601, UTC. */
export type SubscriberView = { readonly _id: string; readonly email: string; readonly isActive: boolean; readonly createdAt: string };

export type NewSubscription = { readonly id: string; readonly welcomedAt: Date | null };

/** Returns undefined when already subscribed; of concurrent calls one gets the row. */
export const activate = async (tx: ShopDatabase, email: EmailAddress, createdAt: Date): Promise<NewSubscription | undefined> => {
  const row = await tx
    .insertInto('subscribers')
    .values({ email, created_at: createdAt })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ is_active: true }).where('subscribers.is_active', '=', false))
    .returning(['id', 'welcomed_at'])
    .executeTakeFirst();
  return row && { id: row.id, welcomedAt: row.welcomed_at };
};

export const noteWelcome = async (tx: ShopDatabase, id: string, at: Date): Promise<void> => {
  await tx.updateTable('subscribers').set({ welcomed_at: at }).where('id', '=', id).execute();
};

/** Deactivates a subscription by address or id. Nothing is stored about an unknown one. */
export const deactivate = async (db: ShopDatabase, who: { readonly email: EmailAddress } | { readonly id: string }): Promise<void> => {
  const update = db.updateTable('subscribers').set({ is_active: false });
  await ('id' in who ? update.where('id', '=', who.id) : update.where('email', '=', who.email)).execute();
};

/** Returns subscribers, newest first, including former ones. */
export const subscribers = async (db: ShopDatabase, { limit, before }: OlderThan): Promise<SubscriberView[]> => {
  const rows = await db
    .selectFrom('subscribers')
    .select(['id', 'email', 'is_active', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, email, is_active, created_at }) => ({
    _id: id,
    email,
    isActive: is_active,
    createdAt: created_at.toISOString(),
  }));
};

export const findSubscription = async (db: ShopDatabase, email: EmailAddress): Promise<Omit<SubscriberView, '_id'> | undefined> => {
  const row = await db.selectFrom('subscribers').select(['email', 'is_active', 'created_at']).where('email', '=', email).executeTakeFirst();
  return row && { email: row.email, isActive: row.is_active, createdAt: row.created_at.toISOString() };
};

export const allSubscribers = (db: ShopDatabase): AsyncGenerator<readonly SubscriberView[]> => everyPage((part) => subscribers(db, part));

export const forgetSubscriber = async (db: ShopDatabase, email: EmailAddress): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('subscribers').where('email', '=', email).executeTakeFirst();
  return numDeletedRows > 0n;
};
