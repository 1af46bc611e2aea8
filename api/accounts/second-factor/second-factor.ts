import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';

import { isLost } from '#domain/event-store.ts';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recoveryCodeMail, secondFactorMail } from '../../mail/templates/account-mails.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { loginExpired, secondFactorActive, secondFactorInactive, wrongSecondFactor } from '../account-errors.ts';
import { addSecurityEvent, userSubject, type From, type SecurityKind } from '../security-log.ts';
import type { SecondFactorCode, SignInKind } from '../sessions/session.ts';
import { lockForEntry, type Sessions } from '../sessions/session-store.ts';
import { newToken, tokenHash } from '../sessions/tokens.ts';
import { lockUser, openUser, USER_COLUMNS, type User } from '../user.ts';

/** RFC 6238, as every authenticator has it by default: SHA-1, six digits. */
const TOTP = { stepSeconds: 30, digits: /^\d{6}$/ } as const;
const RECOVERY = { codes: 10, length: 8, letters: 'abcdefghjkmnpqrstvwxyz23456789' } as const;
const LOGIN = { tries: 5, goodForMs: 10 * 60_000 } as const;

export type SecondFactor = {
  /** Makes a seed, which replaces one that was not confirmed. Throws a 409 while a second factor is active. */
  begin(userId: string): Promise<{ readonly secret: string; readonly otpauthUrl: string }>;
  /** Activates the seed with its first code; returns ten recovery codes. Throws a 401 for a wrong code, a 409 without `begin` or while active. */
  confirm(userId: string, code: string, from: From): Promise<readonly string[]>;
  /** Throws a 401 for a wrong code, and a 409 while none is active. A recovery code does as well. */
  remove(userId: string, code: string, from: From): Promise<void>;
  /** Begins a sign-in that waits for the code. Returns its token. Throws a 401 if the access ended since the user was read. */
  wait(user: User, how: SignInKind): Promise<string>;
  /** Takes one of the five tries of a sign-in under way. Throws a 401 if there is none left. */
  takeTry(token: string): Promise<{ readonly user: User; readonly how: SignInKind; readonly isLast: boolean }>;
  /** Ends the wait with the right code, once. Mails the owner if it is a recovery code, and returns which it is. Throws a 401 for a wrong one. */
  finish(token: string, user: User, code: string): Promise<SecondFactorCode>;
};

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly now: () => Date;
};

const newRecoveryCode = (): string => {
  const letters = Array.from({ length: RECOVERY.length }, () => RECOVERY.letters[randomInt(RECOVERY.letters.length)]).join('');
  return `${letters.slice(0, RECOVERY.length / 2)}-${letters.slice(RECOVERY.length / 2)}`;
};

/** Keyed with the seed, which is encrypted: the table alone does not let anybody compute a code. */
const recoveryHash = (secret: string, code: string): Buffer => createHmac('sha256', secret).update(code.replace('-', '')).digest();

/** Returns the time step of a code, one step either way. */
const findStep = (secret: string, code: string, at: Date): number | undefined => {
  if (!TOTP.digits.test(code)) return undefined;
  const found = verifySync({ secret, token: code, epoch: Math.floor(at.getTime() / 1_000), epochTolerance: TOTP.stepSeconds });
  return found.valid && 'timeStep' in found ? found.timeStep : undefined;
};

const readSecret = async ({ sealed }: Parts, tx: ShopDatabase, userId: string): Promise<string | undefined> => {
  const row = await tx
    .selectFrom('second_factors')
    .select(['user_id as subject', 'personal'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const secret = row && (await sealed.open('second_factors', row)).secret;
  return secret === undefined || isLost(secret) ? undefined : secret;
};

type Spend = (tx: ShopDatabase, userId: string, secret: string, code: string, at: Date) => Promise<boolean>;

/** Uses up a code of the authenticator: one statement lets only one of equal codes pass, and none from before it. */
const spendTotp: Spend = async (tx, userId, secret, code, at) => {
  const step = findStep(secret, code, at);
  if (step === undefined) return false;
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', String(step))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const spendRecoveryCode: Spend = async (tx, userId, secret, code) => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', recoveryHash(secret, code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Uses up a code of the authenticator or a recovery code, and returns which it is. Throws a 401 if it is wrong or was used. */
const spendCode = async (parts: Parts, tx: ShopDatabase, userId: string, code: string): Promise<SecondFactorCode> => {
  const secret = await readSecret(parts, tx, userId);
  const isTotp = TOTP.digits.test(code);
  const spend = isTotp ? spendTotp : spendRecoveryCode;
  if (secret === undefined || !(await spend(tx, userId, secret, code, parts.now()))) throw wrongSecondFactor();
  return isTotp ? 'totp' : 'recovery code';
};

const noteChange = async ({ outbox }: Parts, tx: ShopDatabase, user: User, kind: SecurityKind, from: From, at: Date): Promise<void> => {
  const isOn = kind === 'second_factor_added';
  await outbox.put(tx, `second-factor:${user.id}:${randomUUID()}`, secondFactorMail(user.email, isOn));
  await addSecurityEvent(tx, { kind, subject: userSubject(user.id), ...from }, at);
};

const begin =
  ({ db, sealed }: Parts): SecondFactor['begin'] =>
  async (userId) => {
    const secret = generateSecret();
    const personal = await sealed.seal('second_factors', userId, { secret });
    const { email } = await db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, sealed, userId);
      if (user.hasSecondFactor) throw secondFactorActive();
      await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
      await tx.insertInto('second_factors').values({ user_id: userId, personal }).execute();
      return user;
    });
    return { secret, otpauthUrl: generateURI({ issuer: 'Ruhani', label: email, secret }) };
  };

const confirm =
  (parts: Parts): SecondFactor['confirm'] =>
  async (userId, code, from) => {
    const { db, sealed, outbox, sessions, now } = parts;
    const codes = Array.from({ length: RECOVERY.codes }, newRecoveryCode);
    await db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, sealed, userId);
      if (user.hasSecondFactor) throw secondFactorActive();
      const secret = await readSecret(parts, tx, userId);
      if (secret === undefined) throw secondFactorInactive();
      const at = now();
      if (!(await spendTotp(tx, userId, secret, code, at))) throw wrongSecondFactor();
      const rows = codes.map((each) => ({ user_id: userId, code_hash: recoveryHash(secret, each) }));
      await tx.insertInto('recovery_codes').values(rows).execute();
      // With a new registration, a sign-in that read the account without its second factor fails.
      await tx.updateTable('users').set({ totp_since: at, registration: randomUUID() }).where('id', '=', userId).execute();
      await noteChange(parts, tx, user, 'second_factor_added', from, at);
    });
    outbox.wake();
    sessions.forget(userId);
    return codes;
  };

/** Deletes the seed and its recovery codes, in a transaction that has locked the user. */
export const deleteSecondFactor = async (tx: ShopDatabase, userId: string): Promise<void> => {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await tx.updateTable('users').set({ totp_since: null }).where('id', '=', userId).execute();
};

const remove =
  (parts: Parts): SecondFactor['remove'] =>
  async (userId, code, from) => {
    const { db, sealed, outbox, sessions, now } = parts;
    await db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, sealed, userId);
      if (!user.hasSecondFactor) throw secondFactorInactive();
      await spendCode(parts, tx, userId, code);
      await deleteSecondFactor(tx, userId);
      await noteChange(parts, tx, user, 'second_factor_removed', from, now());
    });
    outbox.wake();
    sessions.forget(userId);
  };

const wait =
  ({ db, now }: Parts): SecondFactor['wait'] =>
  async (user, how) => {
    const token = newToken();
    const expires_at = new Date(now().getTime() + LOGIN.goodForMs);
    await db.transaction().execute(async (tx) => {
      await lockForEntry(tx, user);
      const row = { token_hash: tokenHash(token), user_id: user.id, how, expires_at };
      await tx.insertInto('login_tokens').values(row).execute();
    });
    return token;
  };

const takeTry =
  ({ db, sealed, now }: Parts): SecondFactor['takeTry'] =>
  async (token) => {
    const taken = await db
      .updateTable('login_tokens')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where('token_hash', '=', tokenHash(token))
      .where('tries', '<', LOGIN.tries)
      .where('expires_at', '>', now())
      .returning(['user_id', 'how', 'tries'])
      .executeTakeFirst();
    if (!taken) throw loginExpired();
    const row = await db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('id', '=', taken.user_id)
      .where('disabled', '=', false)
      .executeTakeFirst();
    if (!row) throw loginExpired();
    return { user: await openUser(sealed, row), how: taken.how as SignInKind, isLast: taken.tries === LOGIN.tries };
  };

const finish =
  (parts: Parts): SecondFactor['finish'] =>
  async (token, user, code) => {
    const used = await parts.db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom('login_tokens').where('token_hash', '=', tokenHash(token)).executeTakeFirst();
      if (numDeletedRows === 0n) throw loginExpired();
      const spent = await spendCode(parts, tx, user.id, code);
      if (spent === 'recovery code') await parts.outbox.put(tx, `recovery-code:${user.id}:${randomUUID()}`, recoveryCodeMail(user.email));
      return spent;
    });
    parts.outbox.wake();
    return used;
  };

/**
 * The second factor of an account: time-based codes (RFC 6238) and ten recovery codes. Seeds are encrypted with the key of their account, as
 * its texts are, and every code counts once in all processes.
 */
export const createSecondFactor = (parts: Parts): SecondFactor => ({
  begin: begin(parts),
  confirm: confirm(parts),
  remove: remove(parts),
  wait: wait(parts),
  takeTry: takeTry(parts),
  finish: finish(parts),
});
