import type { RawBuilder } from 'kysely';

import type { SealedRows, Texts } from '../event-store/encryption/sealed-rows.ts';
import type { HeldEmail } from '../accounts/email-change/email-change.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type ContactMessage = Texts<'contact_messages'>;

/** `createdAt` is in ISO 8601, UTC. */
export type ContactView = ContactMessage & { readonly _id: string; readonly createdAt: string };

export type ContactParts = { readonly db: ShopDatabase; readonly sealed: SealedRows };

export const storeMessage = async ({ db, sealed }: ContactParts, message: ContactMessage, createdAt: Date): Promise<void> => {
  const own = await sealed.sealByAddress('contact_messages', message);
  await db
    .insertInto('contact_messages')
    .values({ ...own, created_at: createdAt })
    .execute();
};

const select = (db: ShopDatabase) => db.selectFrom('contact_messages').select(['id', 'subject', 'personal', 'created_at']);

const view = ({ id, name, email, phone, message, created_at }: ContactMessage & { id: string; created_at: Date }): ContactView => ({
  _id: id,
  name,
  email,
  phone,
  message,
  createdAt: created_at.toISOString(),
});

/** Selects all messages, or those that an account sent with an address, or those that meet a condition. */
export type WhichMessages = { readonly from?: HeldEmail; readonly condition?: RawBuilder<boolean> };

/** Returns messages, newest first. */
export const contactMessages = async (
  { db, sealed }: ContactParts,
  { limit, before }: OlderThan,
  { from, condition }: WhichMessages = {},
): Promise<ContactView[]> => {
  let query = select(db).orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (from !== undefined) query = query.where('address_hash', '=', await sealed.hashOf(from.email));
  if (from?.leftAt) query = query.where('created_at', '<', from.leftAt);
  if (condition) query = query.where(condition);
  return (await sealed.openAll('contact_messages', await query.execute())).map(view);
};

/** Returns a message, and under whose key it and its answers are encrypted. */
export const findMessage = async (
  { db, sealed }: ContactParts,
  id: string,
): Promise<(ContactView & { readonly subject: string }) | undefined> => {
  const row = /^\d{1,18}$/.test(id) ? await select(db).where('id', '=', id).executeTakeFirst() : undefined;
  return row && { ...view(await sealed.open('contact_messages', row)), subject: row.subject };
};

export const allContactMessages = (parts: ContactParts): AsyncGenerator<readonly ContactView[]> =>
  everyPage((part) => contactMessages(parts, part));
