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
import { findAccount, logInWith } from './sign-in/sign-in.ts';
import { signUpWith } from './sign-in/sign-up.ts';

/** Expired codes are kept for this many ms. */
const DAY = 24 * 3_600_000;

/** Deletes expired rows to save disk space; they are refused already. */
const sweepAccounts = async (db: ShopDatabase, now: Date): Promise<void> => {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await db.deleteFrom('sessions').where('seen_at', '<', before(LIFETIMES.visitor.idle)).execute();
  await db.deleteFrom('sessions').where('user_id', 'is not', null).where('seen_at', '<', before(LIFETIMES.user.idle)).execute();
  await db.deleteFrom('codes').where('expires_at', '<', before(DAY)).execute();
  await db.deleteFrom('kept_answers').where('expires_at', '<', now).execute();
  await db.deleteFrom('password_resets').where('expires_at', '<', before(DAY)).execute();
};

export type AccountOptions = {
  readonly db: ShopDatabase;
  readonly pool: pg.Pool;
  readonly sealed: SealedRows;
  readonly keys: DerivedKeys;
  readonly outbox: Outbox;
  readonly now: () => Date;
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
  const passwords = passwordHashing(hashingCost);
  const events = securityLog({ db, now, log });
  const sessions = createSessions({ db, sealed, now });
  const cookies = sessionCookies({ publicUrl });
  const limits = createLimits({ pool, factor: rateLimitFactor, securityLog: events, key: keys.limits });
  const deps: AccountDeps = {
    signUp: signUpWith({ db, sealed, outbox, passwords, keys, securityLog: events, now }),
    accountOf: (email) => findAccount({ db, sealed }, email),
    logIn: logInWith({ db, passwords, keys, securityLog: events }),
    passwords,
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
    makeFirst: (accounts: readonly FirstAccount[]) => makeFirstAccounts({ db, sealed, passwords, now }, accounts),
    sweep: () => sweepAccounts(db, now()),
    close: () => events.flush(),
  };
};
