import { randomUUID } from 'node:crypto';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { passwordChangedMail } from '../../mail/templates/account-mails.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { wrongPassword } from '../account-errors.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { addSecurityEvent, userSubject, type From } from '../security-log.ts';
import { endAccess, type Session, type Sessions } from '../sessions/session-store.ts';
import type { Account } from '../sign-in/sign-in.ts';
import { lockUser, openUser, USER_COLUMNS, type User } from '../user.ts';

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: Pick<SealedRows, 'open' | 'seal'>;
  readonly outbox: Outbox;
  readonly passwords: PasswordHashing;
  readonly sessions: Sessions;
  readonly now: () => Date;
};

/** `GET /user/account`: what the page of an account shows beside the user. Times are ISO 8601; `totpSince` is null without a second factor. */
export type AccountView = {
  readonly createdAt: Date;
  readonly hasPassword: boolean;
  /** A third party's sign-in is joined. */
  readonly google: boolean;
  readonly totpSince: Date | null;
  readonly recoveryCodesLeft: number;
};

export type MyAccount = {
  read(userId: string): Promise<AccountView>;
  changeProfile(userId: string, texts: { readonly name: string; readonly phone: string }): Promise<User>;
  /** Ends every other session, links and sign-ins under way, and mails the owner. Throws a 403 if the password was changed meanwhile. */
  changePassword(account: Account, password: string, session: Pick<Session, 'id'> | undefined, from: From): Promise<void>;
};

const read = async ({ db }: Parts, userId: string): Promise<AccountView> =>
  db
    .selectFrom('users')
    .select(['created_at as createdAt', 'totp_since as totpSince'])
    .select(({ eb, exists, selectFrom }) => [
      eb('password_hash', 'is not', null).$castTo<boolean>().as('hasPassword'),
      exists(selectFrom('identities').select('user_id').whereRef('user_id', '=', 'users.id'))
        .$castTo<boolean>()
        .as('google'),
      selectFrom('recovery_codes')
        .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('codes'))
        .whereRef('recovery_codes.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('recoveryCodesLeft'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

const changeProfile = async (parts: Parts, userId: string, texts: { readonly name: string; readonly phone: string }): Promise<User> => {
  const { db, sealed, sessions } = parts;
  const user = await db.transaction().execute(async (tx) => {
    const { email } = await lockUser(tx, sealed, userId);
    const personal = await sealed.seal('users', userId, { ...texts, email });
    const changed = await tx
      .updateTable('users')
      .set({ personal })
      .where('id', '=', userId)
      .returning(USER_COLUMNS)
      .executeTakeFirstOrThrow();
    return openUser(sealed, changed);
  });
  sessions.forget(userId);
  return user;
};

const changePassword = async (
  { db, outbox, passwords, sessions, now }: Parts,
  { user, passwordHash }: Account,
  password: string,
  session: Pick<Session, 'id'> | undefined,
  from: From,
): Promise<void> => {
  const password_hash = await passwords.hash(password);
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', user.id)
      .where('password_hash', passwordHash === null ? 'is' : '=', passwordHash)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw wrongPassword();
    await endAccess(tx, [user.id], session);
    await outbox.put(tx, `password-changed:${user.id}:${randomUUID()}`, passwordChangedMail(user.email, 'every other device'));
    await addSecurityEvent(tx, { kind: 'password_changed', subject: userSubject(user.id), ...from }, now());
  });
  outbox.wake();
  sessions.forget(user.id);
};

export const createMyAccount = (parts: Parts): MyAccount => ({
  read: (userId) => read(parts, userId),
  changeProfile: (userId, texts) => changeProfile(parts, userId, texts),
  changePassword: (account, password, session, from) => changePassword(parts, account, password, session, from),
});
