import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import type { DerivedKeys } from '../derived-keys.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { disabled, notVerified, wrongCredentials } from '../account-errors.ts';
import { emailSubject, userSubject, type From, type SecurityLog } from '../security-log.ts';
import { openUser, USER_COLUMNS, type User } from '../user.ts';

type Parts = {
  readonly db: ShopDatabase;
  readonly passwords: PasswordHashing;
  readonly keys: Pick<DerivedKeys, 'subjects'>;
  readonly securityLog: SecurityLog;
};

/** The account may be unverified or closed. */
export type Account = {
  readonly user: User;
  readonly passwordHash: string | null;
  readonly isVerified: boolean;
  readonly isDisabled: boolean;
};

type Accounts = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'hashOf' | 'open'> };

/** Finds the account of an address, or of a user's id. */
export const findAccount = async ({ db, sealed }: Accounts, of: { email: EmailAddress } | { id: string }): Promise<Account | undefined> => {
  const accounts = db.selectFrom('users').select([...USER_COLUMNS, 'password_hash', 'verified_at', 'disabled']);
  const found = 'id' in of ? accounts.where('id', '=', of.id) : accounts.where('address_hash', '=', await sealed.hashOf(of.email));
  const row = await found.executeTakeFirst();
  if (!row) return undefined;
  const { password_hash: passwordHash, verified_at, disabled: isDisabled } = row;
  return { user: await openUser(sealed, row), passwordHash, isVerified: verified_at !== null, isDisabled };
};

/** Rehashes with the current cost, unless the hash has changed meanwhile. */
const strengthen = async ({ db, passwords }: Parts, { user, passwordHash }: Account, password: string): Promise<void> => {
  if (passwordHash === null || !passwords.isOutdated(passwordHash)) return;
  const password_hash = await passwords.hash(password);
  await db.updateTable('users').set({ password_hash }).where('id', '=', user.id).where('password_hash', '=', passwordHash).execute();
};

/**
 * Throws a 401 after the same time for an unknown account, an account without a password, and a wrong password. Only the right password
 * reveals that the account is not verified (403, with the user id) or closed (403).
 */
export const logInWith =
  (parts: Parts) =>
  async (email: EmailAddress, account: Account | undefined, password: string, from: From): Promise<User> => {
    const { passwords, keys, securityLog } = parts;
    const isRight = await passwords.matches(password, account?.passwordHash);
    const subject = account ? userSubject(account.user.id) : emailSubject(keys.subjects, email);
    if (!account || !isRight) {
      securityLog.record({ kind: 'login_failed', subject, ...from });
      throw wrongCredentials();
    }
    if (account.isDisabled || !account.isVerified) {
      securityLog.record({ kind: 'login_refused', subject, ...from, detail: { why: account.isDisabled ? 'disabled' : 'not verified' } });
      throw account.isDisabled ? disabled() : notVerified(account.user.id);
    }
    await strengthen(parts, account, password);
    return account.user;
  };
