import { sql } from 'kysely';
import type { Logger } from 'pino';
import type pg from 'pg';

import { sameSiteOnly } from './sessions/cross-site.ts';
import { createLimits, limitWrites } from './limits/limits.ts';
import { sessionCookies } from './sessions/session-cookies.ts';
import { type OnSignedIn, withSessions } from './sessions/session.ts';
import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { type FirstAccount, makeFirstAccounts } from './first-accounts.ts';
import type { Provider } from './sign-in/id-tokens.ts';
import { signInWithIdentity } from './sign-in/identities.ts';
import type { DerivedKeys } from './derived-keys.ts';
import { knownDevices } from './sign-in/known-devices.ts';
import { type HashingCost, passwordHashing } from './passwords/password-hashing.ts';
import { createPasswordReset } from './sign-in/password-reset.ts';
import type { AccountDeps } from './routes.ts';
import { securityLog } from './security-log.ts';
import { LIFETIMES, createSessions } from './sessions/session-store.ts';
import { createMyAccount } from './my-account/my-account.ts';
import { createEmailChange } from './email-change/email-change.ts';
import { createSecondFactor } from './second-factor/second-factor.ts';
import { proveOwnerWith } from './sign-in/prove-owner.ts';
import type { Shop } from '../shop.ts';
import { createInvitations } from './staff/invitations.ts';
import { findAccount, logInWith } from './sign-in/sign-in.ts';
import { signUpWith } from './sign-in/sign-up.ts';

/** Expired codes are kept for this many ms. */
const DAY = 24 * 3_600_000;

/** Unverified accounts are kept for this many days. */
const UNVERIFIED_DAYS = 30;

/**
 * Deletes old unverified accounts and the rows that refer to them: a stranger may have typed the name, address and phone number. Skips an
 * account whose row a new registration has locked.
 */
const sweepUnverified = async (db: ShopDatabase, now: Date): Promise<void> => {
  const old = db
    .selectFrom('users')
    .select('id')
    .where('verified_at', 'is', null)
    .where('disabled', '=', false)
    .where('provisioned_hash', 'is', null)
    .where(sql<boolean>`roles = '{}'`)
    .where('created_at', '<', new Date(now.getTime() - UNVERIFIED_DAYS * DAY))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('codes').select('user_id').whereRef('user_id', '=', 'users.id').where('expires_at', '>', now))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('staff_invitations').select('id').whereRef('staff_invitations.address_hash', '=', 'users.address_hash'))),
    );
  await db.deleteFrom('users').where('id', 'in', old.forUpdate().skipLocked()).execute();
};

/** Deletes expired rows to save disk space; they are refused already. */
const sweepAccounts = async (db: ShopDatabase, now: Date): Promise<void> => {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await db.deleteFrom('sessions').where('seen_at', '<', before(LIFETIMES.visitor.idle)).execute();
  await db.deleteFrom('sessions').where('user_id', 'is not', null).where('seen_at', '<', before(LIFETIMES.user.idle)).execute();
  await db.deleteFrom('codes').where('expires_at', '<', before(DAY)).execute();
  await db.deleteFrom('email_changes').where('expires_at', '<', before(DAY)).execute();
  await db.deleteFrom('login_tokens').where('expires_at', '<', now).execute();
  await db.deleteFrom('kept_answers').where('expires_at', '<', now).execute();
  for (const table of ['password_resets', 'staff_invitations'] as const)
    await db.deleteFrom(table).where('expires_at', '<', before(DAY)).execute();
  await sweepUnverified(db, now);
};

export type AccountOptions = {
  readonly db: ShopDatabase;
  readonly pool: pg.Pool;
  readonly sealed: SealedRows;
  readonly keys: DerivedKeys;
  readonly outbox: Outbox;
  readonly now: () => Date;
  readonly store: Pick<Shop['store'], 'read'>;
  readonly execute: Shop['execute'];
  readonly load: Shop['load'];
  readonly log: Logger;
  readonly publicUrl: string;
  readonly isEmbedded: boolean;
  readonly rateLimitFactor: number;
  readonly google: Provider | undefined;
  readonly onSignedIn: OnSignedIn;
  readonly hashingCost?: HashingCost;
};

export const openAccounts = async (options: AccountOptions) => {
  const { db, pool, sealed, keys, outbox, now, log, publicUrl, isEmbedded, rateLimitFactor, google, onSignedIn, hashingCost } = options;
  const { store, execute, load } = options;
  const passwords = passwordHashing(hashingCost);
  const events = securityLog({ db, now, log });
  const sessions = createSessions({ db, sealed, now });
  const cookies = sessionCookies({ publicUrl });
  const limits = createLimits({ pool, factor: rateLimitFactor, securityLog: events, key: keys.limits });
  const deps: AccountDeps = {
    signUp: signUpWith({ db, sealed, outbox, passwords, keys, securityLog: events, now }),
    accountOf: (email) => findAccount({ db, sealed }, { email }),
    proveOwner: proveOwnerWith({ accountWithId: (id) => findAccount({ db, sealed }, { id }), passwords, limits, securityLog: events, now }),
    myAccount: createMyAccount({ db, sealed, outbox, passwords, sessions, now }),
    secondFactor: createSecondFactor({ db, sealed, outbox, sessions, now }),
    emailChange: createEmailChange({ db, sealed, outbox, passwords, sessions, keys, securityLog: events, publicUrl, now }),
    sessions,
    logIn: logInWith({ db, passwords, keys, securityLog: events }),
    passwordReset: createPasswordReset({ db, sealed, outbox, passwords, sessions, keys, publicUrl, now }),
    idTokens: google && (await import('./sign-in/id-tokens.ts')).createIdTokens(google, now),
    googleClientId: google?.clientId ?? null,
    enter: signInWithIdentity({ db, sealed, outbox, now }),
    devices: knownDevices(keys.devices),
    cookies,
    limits,
    securityLog: events,
  };
  return {
    deps,
    limits,
    securityLog: events,
    /** Replaces addresses in the security log by keyed hashes. */
    subjectsKey: keys.subjects,
    /** The order is session, limits, cross-site check: what the check refuses is recorded, and counts as well. */
    middlewares: [
      withSessions({ sessions, cookies, onSignedIn, securityLog: events }),
      limitWrites(limits),
      sameSiteOnly({ publicUrl, isEmbedded, securityLog: events }),
    ],
    staff: { sessions, invitations: createInvitations({ db, sealed, outbox, passwords, publicUrl, now }) },
    makeFirst: (accounts: readonly FirstAccount[]) => makeFirstAccounts({ db, store, execute, load, sealed, passwords, now }, accounts),
    sweep: () => sweepAccounts(db, now()),
    close: () => events.flush(),
  };
};
