import type { Logger } from 'pino';

import { sleep } from '#projections/follower/clock.ts';

import { securityRow, userSubject } from '../accounts/security-log.ts';
import type { From } from '../accounts/sign-in/sign-up.ts';
import { findUser } from '../accounts/user.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { enlist, isOfAccount, noteFinished, noteSubjects, stillReadable, takeUnfinished, unfinished, type Erasure } from './erasures.ts';
import { steps, type StepName, type StepParts } from './steps.ts';
import { expectNothingOnItsWay, findVisitors } from './orders-of-subject.ts';
import { enlistLapsedVisitors, enlistVisitor, visitorSubject, type ErasureRequest } from './erase-visitor.ts';

export type EraseParts = StepParts & {
  readonly now: () => Date;
  readonly log: Logger;
  readonly onStep?: ((step: StepName) => void) | undefined;
};

export type Erase = {
  /**
   * Closes the account for ever, cancels what has not shipped and erases the user's data. `'under way'` means that this process or the next
   * will finish it. Throws the 409 `order_is_open` while a parcel is on its way, and changes nothing then.
   */
  erase(user: string, from: From): Promise<'erased' | 'under way'>;
  /** Does the same for a visitor. Throws the 409 `has_account` for one with an account. */
  eraseVisitor(visitor: string, request: ErasureRequest): Promise<'erased' | 'under way'>;
  /** Erases visitors who left only drafts, 30 days after their last visit. */
  eraseLapsed(at?: Date): Promise<void>;
  /**
   * Finishes erasures that a killed process left, except those on which another process works. Throws the first failure after the others.
   */
  finishAll(): Promise<void>;
  /**
   * Resolves when each erasure is finished, or has at least destroyed its keys and failed later: it is then logged and tried again. Throws
   * when one fails before, or when another process takes too long for that.
   */
  allUnreadable(): Promise<void>;
};

/** Requests wait this many ms, longer than any erasure takes, so that they are not refused. */
const TIMEOUT_MS = 60_000;
/** While another process works on the erasure, this process looks again after this many ms. */
const LOOKS_AGAIN_AFTER = 250;

const enlistNow = async (parts: EraseParts, user: string, from: From): Promise<void> => {
  const { db, sealed, store, outbox, now } = parts;
  const known = await findUser({ db, sealed }, user);
  if (!known) return;
  const { email } = known;
  const addresses = [await sealed.subjectOf(email)];
  await db.transaction().execute(async (tx) => {
    // The account is locked, so that no visitor becomes this user between this query and the commit.
    const account = await tx.selectFrom('users').select('id').where('id', '=', user).forUpdate().executeTakeFirst();
    if (!account) return;
    const askedAt = now();
    const subjects = [user, ...(await findVisitors(tx, { store }, user))];
    await expectNothingOnItsWay(tx, parts, subjects);
    await enlist(tx, [{ user, subjects, addresses, recipient: outbox.recipientOf(email), askedAt }]);
    const event = securityRow({ kind: 'erasure_asked', subject: userSubject(user), ...from }, askedAt);
    await tx.insertInto('security_log').values(event).execute();
  });
};

/** Returns visitors who became the user after the erasure was put on the list, because a sign-in was under way. */
const latecomers = async (tx: ShopDatabase, { store }: EraseParts, { user, subjects }: Erasure): Promise<readonly string[]> => {
  await tx.selectFrom('users').select('id').where('id', '=', user).forUpdate().execute();
  const visitors = await findVisitors(tx, { store }, user);
  return visitors.filter((visitor) => !subjects.includes(visitor));
};

const finish = async (tx: ShopDatabase, parts: EraseParts, erasure: Erasure): Promise<void> => {
  // The deletion cascades to identities, codes, links, visitors, and sessions with their stored responses.
  await tx.deleteFrom('users').where('id', '=', erasure.user).execute();
  const at = parts.now();
  await noteFinished(tx, erasure, at);
  const subjects = isOfAccount(erasure) ? [userSubject(erasure.user)] : erasure.subjects.map(visitorSubject);
  const events = subjects.map((subject) => securityRow({ kind: 'erased', subject }, at));
  await tx.insertInto('security_log').values(events).execute();
};

/** Runs all steps of the erasure locked by `tx`, then deletes the account. */
const carryOut = async (tx: ShopDatabase, parts: EraseParts, erasure: Erasure): Promise<void> => {
  for (const [name, step] of steps) {
    await step(parts, erasure);
    parts.log.debug({ user: erasure.user, step: name }, 'Erasure step done');
    parts.onStep?.(name);
  }
  const late = await latecomers(tx, parts, erasure);
  if (late.length === 0) return finish(tx, parts, erasure);
  const more = { ...erasure, subjects: [...erasure.subjects, ...late] };
  await noteSubjects(tx, more);
  return carryOut(tx, parts, more);
};

/**
 * An erasure is first put on a list, then done in idempotent steps while its row is locked, so that one process works on it. The lock of a
 * killed process ends immediately.
 */
export const eraseWith = (parts: EraseParts): Erase => {
  // Each erasure holds a connection and needs another.
  const mutex = keyedMutex({ timeout: TIMEOUT_MS });
  const work = (user: string, skipsLocked = false): Promise<void> =>
    mutex('erasure', () =>
      parts.db.transaction().execute(async (tx) => {
        const erasure = await takeUnfinished(tx, user, skipsLocked);
        if (erasure) await carryOut(tx, parts, erasure);
      }),
    );

  /** Returns the failures by user. */
  const attemptAll = async (): Promise<ReadonlyMap<string, unknown>> => {
    const failures = new Map<string, unknown>();
    for (const user of await unfinished(parts.db)) await work(user, true).catch((error: unknown) => failures.set(user, error));
    return failures;
  };

  const finishAll = async (): Promise<void> => {
    for (const [, error] of await attemptAll()) throw error;
  };

  const workOn = async (user: string): Promise<'erased' | 'under way'> => {
    try {
      await work(user);
      return 'erased';
    } catch (error) {
      parts.log.error({ err: error, user }, 'An erasure could not be finished yet');
      return 'under way';
    }
  };

  return {
    erase: async (user, from) => {
      await mutex('erasure', () => enlistNow(parts, user, from));
      return workOn(user);
    },
    eraseVisitor: async (visitor, request) => workOn(await mutex('erasure', () => enlistVisitor(parts, visitor, request))),
    eraseLapsed: async (at = parts.now()) => {
      while ((await enlistLapsedVisitors(parts, at)) > 0) await finishAll();
    },
    finishAll,
    allUnreadable: async () => {
      const deadline = performance.now() + TIMEOUT_MS;
      for (const failed = new Set<string>(); ; await sleep(LOOKS_AGAIN_AFTER)) {
        for (const [user, error] of await attemptAll()) {
          if ((await stillReadable(parts.db)).includes(user)) throw error;
          if (!failed.has(user)) parts.log.error({ err: error, user }, 'An erasure could not be finished yet');
          failed.add(user);
        }
        // The others are those on which another process works.
        if ((await unfinished(parts.db)).every((user) => failed.has(user))) return;
        if (performance.now() <= deadline) continue;
        if ((await stillReadable(parts.db)).length === 0) return;
        throw new Error('Another process has not destroyed the keys of an erasure in time');
      }
    },
  };
};
