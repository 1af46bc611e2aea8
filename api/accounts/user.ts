import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';

import type { SealedRows, Texts } from '../event-store/encryption/sealed-rows.ts';
import type { ShopDatabase, UserTable } from '../platform/postgres/shop-tables.ts';

export type User = Texts<'users'> & {
  readonly id: string;
  readonly isAdmin: boolean;
  readonly isAuditor: boolean;
};

export const USER_COLUMNS = ['users.id', 'users.personal', 'users.is_admin', 'users.is_auditor'] as const;
export type UserRow = Pick<Selectable<UserTable>, 'id' | 'personal' | 'is_admin' | 'is_auditor'>;

/** Decrypts an account with the key of its id. */
export const openUser = async (sealed: Pick<SealedRows, 'open'>, { id, personal, ...rights }: UserRow): Promise<User> => {
  const { name, email, phone } = await sealed.open('users', { subject: id, personal });
  return { id, name, email, phone, isAdmin: rights.is_admin, isAuditor: rights.is_auditor };
};

type Opening = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'open'> };

/** Returns the user with this id, verified or not. The texts read `erased` if they cannot be decrypted. */
export const findUser = async ({ db, sealed }: Opening, id: string): Promise<User | undefined> => {
  const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && openUser(sealed, row);
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

/** An admin has the auditor's permissions too: `isAuditor` is true for both. */
export const userView = ({ id, name, email, phone, isAdmin, isAuditor }: User) => ({
  _id: id,
  name,
  email,
  phone,
  isAdmin,
  isAuditor: isAdmin || isAuditor,
});
