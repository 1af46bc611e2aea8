import { randomUUID } from 'node:crypto';

import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Claims } from './id-tokens.ts';
import { disabled, mustSignInFirst } from '../account-errors.ts';
import { securityRow, userSubject } from '../security-log.ts';
import type { From } from './sign-up.ts';
import { USER_COLUMNS, userFrom, type User, type UserRow } from '../user.ts';

type Parts = { readonly db: ShopDatabase; readonly now: () => Date };
type Found = UserRow & { disabled: boolean };

const COLUMNS = [...USER_COLUMNS, 'disabled'] as const;

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
 * - A verified account: it is joined. Code and provider have proven the same mailbox.
 * - An unverified account: it passes to the identity; name, phone, password and codes are replaced or deleted. Otherwise an attacker could
 *   register a victim's address and later share the account by password.
 * - An account with permissions, or with another identity of the provider: it is not joined (401). An admin proves the password; a second
 * identity means that the mailbox may have a new owner.
 */
export const signInWithIdentity =
  ({ db, now }: Parts) =>
  (claims: Claims, from: From): Promise<User> =>
    db.transaction().execute(async (tx) => {
      const known = await userWith(tx, claims);
      if (known?.disabled) throw disabled();
      if (known) return userFrom(known);
      const at = now();
      const account = await accountFor(tx, claims, at);
      if (account.disabled) throw disabled();
      const isLinked = !account.is_admin && !account.is_auditor && (await link(tx, claims, account.id, at));
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
      return userFrom(account);
    });
