import { randomUUID } from 'node:crypto';

import { instant } from '#domain/shared/time.ts';
import type { MemberId } from '#domain/staff/events.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { listOwners, staff, STAFF } from '#domain/staff/staff.ts';

import type { RequestMetadata } from '../command-handler/execute.ts';
import { isUnknown, type SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { emailAddress } from '../platform/email-address.ts';
import type { Shop } from '../shop.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { deleteSecondFactor } from './second-factor/second-factor.ts';
import { endAccess } from './sessions/session-store.ts';
import { findAccount } from './sign-in/sign-in.ts';
import { applyRights, type RightsParts } from './staff/rights.ts';
import { findUser } from './user.ts';

export type FirstAccount = { readonly email: string; readonly password: string; readonly right: 'admin' | 'auditor' };

type Parts = RightsParts & {
  readonly execute: Shop['execute'];
  readonly load: Shop['load'];
  readonly sealed: SealedRows;
  readonly passwords: PasswordHashing;
  readonly now: () => Date;
};

const NAMES = { admin: 'Admin', auditor: 'Auditor' } as const;

/** Returns the id of the account, after a password that differs from the one at the last start was set. */
const makeAccount = async ({ db, sealed, passwords, now }: Parts, { email: given, password, right }: FirstAccount): Promise<string> => {
  const email = emailAddress(given);
  if (!email) throw new Error(`Not an e-mail address: ${given}`);
  const address_hash = await sealed.hashOf(email);
  const account = db.selectFrom('users').select(['id', 'provisioned_hash']).where('address_hash', '=', address_hash);
  const known = await account.executeTakeFirst();
  if (known && (await passwords.matches(password, known.provisioned_hash))) return known.id;

  const hash = await passwords.hash(password);
  const at = now();
  const newId = randomUUID();
  const personal = known ? undefined : await sealed.seal('users', newId, { email, name: NAMES[right], phone: '' });
  return db.transaction().execute(async (tx) => {
    const owned = { password_hash: hash, provisioned_hash: hash, verified_at: at };
    const users = personal
      ? await tx
          .insertInto('users')
          .values({ id: newId, address_hash, personal, created_at: at, ...owned })
          .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(owned))
          .returning('id')
          .execute()
      : await tx.updateTable('users').set(owned).where('address_hash', '=', address_hash).returning('id').execute();
    const id = users[0]?.id ?? newId;
    // Somebody else may have opened an account with this address: their sessions end, and they do not get the rights.
    await endAccess(tx, [id]);
    for (const table of ['codes', 'email_changes', 'identities'] as const) await tx.deleteFrom(table).where('user_id', '=', id).execute();
    // A later password of the environment leaves the owner's second factor on.
    if (!known?.provisioned_hash) await deleteSecondFactor(tx, id);
    return id;
  });
};

const byEnvironment = (): RequestMetadata => {
  const commandId = randomUUID();
  return { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'system', id: 'environment' } };
};

/** Returns all enabled owners, and those of them whose accounts are gone or unreadable, as after the restore of a backup without its keys. */
const findOwners = async ({ load, db, sealed }: Parts) => {
  const owners = listOwners((await load(staff, STAFF)).state);
  const users = await Promise.all(owners.map((id) => findUser({ db, sealed }, id)));
  const lost = owners.filter((_, index) => {
    const user = users[index];
    return !user || isUnknown(user);
  });
  return { owners, lost };
};

/** Gives the rights that accounts had before there were roles: an admin did everything, as an owner does. */
const admitFormer = async (parts: Parts): Promise<void> => {
  const rows = await parts.db
    .selectFrom('users')
    .select(['id', 'is_admin'])
    .where(({ eb, or }) => or([eb('is_admin', '=', true), eb('is_auditor', '=', true)]))
    .execute();
  for (const { id, is_admin } of rows) await admit(parts, id, [is_admin ? 'owner' : 'auditor']);
};

const admit = async ({ execute, now }: Parts, id: string, roles: readonly StaffRole[]): Promise<void> => {
  const command = { type: 'AdmitMember' as const, member: id as MemberId, roles, now: instant(now().toISOString()) };
  await execute(staff, STAFF, command, byEnvironment());
};

/** Once there is an owner, the account is like any other: it is made neither anew nor an owner again. */
const makeOwner = async (parts: Parts, account: FirstAccount): Promise<void> => {
  const address = emailAddress(account.email);
  const isKnown = address && (await findAccount(parts, { email: address }));
  const { owners, lost } = await findOwners(parts);
  if (!isKnown && owners.length > lost.length) return;
  const member = (await makeAccount(parts, account)) as MemberId;
  await parts.execute(staff, STAFF, { type: 'SecureOwner', member, lost, now: instant(parts.now().toISOString()) }, byEnvironment());
};

/**
 * Makes the accounts that the environment names. A password that differs from the one at the last start is set; a password that was changed
 * in the shop stays. The admin becomes the owner if no enabled owner is left, and the auditor an auditor who never was on the staff.
 */
export const makeFirstAccounts = async (parts: Parts, accounts: readonly FirstAccount[]): Promise<void> => {
  await admitFormer(parts);
  for (const account of accounts)
    if (account.right === 'admin') await makeOwner(parts, account);
    else await admit(parts, await makeAccount(parts, account), ['auditor']);
  await applyRights(parts);
};
