import { START, type StreamName } from '#domain/event-store.ts';
import type { OrderView } from '#domain/order/view.ts';
import { isUuid, shopperId, type OrderId } from '#domain/shared/ids.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { reviewQueries } from '#projections/catalogue/review-queries.ts';
import { findAnswers } from '#projections/messages/answer-queries.ts';
import { messages } from '#projections/messages/message-answers.ts';
import { cartStream } from '#domain/cart/cart.ts';
import { wishlistStream } from '#domain/wishlist/wishlist.ts';
import { taxDocuments as taxDocumentModel } from '#projections/invoices/projector.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';
import type { MyOrders } from '#projections/orders/my-orders-queries.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import type { Addresses } from '../accounts/addresses/addresses.ts';
import { emailSubject, userSubject, securityEvents, type SecurityView } from '../accounts/security-log.ts';
import { findFormerEmails, findPendingEmail, type HeldEmail } from '../accounts/email-change/email-change.ts';
import type { User } from '../accounts/user.ts';
import { contactMessages } from '../contact/contact-messages.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import { listedInvoice, readTaxDocuments } from '../tax-documents/read-tax-documents.ts';
import type { Shop } from '../shop.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { findSubscription } from '../newsletter/subscribers.ts';
import { listNotices } from '../restock-notices/notice-rows.ts';
import { findVisitors } from './orders-of-subject.ts';

export type ExportParts = Pick<Shop, 'db' | 'sealed' | 'store' | 'now'> & {
  readonly myOrders: Pick<MyOrders, 'allOf'>;
  readonly readers: ReadRouter;
  readonly addresses: Pick<Addresses, 'list'>;
  /** The key makes the hashes of addresses in the security log. */
  readonly subjectsKey: Buffer;
};

/** Only the newest sessions are exported. A user's sessions expire after 90 days. */
const SESSIONS = 1_000;
const ORDERS_AT_ONCE = 200;

const readAccount = async (parts: ExportParts, { id, name, email, phone }: User, former: readonly HeldEmail[]): Promise<object> => {
  const formerEmails = former.map(({ email: each }) => each);
  const { db } = parts;
  const times = await db
    .selectFrom('users')
    .select(['created_at as createdAt', 'verified_at as verifiedAt', 'totp_since as secondFactorSince'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const identities = await db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at as linkedAt'])
    .where('user_id', '=', id)
    .execute();
  return { id, name, email, phone, formerEmails, pendingEmail: await findPendingEmail(parts, id), ...times, identities };
};

const listSessions = (db: ShopDatabase, { id }: User): Promise<object[]> =>
  db
    .selectFrom('sessions')
    .select(['created_at as begunAt', 'seen_at as lastSeenAt', 'device', 'address'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(SESSIONS)
    .execute();

/** Yields a stream of each shopper, such as the user's cart and those that were merged into it. */
async function* streams({ store }: ExportParts, shoppers: readonly string[], streamOf: (shopper: string) => StreamName) {
  for (const shopper of shoppers) {
    const { events } = await store.read(streamOf(shopper));
    yield [{ shopper, events: events.map(({ type, data, metadata }) => ({ type, data, recordedAt: metadata.recordedAt })) }];
  }
}

async function* ordersOf({ myOrders }: Pick<ExportParts, 'myOrders'>, shoppers: readonly string[]) {
  for (const shopper of shoppers) {
    for (let after: OrderId | undefined; ;) {
      const page = await myOrders.allOf(shopperId(shopper), ORDERS_AT_ONCE, after);
      yield page;
      if (page.length < ORDERS_AT_ONCE) break;
      after = page.at(-1)?._id;
    }
  }
}

async function* invoices({ store, readers }: ExportParts, orders: AsyncIterable<readonly OrderView[]>): AsyncGenerator<readonly object[]> {
  for await (const page of orders) {
    const ids = page.map(({ _id }) => _id);
    const found = await readers.ask(taxDocumentModel, START, (database) =>
      readTaxDocuments({ store, taxDocuments: taxDocumentQueries(database) }, ids),
    );
    yield [...found.values()].map(listedInvoice);
  }
}

async function* reviews({ readers }: ExportParts, author: User | null): AsyncGenerator<readonly object[]> {
  if (author === null) return;
  const by = shopperId(author.id);
  for (let before: string | undefined; ;) {
    const part = { limit: ORDERS_AT_ONCE, before };
    const rows = await readers.ask(catalogue, START, ({ db }) => reviewQueries(db).byAuthor(by, part));
    yield rows.map(({ review_id, product_id, written_at, is_withdrawn, hidden_at, ...row }) => ({
      _id: review_id,
      productId: product_id,
      name: row.name,
      rating: row.rating,
      text: row.text,
      at: written_at,
      isWithdrawn: is_withdrawn,
      hidden: hidden_at === null ? null : { reason: row.reason, at: hidden_at },
    }));
    if (rows.length < ORDERS_AT_ONCE) return;
    before = String(rows.at(-1)?.written);
  }
}

/** The names of staff are data about others. */
const answeredMessages = async ({ readers, ...parts }: ExportParts, part: OlderThan, from: HeldEmail) => {
  const rows = await contactMessages(parts, part, { from });
  const ids = rows.map(({ _id }) => _id);
  const answers = await readers.ask(messages, START, (database) => findAnswers(database, ids));
  return rows.map((row) => ({ ...row, answers: (answers.get(row._id) ?? []).map(({ text, at }) => ({ text, at })) }));
};

/** Rows that were sent with an address, for each address that the account has or had. */
async function* forEach<Row>(emails: readonly HeldEmail[], pagesOf: (held: HeldEmail) => AsyncGenerator<readonly Row[]>) {
  for (const held of emails) yield* pagesOf(held);
}

/** Leaves out events about an address from after the account had left it. `left` has these times by subject. */
async function* whileHeld(pages: AsyncIterable<readonly SecurityView[]>, left: ReadonlyMap<string | null, Date | null>) {
  for await (const page of pages)
    yield page.filter(({ subject, at }) => {
      const leftAt = left.get(subject) ?? null;
      return leftAt === null || new Date(at) < leftAt;
    });
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

/** Staff's ids and addresses are data about others. What an owner decided about a member of the staff names the owner in `by`. */
async function* withoutStaff(pages: AsyncIterable<readonly SecurityView[]>, own: string | undefined): AsyncGenerator<readonly object[]> {
  for await (const page of pages)
    yield page.map(({ detail, ...event }) => {
      const { admin, by, ...rest }: { readonly admin?: string; readonly by?: string } = detail;
      const isOfOwner = by !== undefined && isUuid(by) && by !== own;
      const shown = { ...(by !== undefined && { by: isOfOwner ? 'owner' : by }), ...rest };
      return admin === undefined ? { ...event, detail: shown } : { ...event, address: null, detail: shown };
    });
}

/** Whose data an export has: an account's, or those of a guest, who has no account. */
export type ExportSubject = {
  readonly user: User | null;
  /** Messages, notices and newsletters of these addresses are exported. The first is the present one, the others are former ones. */
  readonly emails: readonly HeldEmail[];
  /** The user and the visitors that they were, whose carts and wishlists are exported. */
  readonly shoppers: readonly string[];
  readonly orders: () => AsyncIterable<readonly OrderView[]>;
};

export const findExportSubject = async (parts: ExportParts, user: User): Promise<ExportSubject> => {
  const shoppers = [user.id, ...(await findVisitors(parts.db, parts, user.id))];
  const emails = [{ email: user.email, leftAt: null }, ...(await findFormerEmails(parts, user.id))];
  return { user, emails, shoppers, orders: () => ordersOf(parts, shoppers) };
};

/**
 * Streams all data about a user or a guest as one JSON object: account, sessions, addresses, carts, wishlists, orders with their history, invoices,
 * newsletter, requests for notices, messages to the shop with their answers, reviews, and their security events; no data about others. Its size
 * does not matter, because it is streamed. A guest's `account` is null, and what only accounts have is empty.
 */
export async function* writeExport(parts: ExportParts, { user, emails, shoppers, orders }: ExportSubject): AsyncGenerator<string> {
  const { db, now, subjectsKey } = parts;
  const subscriptions = await Promise.all(emails.map((held) => findSubscription(parts, held)));
  const [newsletter = null, ...otherNewsletters] = subscriptions.filter((each) => each !== undefined);
  const left = new Map(emails.map(({ email, leftAt }) => [emailSubject(subjectsKey, email), leftAt]));
  const subjects = [...(user ? [userSubject(user.id)] : []), ...left.keys()];
  const whole = {
    exportedAt: now(),
    account: user && (await readAccount(parts, user, emails.slice(1))),
    sessions: user ? await listSessions(db, user) : [],
    addresses: user ? await parts.addresses.list(user.id) : [],
    newsletter,
    otherNewsletters,
  };
  const lists = {
    carts: streams(parts, shoppers, cartStream),
    wishlists: streams(parts, shoppers, wishlistStream),
    orders: orders(),
    invoices: invoices(parts, orders()),
    restockNotices: forEach(emails, (held) => everyPage((part) => listNotices(parts, held, part))),
    contactMessages: forEach(emails, (held) => everyPage((part) => answeredMessages(parts, part, held))),
    reviews: reviews(parts, user),
    securityEvents: withoutStaff(
      whileHeld(
        everyPage((part) => securityEvents(db, { ...part, subjects })),
        left,
      ),
      user?.id,
    ),
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
