import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { passwordChangedMail, passwordResetMail } from '../../mail/templates/account-mails.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import type { DerivedKeys } from '../derived-keys.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { badResetToken } from '../account-errors.ts';
import { addSecurityEvent, emailSubject, securityRow, userSubject, type From } from '../security-log.ts';
import { endAccess, type Sessions } from '../sessions/session-store.ts';
import { newToken, tokenHash } from '../sessions/tokens.ts';

const GOOD_FOR_MS = 30 * 60_000;

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: Pick<SealedRows, 'hashOf' | 'open'>;
  readonly outbox: Outbox;
  readonly passwords: PasswordHashing;
  readonly sessions: Sessions;
  readonly keys: Pick<DerivedKeys, 'subjects'>;
  readonly publicUrl: string;
  readonly now: () => Date;
};

export type PasswordReset = {
  /**
   * Mails a link if there is a verified account. Otherwise it runs the same statement, so that the time does not reveal whether there is
   * one.
   */
  ask(email: EmailAddress, from: From): Promise<void>;
  /** Sets the password once for each token, ends all sessions of the account, and mails its owner; returns its id. Throws a 400. */
  set(token: string, password: string, from: From): Promise<string>;
};

const ask =
  ({ db, sealed, outbox, keys, publicUrl, now }: Parts): PasswordReset['ask'] =>
  async (email, from) => {
    const address = await sealed.hashOf(email);
    const token = newToken();
    const hash = tokenHash(token);
    const at = now();
    const expires = new Date(at.getTime() + GOOD_FOR_MS);
    const link = new URL(`/reset-password?token=${token}`, publicUrl).href;
    const mail = outbox.row(`password-reset:${hash.toString('hex')}`, passwordResetMail(email, link));
    const event = securityRow({ kind: 'password_reset_asked', subject: emailSubject(keys.subjects, email), ...from }, at);
    await db
      .with('account', (q) =>
        q
          .selectFrom('users')
          .select('id')
          .where('address_hash', '=', address)
          .where('verified_at', 'is not', null)
          .where('disabled', '=', false),
      )
      .with('reset', (q) =>
        q
          .insertInto('password_resets')
          .columns(['token_hash', 'user_id', 'expires_at'])
          .expression(
            q
              .selectFrom('account')
              .select(({ val, cast }) => [
                cast<Buffer>(val(hash), 'bytea').as('hash'),
                'id',
                cast<Date>(val(expires), 'timestamptz').as('expires'),
              ]),
          ),
      )
      .with('mail', (q) =>
        q
          .insertInto('outbox')
          .columns(['cause', 'content', 'recipient', 'state', 'next_attempt_at', 'created_at'])
          .expression(
            q
              .selectFrom('account')
              .select(({ val, cast }) => [
                val(mail.cause).as('cause'),
                cast<Buffer>(val(mail.content), 'bytea').as('content'),
                cast<Buffer>(val(mail.recipient), 'bytea').as('recipient'),
                val(mail.state).as('state'),
                cast<Date>(val(at), 'timestamptz').as('next_attempt_at'),
                cast<Date>(val(at), 'timestamptz').as('created_at'),
              ]),
          ),
      )
      .insertInto('security_log')
      .values(event)
      .execute();
    outbox.wake();
  };

const set =
  ({ db, sealed, outbox, passwords, sessions, now }: Parts): PasswordReset['set'] =>
  async (token, password, from) => {
    const hash = tokenHash(token);
    // This check comes before the expensive hashing.
    const isKnown = await db
      .selectFrom('password_resets')
      .select('user_id')
      .where('token_hash', '=', hash)
      .where('expires_at', '>', now())
      .executeTakeFirst();
    if (!isKnown) throw badResetToken();
    const password_hash = await passwords.hash(password);
    const userId = await db.transaction().execute(async (tx) => {
      const used = await tx
        .deleteFrom('password_resets')
        .where('token_hash', '=', hash)
        .where('expires_at', '>', now())
        .returning('user_id')
        .executeTakeFirst();
      if (!used) throw badResetToken();
      const { user_id } = used;
      const row = await tx
        .updateTable('users')
        .set({ password_hash })
        .where('id', '=', user_id)
        .returning(['id as subject', 'personal'])
        .executeTakeFirstOrThrow();
      const { email } = await sealed.open('users', row);
      await outbox.put(tx, `password-changed:${hash.toString('hex')}`, passwordChangedMail(email, 'every device'));
      await endAccess(tx, [user_id]);
      await addSecurityEvent(tx, { kind: 'password_changed', subject: userSubject(user_id), ...from }, now());
      return user_id;
    });
    outbox.wake();
    sessions.forget(userId);
    return userId;
  };

export const createPasswordReset = (parts: Parts): PasswordReset => ({ ask: ask(parts), set: set(parts) });
