import type { Logger } from 'pino';

import { pause } from '#projections/pause.ts';

import { securityRow, userSubject } from '../accounts/security-log.ts';
import type { From } from '../accounts/sign-up.ts';
import { keyedMutex } from '../keyed-mutex.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { enlist, isAnyUnfinished, isOfAccount, noteFinished, noteSubjects, takeUnfinished, type Erasure } from './erasures.ts';
import { steps, type StepName, type StepParts } from './steps.ts';
import { visitorsOf } from './traces.ts';
import { enlistLapsedVisitors, enlistVisitor, visitorSubject, type Wish } from './visitors.ts';

export type EraseParts = StepParts & {
  readonly now: () => Date;
  readonly log: Logger;
  /** Is told of each step when it is done. */
  readonly onStep?: ((step: StepName) => void) | undefined;
};

export type Erase = {
  /** Closes the account for good and erases what there is of the user. `'under way'`: it will be finished, by this process or the next. */
  erase(user: string, from: From): Promise<'erased' | 'under way'>;
  /** The same of a visitor, who has no account. Throws a 409 `Refusal` while an order of theirs needs its address. */
  eraseVisitor(visitor: string, wish: Wish): Promise<'erased' | 'under way'>;
  /** Erases visitors who left drafts and never ordered, 30 days after their last visit. */
  eraseLapsed(at?: Date): Promise<void>;
  /** Finishes what a process that died has left, one after the other. Throws at the first that fails. */
  finishAll(): Promise<void>;
  /** Comes back when nothing is left to finish, by whichever process. Throws when it fails, or when another one takes too long over it. */
  allFinished(): Promise<void>;
};

/** Longer than any erasure takes: who waits behind one is not turned away. */
const PATIENCE = 60_000;
/** Between two looks whether another process has finished one, in milliseconds. */
const LOOKS_AGAIN_AFTER = 250;

const enlistNow = ({ db, store, outbox, now }: EraseParts, user: string, from: From): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Locked, so that no visitor becomes this user between being looked for and the commit.
    const account = await tx.selectFrom('users').select('email').where('id', '=', user).forUpdate().executeTakeFirst();
    if (!account) return;
    const askedAt = now();
    const subjects = [user, ...(await visitorsOf(tx, { store }, user))];
    await enlist(tx, [{ user, subjects, recipient: outbox.recipientOf(account.email), askedAt }]);
    const event = securityRow({ kind: 'erasure_asked', subject: userSubject(user), ...from }, askedAt);
    await tx.insertInto('security_log').values(event).execute();
  });

/** The visitors who turned out to be the user after the erasure was put on the list: a sign-in was half way. */
const latecomers = async (tx: ShopDatabase, { store }: EraseParts, { user, subjects }: Erasure): Promise<readonly string[]> => {
  await tx.selectFrom('users').select('id').where('id', '=', user).forUpdate().execute();
  const visitors = await visitorsOf(tx, { store }, user);
  return visitors.filter((visitor) => !subjects.includes(visitor));
};

const finish = async (tx: ShopDatabase, parts: EraseParts, erasure: Erasure): Promise<void> => {
  // With it go identities, codes, links, sessions with the answers kept for them, and which visitors there were.
  await tx.deleteFrom('users').where('id', '=', erasure.user).execute();
  const at = parts.now();
  await noteFinished(tx, erasure, at);
  const subjects = isOfAccount(erasure) ? [userSubject(erasure.user)] : erasure.subjects.map(visitorSubject);
  const events = subjects.map((subject) => securityRow({ kind: 'erased', subject }, at));
  await tx.insertInto('security_log').values(events).execute();
};

/** All steps of the erasure that `tx` has locked, then the account with the note that it is finished. */
const carryOut = async (tx: ShopDatabase, parts: EraseParts, erasure: Erasure): Promise<void> => {
  for (const [name, step] of steps) {
    await step(parts, erasure);
    parts.log.debug({ user: erasure.user, step: name }, 'A step of an erasure is done');
    parts.onStep?.(name);
  }
  const late = await latecomers(tx, parts, erasure);
  if (late.length === 0) return finish(tx, parts, erasure);
  const more = { ...erasure, subjects: [...erasure.subjects, ...late] };
  await noteSubjects(tx, more);
  return carryOut(tx, parts, more);
};

/**
 * Erasing users. What is to be erased is written down first; from then on it is done step by step, each of which may be repeated. The row
 * on the list is locked meanwhile: of many processes one is at it, and the lock of one that died is gone at once.
 */
export const eraseWith = (parts: EraseParts): Erase => {
  // One at a time: each holds a connection and needs another.
  const mutex = keyedMutex({ timeout: PATIENCE });
  const work = (user?: string): Promise<boolean> =>
    mutex('erasure', () =>
      parts.db.transaction().execute(async (tx) => {
        const erasure = await takeUnfinished(tx, user);
        if (erasure) await carryOut(tx, parts, erasure);
        return erasure !== undefined;
      }),
    );

  const finishAll = async (): Promise<void> => {
    while (await work());
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
      await enlistNow(parts, user, from);
      return workOn(user);
    },
    eraseVisitor: async (visitor, wish) => workOn(await enlistVisitor(parts, visitor, wish)),
    eraseLapsed: async (at = parts.now()) => {
      while ((await enlistLapsedVisitors(parts, at)) > 0) await finishAll();
    },
    finishAll,
    allFinished: async () => {
      const deadline = performance.now() + PATIENCE;
      for (await finishAll(); await isAnyUnfinished(parts.db); await finishAll()) {
        if (performance.now() > deadline) throw new Error('Another process does not finish an erasure');
        await pause(LOOKS_AGAIN_AFTER);
      }
    },
  };
};
