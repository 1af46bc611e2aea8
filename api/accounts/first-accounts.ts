import { randomUUID } from 'node:crypto';

import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { emailAddress } from '../platform/email-address.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { securityRow, userSubject } from './security-log.ts';

export type FirstAccount = { readonly email: string; readonly password: string; readonly right: 'admin' | 'auditor' };

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly passwords: PasswordHashing;
  readonly now: () => Date;
};

const NAMES = { admin: 'Admin', auditor: 'Auditor' } as const;

const make = async ({ db, sealed, passwords, now }: Parts, { email: given, password, right }: FirstAccount): Promise<void> => {
  const email = emailAddress(given);
  if (!email) throw new Error(`Not an e-mail address: ${given}`);
  const column = right === 'admin' ? 'is_admin' : 'is_auditor';
  const address_hash = await sealed.hashOf(email);
  const account = db.selectFrom('users').select(['id', 'provisioned_hash', column]).where('address_hash', '=', address_hash);
  const known = await account.executeTakeFirst();
  const isSame = await passwords.matches(password, known?.provisioned_hash);
  if (known?.[column] && isSame) return;

  const hash = await passwords.hash(password);
  const at = now();
  const newId = randomUUID();
  const personal = known ? undefined : await sealed.seal('users', newId, { email, name: NAMES[right], phone: '' });
  await db.transaction().execute(async (tx) => {
    const granted = { password_hash: hash, provisioned_hash: hash, verified_at: at, disabled: false, [column]: true };
    const users = personal
      ? await tx
          .insertInto('users')
          .values({ id: newId, address_hash, personal, created_at: at, ...granted })
          .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(granted))
          .returning('id')
          .execute()
      : await tx.updateTable('users').set(granted).where('address_hash', '=', address_hash).returning('id').execute();
    const id = users[0]?.id ?? newId;
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
