import type { EmailAddress } from '../platform/email-address.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type ContactMessage = {
  readonly name: string;
  readonly email: EmailAddress;
  readonly phone: string;
  readonly message: string;
};

/** `createdAt` is in ISO 8601, UTC. */
export type ContactView = ContactMessage & { readonly _id: string; readonly createdAt: string };

export const storeMessage = async (db: ShopDatabase, message: ContactMessage, createdAt: Date): Promise<void> => {
  await db
    .insertInto('contact_messages')
    .values({ ...message, created_at: createdAt })
    .execute();
};

const messages = (db: ShopDatabase, { limit, before }: OlderThan) =>
  db
    .selectFrom('contact_messages')
    .select(['id', 'name', 'email', 'phone', 'message', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit);

const viewContact = ({ id, created_at, ...rest }: ContactMessage & { id: string; created_at: Date }): ContactView => ({
  _id: id,
  ...rest,
  createdAt: created_at.toISOString(),
});

export const contactMessages = async (db: ShopDatabase, part: OlderThan): Promise<ContactView[]> =>
  (await messages(db, part).execute()).map(viewContact);

export const allContactMessages = (db: ShopDatabase): AsyncGenerator<readonly ContactView[]> =>
  everyPage((part) => contactMessages(db, part));

export const listContactMessagesFrom = async (
  db: ShopDatabase,
  email: EmailAddress,
  { limit, before }: OlderThan,
): Promise<ContactView[]> => {
  const rows = await messages(db, { limit, before }).where('email', '=', email).execute();
  return rows.map(viewContact);
};

/** Deletes the messages of an address. Returns their number. */
export const eraseContactMessages = async (db: ShopDatabase, email: EmailAddress): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('contact_messages').where('email', '=', email).executeTakeFirst();
  return Number(numDeletedRows);
};
