import { randomUUID } from 'node:crypto';

import { isUnknown, type SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { codeMail } from '../../mail/templates/account-mails.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import type { DerivedKeys } from '../derived-keys.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { emailTaken, registrationReplaced, wrongCode } from '../account-errors.ts';
import type { From, SecurityLog } from '../security-log.ts';
import { findUser, openUser, sealAccount, type User, USER_COLUMNS } from '../user.ts';
import { checkCode, createCode, refuseCodeTooSoon } from './mailed-codes.ts';

export type SignUpDetails = { readonly name: string; readonly email: EmailAddress; readonly phone: string; readonly password: string };

/** The registration is stored in the browser's cookie, because an address may be registered several times. */
export type Registration = { readonly userId: string; readonly registration: string };

export type SignUp = {
  /**
   * Makes an unverified account and mails its code. An unverified address keeps its user id, while name, phone and password are replaced
   * and older codes become invalid. Throws a 409 for a verified account.
   */
  register(applicant: SignUpDetails): Promise<Registration>;
  /**
   * Throws a 400 for a wrong or expired code, a 429 after five attempts, and a 409 when another registration has replaced the browser's
   * own, because the password would be a stranger's.
   */
  verify(userId: string, code: string, mine: Registration | undefined, from: From): Promise<User>;
  /** Sends a code at most once a minute (429). Does nothing for a verified or unknown user. */
  resend(userId: string): Promise<void>;
};

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Outbox;
  readonly passwords: PasswordHashing;
  readonly keys: Pick<DerivedKeys, 'codes'>;
  readonly securityLog: SecurityLog;
  readonly now: () => Date;
};

/**
 * Sends a code that replaces older codes, and withdraws their waiting mails: an unverified address gets six mails an hour, so they would delay
 * the new one.
 */
const sendCode = async (parts: Parts, tx: ShopDatabase, userId: string, email: string): Promise<void> => {
  const { code, columns } = createCode(parts, 'codes', userId);
  await tx
    .insertInto('codes')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute();
  const cause = `code:${userId}:`;
  await parts.outbox.withdraw(tx, cause);
  await parts.outbox.put(tx, cause + randomUUID(), codeMail(email, code));
};

const register =
  (parts: Parts): SignUp['register'] =>
  async ({ name, email, phone, password }) => {
    const password_hash = await parts.passwords.hash(password);
    for (;;) {
      const account = await sealAccount(parts, { name, email, phone });
      if (!account) throw emailTaken();
      const { id, personal } = account;
      const registered = await parts.db.transaction().execute(async (tx) => {
        const user = await tx
          .insertInto('users')
          .values({ ...account, password_hash, created_at: parts.now() })
          // In one statement, the index decides between concurrent registrations of an address.
          .onConflict((conflict) =>
            conflict
              .column('address_hash')
              .doUpdateSet({ personal, password_hash, registration: randomUUID() })
              .where('users.id', '=', id)
              .where('users.verified_at', 'is', null)
              .where('users.disabled', '=', false),
          )
          .returning(['id', 'registration'])
          .executeTakeFirst();
        if (!user) return undefined;
        await sendCode(parts, tx, user.id, email);
        return { userId: user.id, registration: user.registration };
      });
      // Another registration of the address, or its code, was faster.
      if (!registered) continue;
      parts.outbox.wake();
      return registered;
    }
  };

const verify =
  (parts: Parts): SignUp['verify'] =>
  async (userId, code, mine, from) => {
    const code_hash = await checkCode(parts, 'codes', userId, code, from);
    const verified = await parts.db.transaction().execute(async (tx) => {
      // The account is locked first, as in `register`.
      const user = await tx
        .selectFrom('users')
        .select(['registration', 'disabled'])
        .where('id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
      const used = await tx.deleteFrom('codes').where('user_id', '=', userId).where('code_hash', '=', code_hash).executeTakeFirst();
      if (!user || user.disabled || used.numDeletedRows === 0n) throw wrongCode();
      if (mine?.userId === userId && mine.registration !== user.registration) throw registrationReplaced();
      const verified_at = parts.now();
      return tx.updateTable('users').set({ verified_at }).where('id', '=', userId).returning(USER_COLUMNS).executeTakeFirstOrThrow();
    });
    return openUser(parts.sealed, verified);
  };

const resend =
  (parts: Parts): SignUp['resend'] =>
  async (userId) => {
    const registered = await findUser(parts, userId);
    if (!registered || isUnknown(registered)) return;
    await parts.db.transaction().execute(async (tx) => {
      const user = await tx
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .where('verified_at', 'is', null)
        .where('disabled', '=', false)
        .forUpdate()
        .executeTakeFirst();
      if (!user) return;
      await refuseCodeTooSoon(parts, tx, 'codes', userId);
      await sendCode(parts, tx, userId, registered.email);
    });
    parts.outbox.wake();
  };

export const signUpWith = (parts: Parts): SignUp => ({ register: register(parts), verify: verify(parts), resend: resend(parts) });
