import { randomUUID } from 'node:crypto';

import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Claims } from './id-tokens.ts';
import { disabled, mustSignInFirst, notJoined } from '../account-errors.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { identityLinkedMail } from '../../mail/templates/account-mails.ts';
import { securityRow, userSubject } from '../security-log.ts';
import type { From } from './sign-up.ts';
import { USER_COLUMNS, userFrom, type User, type UserRow } from '../user.ts';

type Parts = { readonly db: ShopDatabase; readonly outbox: Outbox; readonly now: () => Date };
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

/** Finds or makes the account. An unverified account is emptied first. */
const accountFor = async (tx: ShopDatabase, { email, name }: Claims, now: Date): Promise<Found> => {
  const user = await tx
    .insertInto('users')
    .values({ email, name, phone: '', password_hash: null, verified_at: now, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ name, phone: '', password_hash: null, verified_at: now, registration: randomUUID() })
        .where('users.verified_at', 'is', null),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!user) return tx.selectFrom('users').select(COLUMNS).where('email', '=', email).forUpdate().executeTakeFirstOrThrow();
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

/**
 * Returns the user with this identity of a third party. A new identity is joined to the account of its address:
 *
 * - No account: a verified account without a password is made.
 * - A verified account with a password: it is joined if the provider gives the address to its owner, or if this browser is signed in as it.
 *   Otherwise 409: the provider only knows that somebody had the mailbox once. A mail tells the account.
 * - An unverified account: it passes to the identity; name, phone, password and codes are replaced or deleted. Otherwise an attacker could
 *   register a victim's address and later share the account by password.
 * - An account with permissions, or with another identity of the provider: it is not joined (401). An admin proves the password; a second
 * identity means that the mailbox may have a new owner.
 */
export const signInWithIdentity =
  ({ db, outbox, now }: Parts) =>
  async (claims: Claims, signedInAs: string | undefined, from: From): Promise<User> => {
    const user = await db.transaction().execute(async (tx) => {
      const known = await userWith(tx, claims);
      if (known?.disabled) throw disabled();
      if (known) return userFrom(known);
      const at = now();
      const account = await accountFor(tx, claims, at);
      if (account.disabled) throw disabled();
      const hasPassword = account.password_hash !== null;
      const hasRights = account.is_admin || account.is_auditor;
      if (hasPassword && !hasRights && !claims.isAuthority && account.id !== signedInAs) throw notJoined();
      const isLinked = !hasRights && (await link(tx, claims, account.id, at));
      if (!isLinked) {
        // A concurrent sign-in with this identity was faster.
        const meanwhile = await userWith(tx, claims);
        if (meanwhile && !meanwhile.disabled) return userFrom(meanwhile);
        throw mustSignInFirst();
      }
      const event = securityRow(
        { kind: 'identity_linked', subject: userSubject(account.id), ...from, detail: { issuer: claims.issuer } },
        at,
      );
      await tx.insertInto('security_log').values(event).execute();
      if (hasPassword)
        await outbox.put(tx, `identity-linked:${account.id}:${claims.issuer}:${at.toISOString()}`, identityLinkedMail(account.email));
      return userFrom(account);
    });
    outbox.wake();
    return user;
  };
