import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { emailAddress } from '../platform/email-address.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { securityRow, userSubject } from './security-log.ts';

export type FirstAccount = { readonly email: string; readonly password: string; readonly right: 'admin' | 'auditor' };

type Parts = { readonly db: ShopDatabase; readonly passwords: PasswordHashing; readonly now: () => Date };

const NAMES = { admin: 'Admin', auditor: 'Auditor' } as const;

const make = async ({ db, passwords, now }: Parts, { email: given, password, right }: FirstAccount): Promise<void> => {
  const email = emailAddress(given);
  if (!email) throw new Error(`Not an e-mail address: ${given}`);
  const column = right === 'admin' ? 'is_admin' : 'is_auditor';
  const known = await db.selectFrom('users').select(['id', 'provisioned_hash', column]).where('email', '=', email).executeTakeFirst();
  const isSame = await passwords.matches(password, known?.provisioned_hash);
  if (known?.[column] && isSame) return;

  const hash = await passwords.hash(password);
  const at = now();
  await db.transaction().execute(async (tx) => {
    const granted = { password_hash: hash, provisioned_hash: hash, verified_at: at, disabled: false, [column]: true };
    const { id } = await tx
      .insertInto('users')
      .values({ email, name: NAMES[right], phone: '', created_at: at, ...granted })
      .onConflict((conflict) => conflict.column('email').doUpdateSet(granted))
      .returning('id')
      .executeTakeFirstOrThrow();
    // Sessions, codes, links and identities from before do not get the new permissions.
    for (const table of ['sessions', 'codes', 'password_resets', 'identities'] as const)
      await tx.deleteFrom(table).where('user_id', '=', id).execute();
    await tx
      .insertInto('security_log')
      .values(securityRow({ kind: 'rights_granted', subject: userSubject(id), detail: { right, by: 'environment' } }, at))
      .execute();
  });
};

/**
 * Makes the accounts that the environment names. A password that differs from the one at the last start is set; a password that was changed
 * in the shop stays.
 */
export const makeFirstAccounts = async (parts: Parts, accounts: readonly FirstAccount[]): Promise<void> => {
  for (const account of accounts) await make(parts, account);
};
