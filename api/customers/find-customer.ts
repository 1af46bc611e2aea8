import { sql } from 'kysely';

import { isOrderId } from '#domain/shared/ids.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { customerQueries } from '#projections/orders/customer-queries.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { findFormerEmails, type HeldEmail } from '../accounts/email-change/email-change.ts';
import { emailSubject, userSubject } from '../accounts/security-log.ts';
import { openUser, USER_COLUMNS, type User } from '../accounts/user.ts';
import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { notFound, type HttpError } from '../http/http-error.ts';
import { emailAddress, type EmailAddress } from '../platform/email-address.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type CustomerParts = {
  /** The key makes the hashes of addresses in the security log. */
  readonly subjectsKey: Buffer;
  readonly db: ShopDatabase;
  readonly read: Pick<ReadDatabase, 'db'>;
  readonly sealed: Pick<SealedRows, 'hashOf' | 'open' | 'openAll'>;
};

export type Account = User & { readonly createdAt: Date };
/** `customer` is what the read model of orders calls them: the id of the account, or the e-mail address of a guest, who has none. */
export type FoundCustomer = { readonly customer: string; readonly account: Account | null };

/** The condition that the erasure of an account is certain. */
export const isBeingErased = sql<boolean>`exists (select from shop.erasures where erasures.user_id = users.id)`;

/** Returns which of these are verified accounts, closed ones too, without those that are being erased. */
export const findAccounts = async ({ db, sealed }: CustomerParts, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> => {
  const rows = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'users.created_at'])
    .where('id', '=', anyOf(ids))
    .where('verified_at', 'is not', null)
    .where(({ not }) => not(isBeingErased))
    .execute();
  const opened = rows.map(async (row): Promise<Account> => ({ ...(await openUser(sealed, row)), createdAt: row.created_at }));
  return new Map((await Promise.all(opened)).map((account) => [account.id, account]));
};

export const customerNotFound = (): HttpError => notFound('Customer not found');

/**
 * Finds a customer by the id of an account, or of a placed order of theirs. Throws the 404 `Customer not found`, also for erased ones.
 */
export const findCustomer = async (parts: CustomerParts, id: string): Promise<FoundCustomer> => {
  if (!isOrderId(id)) throw customerNotFound();
  const account = (await findAccounts(parts, [id])).get(id);
  if (account) return { customer: id, account };
  const found = await customerQueries(parts.read).findOwner(id);
  if (!found) throw customerNotFound();
  const { customer, guest } = found;
  if (guest) return { customer, account: null };
  const owner = (await findAccounts(parts, [customer])).get(customer);
  if (!owner) throw customerNotFound();
  return { customer, account: owner };
};

const hasAccount = async ({ db, sealed }: CustomerParts, email: EmailAddress): Promise<boolean> => {
  const accounts = db
    .selectFrom('users')
    .select('id')
    .where('address_hash', '=', await sealed.hashOf(email));
  return (await accounts.where('verified_at', 'is not', null).executeTakeFirst()) !== undefined;
};

/**
 * Returns the addresses whose messages, newsletter and notices are the customer's: those that an account has and had; of a guest none if an
 * account has it, for then they are that account's.
 */
export const listEmails = async (parts: CustomerParts, { customer, account }: FoundCustomer): Promise<readonly HeldEmail[]> => {
  if (account) return [{ email: account.email, leftAt: null }, ...(await findFormerEmails(parts, account.id))];
  const email = emailAddress(customer);
  return email === undefined || (await hasAccount(parts, email)) ? [] : [{ email, leftAt: null }];
};

/** Returns the subject of what staff do for letters of this customer. */
export const nameInSecurityLog = ({ subjectsKey }: CustomerParts, { customer, account }: FoundCustomer): string =>
  account ? userSubject(account.id) : emailSubject(subjectsKey, emailAddress(customer) ?? customer);
