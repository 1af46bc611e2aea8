import type { SealedRows, Texts } from '../event-store/encryption/sealed-rows.ts';
import type { EmailAddress } from '../platform/email-address.ts';
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

/** Returns messages, newest first: all, or those from an address. */
export const contactMessages = async (
  { db, sealed }: ContactParts,
  { limit, before }: OlderThan,
  from?: EmailAddress,
): Promise<ContactView[]> => {
  const hash = from && (await sealed.hashOf(from));
  const rows = await db
    .selectFrom('contact_messages')
    .select(['id', 'subject', 'personal', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .$if(hash !== undefined, (query) => query.where('address_hash', '=', hash ?? Buffer.alloc(0)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return (await sealed.openAll('contact_messages', rows)).map(({ id, name, email, phone, message, created_at }) => ({
    _id: id,
    name,
    email,
    phone,
    message,
    createdAt: created_at.toISOString(),
  }));
};

export const allContactMessages = (parts: ContactParts): AsyncGenerator<readonly ContactView[]> =>
  everyPage((part) => contactMessages(parts, part));
