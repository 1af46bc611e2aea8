import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';

import { hasDuty, sortRoles, type StaffRole } from '#domain/staff/duties.ts';

import { isUnknown, type SealedRows, type Texts } from '../event-store/encryption/sealed-rows.ts';
import { unavailable } from '../http/http-error.ts';
import type { ShopDatabase, UserTable } from '../platform/postgres/shop-tables.ts';

export type User = Texts<'users'> & {
  readonly id: string;
  readonly roles: readonly StaffRole[];
  readonly hasSecondFactor: boolean;
  /** A sign-in opens a session only while the account has this one still (`lockForEntry`). */
  readonly registration: string;
};

export const USER_COLUMNS = ['users.id', 'users.personal', 'users.roles', 'users.totp_since', 'users.registration'] as const;
export type UserRow = Pick<Selectable<UserTable>, 'id' | 'personal' | 'roles' | 'totp_since' | 'registration'>;

/** Decrypts an account with the key of its id. */
export const openUser = async (
  sealed: Pick<SealedRows, 'open'>,
  { id, personal, roles, totp_since, registration }: UserRow,
): Promise<User> => {
  const { name, email, phone } = await sealed.open('users', { subject: id, personal });
  return { id, name, email, phone, roles: sortRoles(roles), hasSecondFactor: totp_since !== null, registration };
};

type Opening = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'open'> };

/** Returns the user with this id, verified or not. The texts read `erased` if they cannot be decrypted. */
export const findUser = async ({ db, sealed }: Opening, id: string): Promise<User | undefined> => {
  const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && openUser(sealed, row);
};

/** Locks the user until the transaction ends. Throws a 503 if the texts cannot be decrypted, so that none is overwritten with `erased`. */
export const lockUser = async (tx: ShopDatabase, sealed: Pick<SealedRows, 'open'>, id: string): Promise<User> => {
  const row = await tx.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
  const user = row && (await openUser(sealed, row));
  if (!user || isUnknown(user)) throw unavailable('Your account cannot be read right now. Please try again later.');
  return user;
};

type Accounts = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'hashOf' | 'seal'> };

/** These columns of a new account, or of the unverified one of this address, replace what was given at an earlier registration. */
export type SealedAccount = { readonly id: string; readonly address_hash: Buffer; readonly personal: Buffer };

/**
 * Encrypts the texts of an account that is not verified yet, with the key of its id. Returns undefined if the address has a verified or a
 * closed account. A concurrent registration may make an account with another id meanwhile, so whoever replaces an account compares the id.
 */
export const sealAccount = async ({ db, sealed }: Accounts, texts: Texts<'users'>): Promise<SealedAccount | undefined> => {
  const address_hash = await sealed.hashOf(texts.email);
  const known = await db
    .selectFrom('users')
    .select(['id', 'verified_at', 'disabled'])
    .where('address_hash', '=', address_hash)
    .executeTakeFirst();
  if (known && (known.verified_at !== null || known.disabled)) return undefined;
  const id = known?.id ?? randomUUID();
  return { id, address_hash, personal: await sealed.seal('users', id, texts) };
};

export const isAdmin = ({ roles }: Pick<User, 'roles'>): boolean => hasDuty(roles, 'figures');
/** An auditor without another role changes nothing but their own account: no cart, no wishlist, no order. */
export const onlyReads = ({ roles }: Pick<User, 'roles'>): boolean => hasDuty(roles, 'audit') && !isAdmin({ roles });

export const userView = ({ id, name, email, phone, roles, hasSecondFactor }: User) => ({
  _id: id,
  name,
  email,
  phone,
  isAdmin: isAdmin({ roles }),
  isAuditor: hasDuty(roles, 'audit'),
  roles,
  totp: hasSecondFactor,
});
