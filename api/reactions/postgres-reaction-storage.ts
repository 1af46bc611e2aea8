import { CompiledQuery, sql } from 'kysely';

import { logPosition, type LogPosition, type StreamName } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';
import { LEASE_MS } from '#projections/follower/lease.ts';
import { postgresLeases } from '#projections/follower/postgres-leases.ts';

import { insertMails, type Outbox } from '../mail/outbox.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import {
  DUE_AT_ONCE,
  LONGEST_WAIT_MS,
  PARKED_AFTER,
  type ReactionChanges,
  type Due,
  type LeasedReaction,
  type Postponement,
  type ReactionKey,
  type ReactionStorage,
} from './reaction-storage.ts';

const inFuture = (milliseconds: number) => sql<Date>`clock_timestamp() + ${milliseconds} * interval '1 ms'`;
const heldUntil = inFuture(LEASE_MS);

const toColumns = ({ position, eventId, stream, revision }: CheckpointEvent) => ({
  position: String(position),
  event_id: eventId,
  stream: stream ?? null,
  revision: revision ?? null,
});

type Row = {
  position: string;
  event_id: string;
  stream: StreamName | null;
  revision: number | null;
  started_at: string;
  epoch: number;
  handles: string[];
};

const leases = postgresLeases<Row>(
  'shop.reactions',
  ['name'],
  'position, event_id, stream, revision, started_at, epoch, handles',
  (handled) => `handles <@ ${handled}`,
);

/** Runs the statements of the leases with kysely. */
const runOn =
  (db: ShopDatabase) =>
  <Found>({ text, values }: { readonly text: string; readonly values: unknown[] }) =>
    db.executeQuery<Found>(CompiledQuery.raw(text, values));

type Key = Omit<ReactionKey, 'first'>;

/** Keeps the types that only this release handles. The raised epoch ends the turn of a holder that lacks them. */
const keepHandled = (db: ShopDatabase, { name, categories, handles }: Key) =>
  sql`update shop.reactions set epoch = epoch + 1,
      categories = array(select distinct unnest(categories || ${categories}::text[]) order by 1),
      handles = array(select distinct unnest(handles || ${handles}::text[]) order by 1)
    where name = ${name} and not (categories @> ${categories}::text[] and handles @> ${handles}::text[])`.execute(db);

const claimFree = async (db: ShopDatabase, { name, handles }: Key, holder: string): Promise<LeasedReaction | undefined> => {
  const row = await leases.claim(runOn(db), [name], holder, handles);
  if (!row) return undefined;
  const { event_id: eventId, stream, revision, epoch } = row;
  const place = { position: logPosition(BigInt(row.position)), eventId, ...(stream && { stream }), ...(revision !== null && { revision }) };
  const lacks = row.handles.filter((type) => !handles.includes(type));
  return { name, holder, place, startedAt: logPosition(BigInt(row.started_at)), epoch, lacks };
};

const isKnown = async (db: ShopDatabase, name: string): Promise<boolean> =>
  (await db.selectFrom('reactions').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;

const beginAt = async (db: ShopDatabase, { name, categories, handles }: Key, place: CheckpointEvent): Promise<void> => {
  await db
    .insertInto('reactions')
    .values({ name, ...toColumns(place), started_at: String(place.position), categories: [...categories], handles: [...handles] })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};

/**
 * Moves the checkpoint and inserts the mails into the outbox in one statement. Returns false and changes nothing if the checkpoint differs
 * from `held`.
 */
const moveAndPut = async (
  db: ShopDatabase,
  { name, holder, place: from, epoch }: LeasedReaction,
  { place, mails = [] }: ReactionChanges,
  outbox: Pick<Outbox, 'row'>,
): Promise<boolean> => {
  const letters = mails.map(({ cause, mail }) => outbox.row(cause, mail));
  const putting = sql`, put as (${insertMails(db, letters, sql<boolean>`exists (select from moved)`)})`;
  const { rows } = await sql`with moved as (
      update shop.reactions
      set position = ${String(place.position)}, event_id = ${place.eventId}, stream = ${place.stream ?? null}, revision = ${place.revision ?? null},
        held_until = ${heldUntil}
      where name = ${name} and position = ${String(from.position)} and event_id = ${from.eventId} and holder = ${holder} and epoch = ${epoch}
      returning name
    )${letters.length > 0 ? putting : sql``} select name from moved`.execute(db);
  return rows.length > 0;
};

const toRow = (reaction: string, { stream, position, attempts, wait, error }: Postponement) => ({
  reaction,
  stream,
  position: String(position),
  attempts,
  next_attempt_at: inFuture(wait),
  error,
});

const postpone = async (tx: ShopDatabase, name: string, postponed: readonly Postponement[]): Promise<void> => {
  if (postponed.length === 0) return;
  await tx
    .insertInto('postponed_reactions')
    .values(postponed.map((each) => toRow(name, each)))
    .onConflict((conflict) => conflict.columns(['reaction', 'stream', 'position']).doNothing())
    .execute();
};

const postponeAgain = async (tx: ShopDatabase, name: string, failed: Postponement): Promise<void> => {
  const { attempts, next_attempt_at, error } = toRow(name, failed);
  await tx
    .updateTable('postponed_reactions')
    .set({ attempts, next_attempt_at, error })
    .where('reaction', '=', name)
    .where('stream', '=', failed.stream)
    .where('position', '=', String(failed.position))
    .execute();
};

const forget = async (tx: ShopDatabase, name: string, done?: Due): Promise<void> => {
  let rows = tx.deleteFrom('postponed_reactions').where('reaction', '=', name);
  if (done) rows = rows.where('stream', '=', done.stream).where('position', '=', String(done.position));
  await rows.execute();
};

/** Nearly every commit is a single statement. The others are a transaction, which the server ends if this process hangs in the middle. */
const write = async (db: ShopDatabase, held: LeasedReaction, changes: ReactionChanges, outbox: Pick<Outbox, 'row'>): Promise<boolean> => {
  const { postponed = [], failedAgain, done, forgetsPostponed = false } = changes;
  const isPlain = postponed.length === 0 && !failedAgain && !done && !forgetsPostponed;
  if (isPlain) return moveAndPut(db, held, changes, outbox);
  return db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LEASE_MS)}`.execute(tx);
    if (!(await moveAndPut(tx, held, changes, outbox))) return false;
    if (forgetsPostponed) await forget(tx, held.name);
    if (done) await forget(tx, held.name, done);
    if (failedAgain) await postponeAgain(tx, held.name, failedAgain);
    await postpone(tx, held.name, postponed);
    return true;
  });
};

const dueNow = async (db: ShopDatabase, name: string): Promise<readonly Due[]> => {
  const rows = await db
    .with('next', (q) =>
      q
        .selectFrom('postponed_reactions')
        .distinctOn('stream')
        .select(['stream', 'position', 'attempts', 'next_attempt_at'])
        .where('reaction', '=', name)
        .orderBy('stream')
        .orderBy('position'),
    )
    .selectFrom('next')
    .select(['stream', 'position', 'attempts'])
    // A time that lies further ahead than the longest wait was set before the clock of the database was set back.
    .where(({ eb, or }) => or([eb('next_attempt_at', '<=', inFuture(0)), eb('next_attempt_at', '>', inFuture(2 * LONGEST_WAIT_MS))]))
    .orderBy('next_attempt_at')
    .limit(DUE_AT_ONCE)
    .execute();
  return rows.map(({ stream, position, attempts }) => ({ stream, position: logPosition(BigInt(position)), attempts }));
};

/**
 * Stores reactions in `shop.reactions` and `shop.postponed_reactions`. A mail is queued in the transaction that marks its event as handled,
 * and is sent immediately.
 */
export const postgresReactions = (db: ShopDatabase, outbox: Pick<Outbox, 'row' | 'wake'>): ReactionStorage => ({
  claim: async (key, holder) => {
    await keepHandled(db, key);
    const held = await claimFree(db, key, holder);
    if (held || (await isKnown(db, key.name))) return held;
    await beginAt(db, key, await key.first());
    return claimFree(db, key, holder);
  },

  renew: ({ name }, holder) => leases.renew(runOn(db), [name], holder),

  release: ({ name }, holder) => leases.release(runOn(db), [name], holder),

  commit: async (_, held, changes) => {
    if (!(await write(db, held, changes, outbox))) throw new Superseded(`${held.name} is no longer at ${held.place.position}`);
    if (changes.mails?.length) outbox.wake();
    return { ...held, place: changes.place };
  },

  postponedStreams: async (name) => {
    const rows = await db.selectFrom('postponed_reactions').select('stream').distinct().where('reaction', '=', name).execute();
    return new Set<StreamName>(rows.map(({ stream }) => stream));
  },

  dueNow: (name) => dueNow(db, name),

  retryNow: async (name) => {
    await db
      .updateTable('postponed_reactions')
      .set({ next_attempt_at: inFuture(0) })
      .where('reaction', '=', name)
      .execute();
  },
});

/** Prevents reactions from writing what they have made so far: they read its events again. */
export const supersedeReactions = async (db: ShopDatabase): Promise<void> => {
  await db
    .updateTable('reactions')
    .set(({ eb }) => ({ epoch: eb('epoch', '+', 1) }))
    .execute();
};

export type ReactionProgress = Pick<ReactionKey, 'name' | 'categories'> & {
  readonly position: LogPosition;
  readonly isFollowed: boolean;
};

/** Returns how far each reaction has handled the log, and whether a process holds its lease, for readiness and metrics. */
export const reactionsProgress = async (db: ShopDatabase): Promise<readonly ReactionProgress[]> => {
  const rows = await db
    .selectFrom('reactions')
    .select(['name', 'categories', 'position'])
    .select(({ and, eb }) => and([eb('holder', 'is not', null), eb('held_until', '>', inFuture(0))]).as('isFollowed'))
    .orderBy('name')
    .execute();
  return rows.map(({ position, isFollowed, ...row }) => ({
    ...row,
    position: logPosition(BigInt(position)),
    isFollowed: Boolean(isFollowed),
  }));
};

/** Returns the number of parked streams of each reaction, for readiness. Only the first event of a stream is ever retried. */
export const parkedStreams = async (db: ShopDatabase): Promise<readonly { reaction: string; count: number }[]> => {
  const rows = await db
    .selectFrom('postponed_reactions')
    .select(({ fn }) => ['reaction', fn.countAll<string>().as('count')])
    .where('attempts', '>=', PARKED_AFTER)
    .groupBy('reaction')
    .orderBy('reaction')
    .execute();
  return rows.map(({ reaction, count }) => ({ reaction, count: Number(count) }));
};
