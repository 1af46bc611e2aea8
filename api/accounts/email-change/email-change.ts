import { randomUUID } from 'node:crypto';
import pg from 'pg';

import { pages } from '#domain/site/pages.ts';

import { isUnknown, type SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import { invalid } from '../../http/http-error.ts';
import { TAKE_BACK_CAUSE, type Outbox } from '../../mail/outbox.ts';
import { codeMail, emailChangedMail } from '../../mail/templates/account-mails.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { badEmailLink, emailTaken, wrongCode } from '../account-errors.ts';
import type { DerivedKeys } from '../derived-keys.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { deleteSecondFactor } from '../second-factor/second-factor.ts';
import { addSecurityEvent, userSubject, type From, type SecurityLog } from '../security-log.ts';
import { endAccess, type Sessions } from '../sessions/session-store.ts';
import { newToken, tokenHash } from '../sessions/tokens.ts';
import { checkCode, createCode, refuseCodeTooSoon } from '../sign-in/mailed-codes.ts';
import { lockUser, openUser, USER_COLUMNS, type User } from '../user.ts';

/** The former address can take the account back within this many ms. */
const TAKEN_BACK_WITHIN_MS = 72 * 3_600_000;

export type EmailChange = {
  /**
   * Mails a code to the new address; an earlier one is dead. Throws a 400 for the account's own address, a 429 within a minute of the last
   * code, and only then a 409 for an address that has a verified account.
   */
  ask(userId: string, email: EmailAddress): Promise<void>;
  /**
   * Changes the address, and mails the former one a link that takes it back. Throws as at sign-up: 400 for a wrong or expired code, 429 after
   * five; and a 409 if another account has the address meanwhile.
   */
  confirm(userId: string, code: string, from: From): Promise<User>;
  /**
   * Gives the account its former address again, once and within 72 hours, and ends all its sessions. Its password opens it no more, and a
   * second factor and third-party sign-ins that were added since go: with them whoever had the account could keep it. Throws a 400.
   */
  takeBack(token: string, from: From): Promise<void>;
};

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Outbox;
  readonly passwords: Pick<PasswordHashing, 'hash'>;
  readonly sessions: Sessions;
  readonly keys: Pick<DerivedKeys, 'codes'>;
  readonly securityLog: SecurityLog;
  readonly publicUrl: string;
  readonly now: () => Date;
};

/** The causes of an account's mails with codes begin like this. */
export const emailCodeCause = (userId: string): string => `email-code:${userId}:`;

const UNIQUE_VIOLATION = '23505';

/**
 * Gives the account a new address. An unverified account of that address is deleted, because nobody has proven to own it. If two accounts take
 * the address at the same time, the unique index refuses the second.
 */
const setAddress = async ({ sealed }: Parts, tx: ShopDatabase, { id, name, phone }: User, email: EmailAddress): Promise<User> => {
  const address_hash = await sealed.hashOf(email);
  const unverified = tx.deleteFrom('users').where('address_hash', '=', address_hash).where('id', '!=', id);
  await unverified.where('verified_at', 'is', null).where('disabled', '=', false).execute();
  const personal = await sealed.seal('users', id, { name, email, phone });
  try {
    const changed = tx.updateTable('users').set({ address_hash, personal }).where('id', '=', id).returning(USER_COLUMNS);
    return await openUser(sealed, await changed.executeTakeFirstOrThrow());
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) throw emailTaken();
    throw error;
  }
};

const ask =
  (parts: Parts): EmailChange['ask'] =>
  async (userId, email) => {
    const { db, sealed, outbox } = parts;
    const address_hash = await sealed.hashOf(email);
    const owner = await db
      .selectFrom('users')
      .select(['id', 'verified_at', 'disabled'])
      .where('address_hash', '=', address_hash)
      .executeTakeFirst();
    if (owner?.id === userId) throw invalid('Please correct the marked fields', { email: 'This is your address already' });
    const personal = await sealed.seal('email_changes', userId, { email });
    await db.transaction().execute(async (tx) => {
      await lockUser(tx, sealed, userId);
      await refuseCodeTooSoon(parts, tx, 'email_changes', userId);
      // After the wait: asking too soon is not counted, so it must not tell of accounts.
      if (owner && (owner.verified_at !== null || owner.disabled)) throw emailTaken();
      const { code, columns } = createCode(parts, 'email_changes', userId);
      const row = { personal, ...columns };
      await tx
        .insertInto('email_changes')
        .values({ user_id: userId, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
      // The mail of an earlier code would only delay this one.
      await outbox.withdraw(tx, emailCodeCause(userId));
      await outbox.put(tx, `${emailCodeCause(userId)}${randomUUID()}`, codeMail(email, code, 'of your account'));
    });
    outbox.wake();
  };

const confirm =
  (parts: Parts): EmailChange['confirm'] =>
  async (userId, code, from) => {
    const { db, sealed, outbox, sessions, publicUrl, now } = parts;
    const code_hash = await checkCode(parts, 'email_changes', userId, code, from);
    const token = newToken();
    const user = await db.transaction().execute(async (tx) => {
      const former = await lockUser(tx, sealed, userId);
      const used = await tx
        .deleteFrom('email_changes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', code_hash)
        .returning(['user_id as subject', 'personal'])
        .executeTakeFirst();
      const wanted = used && (await sealed.open('email_changes', used));
      if (!wanted || isUnknown(wanted)) throw wrongCode();
      const changed = await setAddress(parts, tx, former, wanted.email);
      const changed_at = now();
      const personal = await sealed.seal('former_emails', userId, { email: former.email });
      await tx
        .insertInto('former_emails')
        .values({ token_hash: tokenHash(token), user_id: userId, personal, changed_at })
        .execute();
      // A link that was mailed to the former address would set a password.
      await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
      const link = new URL(`${pages.takeBackEmail}?token=${token}`, publicUrl).href;
      await outbox.put(tx, `${TAKE_BACK_CAUSE}${tokenHash(token).toString('hex')}`, emailChangedMail(former.email, link));
      await addSecurityEvent(tx, { kind: 'email_changed', subject: userSubject(userId), ...from }, changed_at);
      return changed;
    });
    outbox.wake();
    sessions.forget(userId);
    return user;
  };

const takeBack =
  (parts: Parts): EmailChange['takeBack'] =>
  async (token, from) => {
    const { db, sealed, passwords, sessions, now } = parts;
    const userId = await db.transaction().execute(async (tx) => {
      const known = tx.selectFrom('former_emails').select('user_id').where('token_hash', '=', tokenHash(token));
      const row = await known.where('changed_at', '>', new Date(now().getTime() - TAKEN_BACK_WITHIN_MS)).executeTakeFirst();
      if (!row) throw badEmailLink();
      // The account is locked first, as in `confirm`.
      const user = await lockUser(tx, sealed, row.user_id);
      const used = await tx
        .deleteFrom('former_emails')
        .where('token_hash', '=', tokenHash(token))
        .returning(['user_id as subject', 'personal', 'changed_at'])
        .executeTakeFirst();
      if (!used) throw badEmailLink();
      const { email, changed_at } = await sealed.open('former_emails', used);
      await setAddress(parts, tx, user, email);
      // Later changes went to others' mailboxes: their links must not take the address away again.
      await tx.deleteFrom('former_emails').where('user_id', '=', user.id).where('changed_at', '>=', changed_at).execute();
      await tx.deleteFrom('email_changes').where('user_id', '=', user.id).execute();
      await tx.deleteFrom('identities').where('user_id', '=', user.id).where('created_at', '>=', changed_at).execute();
      // A thief may have turned the second factor on first; the owner turns it on again.
      const doubtful = new Date(changed_at.getTime() - TAKEN_BACK_WITHIN_MS);
      const added = tx.selectFrom('users').select('id').where('id', '=', user.id).where('totp_since', '>=', doubtful);
      if (await added.executeTakeFirst()) await deleteSecondFactor(tx, user.id);
      // The person who changed the address knew the password, so a random one replaces it. An account without a password would let more
      // Google accounts join.
      const password_hash = await passwords.hash(newToken());
      await tx.updateTable('users').set({ password_hash }).where('id', '=', user.id).where('password_hash', 'is not', null).execute();
      await endAccess(tx, [user.id]);
      await addSecurityEvent(tx, { kind: 'email_taken_back', subject: userSubject(user.id), ...from }, now());
      return user.id;
    });
    sessions.forget(userId);
  };

/** Returns the new address that waits for its code; null if none does. */
export const findPendingEmail = async (
  { db, sealed }: Pick<Parts, 'db'> & { readonly sealed: Pick<SealedRows, 'open'> },
  userId: string,
): Promise<EmailAddress | null> => {
  const row = await db
    .selectFrom('email_changes')
    .select(['user_id as subject', 'personal'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const pending = row && (await sealed.open('email_changes', row));
  return !pending || isUnknown(pending) ? null : pending.email;
};

/** An email address of an account. `leftAt` is when the account changed to another one: later rows with this address belong to other people. */
export type HeldEmail = { readonly email: EmailAddress; readonly leftAt: Date | null };

/** Returns the addresses that an account had before, without those that another account has proven to be its own now. */
export const findFormerEmails = async (
  { db, sealed }: Pick<Parts, 'db'> & { readonly sealed: Pick<SealedRows, 'hashOf' | 'openAll'> },
  userId: string,
): Promise<readonly (HeldEmail & { readonly leftAt: Date })[]> => {
  const rows = await db
    .selectFrom('former_emails')
    .select(['user_id as subject', 'personal', 'changed_at'])
    .where('user_id', '=', userId)
    .orderBy('changed_at')
    .execute();
  const opened = (await sealed.openAll('former_emails', rows)).filter((row) => !isUnknown(row));
  const former: (HeldEmail & { readonly leftAt: Date })[] = [];
  // If the account left an address twice, the map keeps the later time.
  for (const [email, leftAt] of new Map(opened.map((row) => [row.email, row.changed_at]))) {
    const taken = db
      .selectFrom('users')
      .select('id')
      .where('address_hash', '=', await sealed.hashOf(email))
      .where('verified_at', 'is not', null);
    if (!(await taken.executeTakeFirst())) former.push({ email, leftAt });
  }
  return former;
};

/** Changes the address of an account, which its new address must prove, and its former one can undo. */
export const createEmailChange = (parts: Parts): EmailChange => ({ ask: ask(parts), confirm: confirm(parts), takeBack: takeBack(parts) });
