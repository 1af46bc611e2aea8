import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';

import { readUnlessCut } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { isUuid } from '#domain/shared/ids.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { addSecurityEvent, type From } from '../accounts/security-log.ts';
import { LIFETIMES } from '../accounts/sessions/session-store.ts';
import { isUnreadable } from '../event-store/codec/codec.ts';
import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { HttpError } from '../http/http-error.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { enlist } from './erasures.ts';
import { expectNothingOnItsWay, findOrders, type TraceParts } from './orders-of-subject.ts';

/** Visitors have no account; their personal data are in their orders, encrypted with their own key. */
export type VisitorParts = TraceParts & {
  readonly db: ShopDatabase;
  readonly sealed: Pick<SealedRows, 'subjectOf'>;
  readonly outbox: Pick<Outbox, 'recipientOf'>;
  readonly now: () => Date;
};

export const visitorSubject = (visitor: string): string => `visitor:${visitor}`;

/** Returns users, and visitors who became users: their data are erased with the account. */
const withAccount = async (db: ShopDatabase, subjects: readonly string[]): Promise<ReadonlySet<string>> => {
  const users = await db.selectFrom('users').select('id').where('id', '=', anyOf(subjects)).execute();
  const visitors = await db.selectFrom('visitors').select('visitor_id as id').where('visitor_id', '=', anyOf(subjects)).execute();
  return new Set([...users, ...visitors].map(({ id }) => id));
};

type Made = { readonly order: ExistingOrder; readonly lastAt: number };

/** Returns the visitor's orders from the log, including drafts, without those whose stream was cut, about which `onCut` is called. */
const madeBy = async (parts: TraceParts, visitor: string, onCut?: () => void): Promise<readonly Made[]> => {
  const made: Made[] = [];
  for (const id of await findOrders(parts, [visitor])) {
    const { events } = await readUnlessCut<OrderEvent>(parts.store, orderStream(id), onCut);
    const state = events.reduce(order.evolve, order.initial);
    const last = events.at(-1);
    if (state.status !== 'none' && last) made.push({ order: state, lastAt: Date.parse(last.metadata.recordedAt) });
  }
  return made;
};

/** `who` is the person who asks. The security log keeps it for ever, so its reason must name nobody. */
export type ErasureRequest = {
  readonly from: From;
  readonly who: { readonly by: 'user' | 'guest' } | { readonly by: 'admin'; readonly admin: string; readonly reason: string };
};

export const addAskedEvent = (tx: ShopDatabase, subject: string, { from, who }: ErasureRequest, at: Date): Promise<void> =>
  addSecurityEvent(tx, { kind: 'erasure_asked', subject, ...from, detail: who }, at);

/** A guest may have ordered in several browsers. What belongs to the address `email` goes too, if there is one. */
export type GuestToErase = { readonly visitors: readonly string[]; readonly email?: EmailAddress | undefined };

/**
 * After the commit the visitors will be erased, with all their orders, except those who have an account by now. Throws the 409
 * `order_is_open` while a parcel is on its way, and `has_account` if none is left. Returns the erasure's id.
 */
export const enlistGuest = async (parts: VisitorParts, { visitors, email }: GuestToErase, request: ErasureRequest): Promise<string> => {
  const { db, sealed, outbox, now } = parts;
  const known = await withAccount(db, visitors);
  const subjects = visitors.filter((visitor) => !known.has(visitor));
  const [first] = subjects;
  if (first === undefined)
    throw new HttpError({
      status: 409,
      code: 'has_account',
      message: 'This order belongs to an account. Its owner can erase it in the account; it cannot be erased as the order of a guest.',
    });
  // The same person may order again with this address, and ask again: each erasure of an address needs an id of its own.
  const user = email === undefined ? first : randomUUID();
  const addresses = email === undefined ? [] : [await sealed.subjectOf(email)];
  const recipients = email === undefined ? [] : [outbox.recipientOf(email)];
  await db.transaction().execute(async (tx) => {
    await expectNothingOnItsWay(tx, parts, subjects);
    const askedAt = now();
    await enlist(tx, [{ user, subjects, addresses, recipients, askedAt }]);
    for (const visitor of subjects) await addAskedEvent(tx, visitorSubject(visitor), request, askedAt);
  });
  return user;
};

/** An erasure has at most this many visitors: each waits until no process has the keys cached. */
const AT_ONCE = 100;

const lastVisits = async (db: ShopDatabase, visitors: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('sessions')
    .select(['visitor_id', ({ fn }) => fn.max('seen_at').as('seen_at')])
    .where('visitor_id', '=', anyOf(visitors))
    .groupBy('visitor_id')
    .execute();
  return new Map(rows.map(({ visitor_id, seen_at }) => [visitor_id ?? '', new Date(seen_at).getTime()]));
};

/** The verdict is to erase the key, to check it again at this date, or to keep it until its erasure is requested. */
type Verdict = 'goes' | 'stays' | Date;

const verdictOn = async (parts: VisitorParts, visitor: string, lastVisit: number, at: Date): Promise<Verdict> => {
  let mayHavePlaced = false;
  // Events that were cut may come back from a backup, but a key does not.
  const made = await madeBy(parts, visitor, () => (mayHavePlaced = true));
  if (mayHavePlaced || made.some((each) => each.order.placement !== null)) return 'stays';
  const lastUse = Math.max(lastVisit, ...made.map(({ lastAt }) => lastAt));
  const dies = new Date(lastUse + LIFETIMES.visitor.idle);
  return dies > at ? dies : 'goes';
};

/** Keeps a visitor with an event that cannot be read, since it may belong to an order. */
const staysIfUnreadable = (error: unknown): 'stays' => {
  if (isUnreadable(error)) return 'stays';
  throw error;
};

const noteVerdict = async (tx: ShopDatabase, subject: string, verdict: Verdict): Promise<void> => {
  const look_at = verdict instanceof Date ? verdict : null;
  await tx.updateTable('subject_keys').set({ look_at }).where('subject', '=', subject).execute();
};

/** One process at a time checks. */
const LOCK = sql<boolean>`pg_try_advisory_xact_lock(hashtext('keys of visitors are looked at'))`;

/**
 * Puts at most a hundred visitors on the erasure list who have no account, never placed an order, and whose last visit and last change of a
 * draft are over 30 days ago: no session is left that could place the draft. Returns the number of keys checked; also 0 while another
 * process checks.
 */
export const enlistLapsedVisitors = (parts: VisitorParts, at: Date): Promise<number> =>
  parts.db.transaction().execute(async (tx) => {
    const { locked } = await tx.selectNoFrom(LOCK.as('locked')).executeTakeFirstOrThrow();
    if (!locked) return 0;
    const due = await tx
      .selectFrom('subject_keys')
      .select('subject')
      .where('look_at', '<=', at)
      .where('key', 'is not', null)
      .orderBy('look_at')
      .limit(AT_ONCE)
      .execute();
    // Other subjects are not visitors.
    const named = due.map(({ subject }) => subject).filter(isUuid);
    const known = named.length === 0 ? new Set<string>() : await withAccount(tx, named);
    const visits = named.length === 0 ? new Map<string, number>() : await lastVisits(tx, named);
    const lapsed: string[] = [];
    for (const { subject } of due) {
      const mayGo = isUuid(subject) && !known.has(subject);
      const verdict = mayGo ? await verdictOn(parts, subject, visits.get(subject) ?? 0, at).catch(staysIfUnreadable) : 'stays';
      if (verdict === 'goes') lapsed.push(subject);
      await noteVerdict(tx, subject, verdict);
    }
    if (lapsed.length > 0) await enlist(tx, [{ user: randomUUID(), subjects: lapsed, addresses: [], recipients: [], askedAt: at }]);
    return due.length;
  });
