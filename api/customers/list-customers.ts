import { sql } from 'kysely';

import { rupees } from '#domain/shared/money.ts';
import { isUuid, orderId } from '#domain/shared/ids.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { nameTable } from '#projections/engine/table-set.ts';
import { customerQueries, type CustomerRow } from '#projections/orders/customer-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { formatTimeCursor, parseTimeCursor } from '#projections/reading/time-cursor.ts';

import { cachedQuery } from '../orders/order-lists.ts';
import { emailAddress } from '../platform/email-address.ts';
import { findAccounts, isBeingErased, type Account, type CustomerParts } from './find-customer.ts';

/** `total` is in rupees. `_id` is the id of the account, or of the guest's first order. */
export type CustomerView = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly orders: number;
  readonly total: number;
  readonly guest: boolean;
  readonly lastOrderAt: Instant | null;
};

/** The list has those who ordered, by their newest order, and then the accounts that did not, by their age. */
type Place = { readonly in: 'ordered' | 'others'; readonly at: Instant; readonly id: string };

export type CustomersQuestion = {
  readonly limit: number;
  readonly text?: string | undefined;
  readonly guest?: boolean | undefined;
  readonly after?: Place | undefined;
};

const cursorAt = ({ in: part, at, id }: Place): string => formatTimeCursor({ at, id: `${part}:${id}` });

/** Returns undefined if the cursor is invalid. */
export const parseCustomersCursor = (text: string): Place | undefined => {
  const cursor = parseTimeCursor(text);
  const [, part, id = ''] = /^(ordered|others):(.+)$/.exec(cursor?.id ?? '') ?? [];
  return cursor && isUuid(id) ? { in: part === 'ordered' ? 'ordered' : 'others', at: cursor.at, id } : undefined;
};

/** Both schemas are in one database, so that accounts can be listed by what the read model says of them. */
const hasOrdered = sql<boolean>`exists (select from ${sql.raw(nameTable(ordersDesk, 'orders_desk'))} o where o.customer = users.id::text)`;

const openAccounts = ({ db }: CustomerParts) => db.selectFrom('users').where('verified_at', 'is not', null).where('disabled', '=', false);

/** Returns the id of the account with exactly this address. */
const findByAddress = async (parts: CustomerParts, text: string): Promise<string | undefined> => {
  const email = emailAddress(text);
  if (email === undefined) return undefined;
  const row = await openAccounts(parts)
    .select('id')
    .where('address_hash', '=', await parts.sealed.hashOf(email))
    .executeTakeFirst();
  return row?.id;
};

/** Returns accounts without a placed order, the newest first: all of them, or this one. */
const listOthers = async (parts: CustomerParts, { limit, after }: Pick<CustomersQuestion, 'limit' | 'after'>, account?: string) => {
  let query = openAccounts(parts)
    .select(['users.id', 'users.created_at'])
    .where(sql<boolean>`not ${hasOrdered}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (account !== undefined) query = query.where('id', '=', account);
  if (after?.in === 'others')
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(new Date(after.at), after.id)));
  return (await query.execute()).map(({ id, created_at }): Place => ({ in: 'others', at: instant(created_at.toISOString()), id }));
};

const viewRow = (row: CustomerRow, accounts: ReadonlyMap<string, Account>): readonly CustomerView[] => {
  const { customer, guest, orders, spent, newest, first } = row;
  const view = { orders, total: rupees(spent), guest, lastOrderAt: newest.placedAt };
  if (guest) return [{ _id: first, name: row.name, email: row.email, ...view }];
  const account = accounts.get(customer);
  // An account that is being erased is listed no more.
  return account ? [{ _id: customer, name: account.name, email: account.email, ...view }] : [];
};

/**
 * Returns a page of customers: who ordered last is first, and accounts without orders follow. `text` is a part of the number, the name or the
 * e-mail address of an order, or the whole address of an account.
 */
export const listCustomers = async (
  parts: CustomerParts,
  { limit, text, guest, after }: CustomersQuestion,
): Promise<{ readonly customers: readonly CustomerView[]; readonly nextCursor: string | null }> => {
  const account = text === undefined ? undefined : await findByAddress(parts, text);
  const isInOthers = after?.in === 'others';
  const place = after && { placedAt: after.at, id: orderId(after.id) };
  const { rows, isLast } = isInOthers
    ? { rows: [], isLast: true }
    : await customerQueries(parts.read).page({ limit, text, account, guest, after: place });
  const hasOthers = isLast && guest !== true && (text === undefined || account !== undefined);
  const others = hasOthers ? await listOthers(parts, { limit: limit - rows.length + 1, after }, account) : [];

  const ordered = rows.map(({ newest }): Place => ({ in: 'ordered', at: newest.placedAt, id: newest.id }));
  const last = [...ordered, ...others].slice(0, limit).at(-1);
  const isMore = !isLast || rows.length + others.length > limit;
  const shown = others.slice(0, limit - rows.length);
  const ids = [...rows.flatMap((row) => (row.guest ? [] : row.customer)), ...shown.map(({ id }) => id)];
  const accounts = ids.length > 0 ? await findAccounts(parts, ids) : new Map<string, Account>();
  return {
    customers: [
      ...rows.flatMap((row) => viewRow(row, accounts)),
      ...shown.flatMap(({ id }) => {
        const found = accounts.get(id);
        return found ? [{ _id: id, name: found.name, email: found.email, orders: 0, total: 0, guest: false, lastOrderAt: null }] : [];
      }),
    ],
    nextCursor: isMore && last ? cursorAt(last) : null,
  };
};

export type CountedGuests = { count(): Promise<number>; close(): void };

/** Counts guests, which reads an index of all orders, once until an order changes. */
export const countGuests = (read: Pick<ReadDatabase, 'db'>, progress: Pick<Progress, 'onAdvance'>): CountedGuests => {
  const cached = cachedQuery<'guests', number>(
    () => customerQueries(read).countGuests(),
    ordersDesk.name,
    progress,
    (key) => key,
    () => 0,
  );
  return { count: () => cached.ask('guests'), close: cached.close };
};

/** Counts what the list has. */
export const countCustomers = async (parts: CustomerParts & { readonly guests: Pick<CountedGuests, 'count'> }) => {
  const count = sql<number>`count(*)::int`.as('count');
  // Closed accounts are few: they are listed if they have ordered and are not being erased.
  const closed = parts.db
    .selectFrom('users')
    .where('verified_at', 'is not', null)
    .where('disabled', '=', true)
    .where(hasOrdered)
    .where(({ not }) => not(isBeingErased));
  const [guests, open, others] = await Promise.all([
    parts.guests.count(),
    openAccounts(parts).select(count).executeTakeFirstOrThrow(),
    closed.select(count).executeTakeFirstOrThrow(),
  ]);
  const accounts = open.count + others.count;
  return { all: accounts + guests, accounts, guests };
};
