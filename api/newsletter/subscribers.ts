import type { HeldEmail } from '../accounts/email-change/email-change.ts';
import type { SealedByAddress, SealedRows } from '../event-store/encryption/sealed-rows.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** `createdAt` is the time of the first subscription in ISO 8601, UTC. */
export type SubscriberView = { readonly _id: string; readonly email: string; readonly isActive: boolean; readonly createdAt: string };

export type SubscriberParts = { readonly db: ShopDatabase; readonly sealed: SealedRows };

export type NewSubscription = { readonly id: string; readonly welcomedAt: Date | null };

/**
 * Returns undefined when already subscribed; of concurrent calls one gets the row. A row that an erasure missed, because it was written
 * meanwhile, is taken over.
 */
export const activate = async (tx: ShopDatabase, subscriber: SealedByAddress, createdAt: Date): Promise<NewSubscription | undefined> => {
  const { subject, personal } = subscriber;
  const row = await tx
    .insertInto('subscribers')
    .values({ ...subscriber, created_at: createdAt })
    .onConflict((conflict) =>
      conflict
        .column('address_hash')
        .doUpdateSet({ is_active: true, subject, personal })
        .where(({ eb, or }) => or([eb('subscribers.is_active', '=', false), eb('subscribers.subject', '!=', subject)])),
    )
    .returning(['id', 'welcomed_at'])
    .executeTakeFirst();
  return row && { id: row.id, welcomedAt: row.welcomed_at };
};

export const noteWelcome = async (tx: ShopDatabase, id: string, at: Date): Promise<void> => {
  await tx.updateTable('subscribers').set({ welcomed_at: at }).where('id', '=', id).execute();
};

/** Deactivates a subscription by address or id. Nothing is stored about an unknown one. */
export const deactivate = async (
  { db, sealed }: SubscriberParts,
  who: { readonly email: EmailAddress } | { readonly id: string },
): Promise<void> => {
  const update = db.updateTable('subscribers').set({ is_active: false });
  const theirs = 'id' in who ? update.where('id', '=', who.id) : update.where('address_hash', '=', await sealed.hashOf(who.email));
  await theirs.execute();
};

/** Returns subscribers, newest first, including former ones. */
export const subscribers = async ({ db, sealed }: SubscriberParts, { limit, before }: OlderThan): Promise<SubscriberView[]> => {
  const rows = await db
    .selectFrom('subscribers')
    .select(['id', 'subject', 'personal', 'is_active', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return (await sealed.openAll('subscribers', rows)).map(({ id, email, is_active, created_at }) => ({
    _id: id,
    email,
    isActive: is_active,
    createdAt: created_at.toISOString(),
  }));
};

/** Returns the subscription of an address, unless it began after the account left the address. */
export const findSubscription = async (
  { db, sealed }: SubscriberParts,
  { email, leftAt }: HeldEmail,
): Promise<Omit<SubscriberView, '_id'> | undefined> => {
  const found = db
    .selectFrom('subscribers')
    .select(['is_active', 'created_at'])
    .where('address_hash', '=', await sealed.hashOf(email))
    .$if(leftAt !== null, (query) => query.where('created_at', '<', leftAt ?? new Date()));
  const row = await found.executeTakeFirst();
  return row && { email, isActive: row.is_active, createdAt: row.created_at.toISOString() };
};

export const allSubscribers = (parts: SubscriberParts): AsyncGenerator<readonly SubscriberView[]> =>
  everyPage((part) => subscribers(parts, part));
