import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

import type { MemberId } from '#domain/staff/events.ts';
import { messageStream } from '#domain/message/message.ts';
import { staff, STAFF } from '#domain/staff/staff.ts';
import { sleep } from '#projections/follower/clock.ts';

import { isStaff } from '../accounts/account-errors.ts';
import { addSecurityEvent, userSubject } from '../accounts/security-log.ts';
import { findFormerEmails, type HeldEmail } from '../accounts/email-change/email-change.ts';
import { forgetAnswers } from '../accounts/idempotency/answer-cache.ts';
import { applyRights } from '../accounts/staff/rights.ts';
import { findUser } from '../accounts/user.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { enlist, isOfAccount, noteFinished, noteSubjects, stillReadable, takeUnfinished, unfinished, type Erasure } from './erasures.ts';
import { steps, type StepName, type StepParts } from './steps.ts';
import { expectNothingOnItsWay, findVisitors } from './orders-of-subject.ts';
import {
  addAskedEvent,
  enlistGuest,
  enlistLapsedVisitors,
  visitorSubject,
  type ErasureRequest,
  type GuestToErase,
} from './erase-visitor.ts';

export type EraseParts = StepParts & {
  readonly now: () => Date;
  readonly log: Logger;
  readonly onStep?: ((step: StepName) => void) | undefined;
};

export type Erase = {
  /**
   * Closes the account for ever, cancels what has not shipped and erases the user's data. `'under way'` means that this process or the next
   * will finish it. Throws the 409 `order_is_open` while a parcel is on its way, and the 409 `is_staff` when another asks for it than the
   * member of the staff whose account it is: nothing is changed then.
   */
  erase(user: string, request: ErasureRequest): Promise<'erased' | 'under way'>;
  /** Does the same for visitors, and for what belongs to their address. Throws the 409 `has_account` if all of them have an account. */
  eraseGuest(guest: GuestToErase, request: ErasureRequest): Promise<'erased' | 'under way'>;
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

/** The tables of what is sent with an address. */
const LETTERS = ['subscribers', 'contact_messages', 'restock_notices'] as const;

/** Takes all rights. Returns whether the account had some. Throws `last_owner`. */
const leaveStaff = async ({ execute, nowInLog }: EraseParts, user: string): Promise<boolean> => {
  const commandId = randomUUID();
  const metadata = { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'user', id: user } } as const;
  const { position } = await execute(staff, STAFF, { type: 'LeaveStaff', member: user as MemberId, now: nowInLog() }, metadata);
  return position !== undefined;
};

/** Returns whether another person has used the address since the account left it. The encryption key of the address is then shared. */
const isUsedSince = async (tx: ShopDatabase, subject: string, leftAt: Date): Promise<boolean> => {
  for (const table of LETTERS) {
    const since = tx.selectFrom(table).select('subject').where('subject', '=', subject).where('created_at', '>=', leftAt);
    if (await since.limit(1).executeTakeFirst()) return true;
  }
  return false;
};

/**
 * Deletes what an account sent with former addresses that others use since. Returns the addresses whose keys may go. The answers that staff
 * got are forgotten first, while the rows name them.
 */
const splitShared = async (tx: ShopDatabase, { sealed }: EraseParts, held: readonly HeldEmail[]): Promise<readonly EmailAddress[]> => {
  const own: EmailAddress[] = [];
  for (const { email, leftAt } of held) {
    const subject = await sealed.subjectOf(email);
    if (leftAt === null || !(await isUsedSince(tx, subject, leftAt))) {
      own.push(email);
      continue;
    }
    const older = tx.selectFrom('contact_messages').select('id').where('subject', '=', subject).where('created_at', '<', leftAt);
    const messages = (await older.execute()).map(({ id }) => messageStream(id));
    await forgetAnswers(tx, messages);
    for (const table of LETTERS) await tx.deleteFrom(table).where('subject', '=', subject).where('created_at', '<', leftAt).execute();
  }
  return own;
};

const enlistNow = async (parts: EraseParts, user: string, request: ErasureRequest): Promise<void> => {
  const { db, sealed, store, outbox, now } = parts;
  const known = await findUser({ db, sealed }, user);
  if (!known) return;
  const held = [{ email: known.email, leftAt: null }, ...(await findFormerEmails({ db, sealed }, user))];
  const hadRights = await db.transaction().execute(async (tx) => {
    // The account is locked, so that no visitor becomes this user between this query and the commit.
    const account = await tx.selectFrom('users').select('roles').where('id', '=', user).forUpdate().executeTakeFirst();
    if (!account) return false;
    if (request.who.by === 'admin' && account.roles.length > 0) throw isStaff();
    const askedAt = now();
    const subjects = [user, ...(await findVisitors(tx, { store }, user))];
    await expectNothingOnItsWay(tx, parts, subjects);
    // The last owner stays: then nothing is changed.
    const isLeaving = await leaveStaff(parts, user);
    const emails = await splitShared(tx, parts, held);
    const addresses = await Promise.all(emails.map((each) => sealed.subjectOf(each)));
    await enlist(tx, [{ user, subjects, addresses, recipients: emails.map(outbox.recipientOf), askedAt }]);
    await addAskedEvent(tx, userSubject(user), request, askedAt);
    return isLeaving;
  });
  if (hadRights) await applyRights(parts);
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
  for (const subject of subjects) await addSecurityEvent(tx, { kind: 'erased', subject }, at);
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
    erase: async (user, request) => {
      await mutex('erasure', () => enlistNow(parts, user, request));
      return workOn(user);
    },
    eraseGuest: async (guest, request) => workOn(await mutex('erasure', () => enlistGuest(parts, guest, request))),
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
