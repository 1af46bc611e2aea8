import { randomUUID } from 'node:crypto';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Claims } from './id-tokens.ts';
import { anotherGoogleAccount, disabled, mustSignInFirst, notJoined } from '../account-errors.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { identityLinkedMail } from '../../mail/templates/account-mails.ts';
import { addSecurityEvent, userSubject, type From } from '../security-log.ts';
import { openUser, sealAccount, USER_COLUMNS, type SealedAccount, type User, type UserRow } from '../user.ts';

type Parts = { readonly db: ShopDatabase; readonly sealed: SealedRows; readonly outbox: Outbox; readonly now: () => Date };
/** `signedInAs` is the user of the browser's session. A browser that `joins` wants no other account than that. */
export type BrowserOfIdentity = { readonly signedInAs: string | undefined; readonly joins: boolean };

type Found = UserRow & { disabled: boolean; password_hash: string | null };

const COLUMNS = [...USER_COLUMNS, 'disabled', 'password_hash'] as const;

const userWith = (tx: ShopDatabase, { issuer, subject }: Claims): Promise<Found | undefined> =>
  tx
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(COLUMNS)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();

/** Makes the account, or empties the unverified one. Returns undefined if there is another account. */
const takeAccount = (tx: ShopDatabase, account: SealedAccount, now: Date): Promise<Found | undefined> =>
  tx
    .insertInto('users')
    .values({ ...account, password_hash: null, verified_at: now, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('address_hash')
        .doUpdateSet({ personal: account.personal, password_hash: null, verified_at: now, registration: randomUUID() })
        .where('users.id', '=', account.id)
        .where('users.verified_at', 'is', null),
    )
    .returning(COLUMNS)
    .executeTakeFirst();

/** Finds or makes the account. An unverified account is emptied first. */
const accountFor = async (tx: ShopDatabase, address: Buffer, account: SealedAccount | undefined, now: Date): Promise<Found> => {
  const user = account && (await takeAccount(tx, account, now));
  if (!user) {
    const known = tx
      .selectFrom('users')
      .select([...COLUMNS, 'verified_at'])
      .where('address_hash', '=', address);
    const { verified_at, ...found } = await known.forUpdate().executeTakeFirstOrThrow();
    // Another request has just registered the address, and nobody has verified that account.
    if (verified_at === null && !found.disabled) throw mustSignInFirst();
    return found;
  }
  await tx.deleteFrom('codes').where('user_id', '=', user.id).execute();
  return user;
};

/** Returns false when the account has another identity of this provider. */
const link = async (tx: ShopDatabase, { issuer, subject }: Claims, userId: string, now: Date): Promise<boolean> => {
  const linked = await tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return linked !== undefined;
};

const expectJoined = ({ id }: Found, { signedInAs, joins }: BrowserOfIdentity): void => {
  if (joins && id !== signedInAs) throw anotherGoogleAccount();
};

const joinAccount = async (parts: Parts, claims: Claims, browser: BrowserOfIdentity, from: From): Promise<Found> => {
  const { db, sealed, outbox, now } = parts;
  const { email, name } = claims;
  const address = await sealed.hashOf(email);
  const own = await sealAccount({ db, sealed }, { email, name, phone: '' });
  const joined = await db.transaction().execute(async (tx) => {
    const at = now();
    const account = await accountFor(tx, address, own, at);
    expectJoined(account, browser);
    if (account.disabled) throw disabled();
    const hasPassword = account.password_hash !== null;
    const hasRights = account.roles.length > 0;
    if (hasPassword && !hasRights && !claims.isAuthority && account.id !== browser.signedInAs) throw notJoined();
    const isLinked = !hasRights && (await link(tx, claims, account.id, at));
    if (!isLinked) {
      // A concurrent sign-in with this identity was faster.
      const meanwhile = await userWith(tx, claims);
      if (meanwhile) return meanwhile;
      throw mustSignInFirst();
    }
    const event = { kind: 'identity_linked', subject: userSubject(account.id), ...from, detail: { issuer: claims.issuer } } as const;
    await addSecurityEvent(tx, event, at);
    if (hasPassword) await outbox.put(tx, `identity-linked:${account.id}:${claims.issuer}:${at.toISOString()}`, identityLinkedMail(email));
    return account;
  });
  outbox.wake();
  return joined;
};

/**
 * Returns the user with this identity of a third party. A new identity is joined to the account of its address:
 *
 * - No account: a verified account without a password is made.
 * - A verified account with a password: it is joined if the provider gives the address to its owner, or if this browser is signed in as it.
 *   Otherwise 409, because the mailbox may have a new owner since the provider checked it. The owner of the account gets a mail.
 * - An unverified account: it passes to the identity; name, phone, password and codes are replaced or deleted. Otherwise an attacker could
 *   register a victim's address and later share the account by password.
 * - An account with permissions, or with another identity of the provider: it is not joined (401). An admin proves the password; a second
 * identity means that the mailbox may have a new owner.
 *
 * The page of an account only joins: 409 instead of another account, which would be made or entered by a mistaken choice.
 */
export const signInWithIdentity =
  (parts: Parts) =>
  async (claims: Claims, browser: BrowserOfIdentity, from: From): Promise<User> => {
    const found = (await userWith(parts.db, claims)) ?? (await joinAccount(parts, claims, browser, from));
    expectJoined(found, browser);
    if (found.disabled) throw disabled();
    return openUser(parts.sealed, found);
  };
