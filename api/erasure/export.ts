import { START } from '#domain/event-store.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart.ts';
import { taxDocuments as taxDocumentModel } from '#projections/invoices/projector.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';
import type { MyOrders } from '#projections/orders/my-orders-queries.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { emailSubject, userSubject, securityEvents } from '../accounts/security-log.ts';
import type { User } from '../accounts/user.ts';
import { contactMessages } from '../contact/contact-messages.ts';
import { everyPage } from '../http/cursor-page.ts';
import { listedInvoice, readTaxDocuments } from '../tax-documents/read-tax-documents.ts';
import type { Shop } from '../shop.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { findSubscription } from '../newsletter/subscribers.ts';
import { listNotices } from '../restock-notices/notice-rows.ts';
import { findVisitors } from './orders-of-subject.ts';

export type ExportParts = Pick<Shop, 'db' | 'sealed' | 'store' | 'now'> & {
  readonly myOrders: Pick<MyOrders, 'allOf'>;
  readonly readers: ReadRouter;
  /** The key makes the hashes of addresses in the security log. */
  readonly subjectsKey: Buffer;
};

/** Only the newest sessions are exported. A user's sessions expire after 90 days. */
const SESSIONS = 1_000;
const ORDERS_AT_ONCE = 200;

const readAccount = async (db: ShopDatabase, { id, name, email, phone }: User): Promise<object> => {
  const times = await db
    .selectFrom('users')
    .select(['created_at as createdAt', 'verified_at as verifiedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const identities = await db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at as linkedAt'])
    .where('user_id', '=', id)
    .execute();
  return { id, name, email, phone, ...times, identities };
};

const listSessions = (db: ShopDatabase, { id }: User): Promise<object[]> =>
  db
    .selectFrom('sessions')
    .select(['created_at as begunAt', 'seen_at as lastSeenAt'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(SESSIONS)
    .execute();

/** Yields the user's carts, including those that were merged into the user's cart. */
async function* carts({ store }: ExportParts, shoppers: readonly string[]): AsyncGenerator<readonly object[]> {
  for (const shopper of shoppers) {
    const { events } = await store.read(cartStream(shopper));
    yield [{ shopper, events: events.map(({ type, data, metadata }) => ({ type, data, recordedAt: metadata.recordedAt })) }];
  }
}

async function* orderPages({ myOrders }: Pick<ExportParts, 'myOrders'>, shoppers: readonly string[]) {
  for (const shopper of shoppers) {
    for (let after: OrderId | undefined; ;) {
      const page = await myOrders.allOf(shopperId(shopper), ORDERS_AT_ONCE, after);
      yield page;
      if (page.length < ORDERS_AT_ONCE) break;
      after = page.at(-1)?._id;
    }
  }
}

async function* invoices({ store, readers, ...parts }: ExportParts, shoppers: readonly string[]): AsyncGenerator<readonly object[]> {
  for await (const page of orderPages(parts, shoppers)) {
    const ids = page.map(({ _id }) => _id);
    const found = await readers.ask(taxDocumentModel, START, (database) =>
      readTaxDocuments({ store, taxDocuments: taxDocumentQueries(database) }, ids),
    );
    yield [...found.values()].map(listedInvoice);
  }
}

/** Streams a JSON array as the pages of its members arrive. */
async function* writeList(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const page of pages)
    for (const member of page) {
      yield separator + JSON.stringify(member);
      separator = ',';
    }
  yield ']';
}

/**
 * Streams all data about the user as one JSON object: account, sessions, carts, orders with their history, invoices, newsletter, requests
 * for notices, messages to the shop, and their security events; no data about others. Its size does not matter, because it is streamed.
 */
export async function* writeExport(parts: ExportParts, user: User): AsyncGenerator<string> {
  const { db, store, now, subjectsKey } = parts;
  const { email } = user;
  const shoppers = [user.id, ...(await findVisitors(db, { store }, user.id))];
  const subjects = [userSubject(user.id), emailSubject(subjectsKey, email)];
  const whole = {
    exportedAt: now(),
    account: await readAccount(db, user),
    sessions: await listSessions(db, user),
    newsletter: (await findSubscription(parts, email)) ?? null,
  };
  const lists = {
    carts: carts(parts, shoppers),
    orders: orderPages(parts, shoppers),
    invoices: invoices(parts, shoppers),
    restockNotices: everyPage((part) => listNotices(parts, email, part)),
    contactMessages: everyPage((part) => contactMessages(parts, part, email)),
    securityEvents: everyPage((part) => securityEvents(db, { ...part, subjects })),
  };
  let separator = '{';
  for (const [name, value] of Object.entries(whole)) {
    yield `${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    separator = ',';
  }
  for (const [name, pages] of Object.entries(lists)) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* writeList(pages);
  }
  yield '}\n';
}
