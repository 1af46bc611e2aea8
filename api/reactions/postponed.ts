import { sql } from 'kysely';

import { logPosition, type LogPosition, type Recorded, type StreamName } from '#domain/event-store.ts';
import { messageOf } from '#projections/failures.ts';

import type { ShopDatabase } from '../shop-tables.ts';

/** How a reaction deals with an event that it cannot react to. */
export type Patience = {
  /** Tried again after so long, in ms, which is also how often it is looked whether it is time; then after twice as long, … and in the end every `longest` ms, for ever. */
  readonly first: number;
  readonly longest: number;
  /** An event that failed so often is parked: it needs somebody to look at it. */
  readonly parkedAfter: number;
  /** What takes longer has failed, in ms: it may never come back. */
  readonly within: number;
};

/** Parked after a quarter of an hour; then tried every hour, so that a release that mends it needs nobody to push. */
export const PATIENCE: Patience = { first: 1_000, longest: 3_600_000, parkedAfter: 10, within: 10_000 };

const LONGEST_ERROR = 500;
const BEHIND = 'An earlier event of its stream is postponed';

/** An event to be reacted to later: `error` is why, and is missing where it only stands behind another of its stream. */
export type Postponement = { readonly event: Recorded; readonly error?: unknown };

/** A message of ours or of a library, which may quote what the database refuses. */
const reasonOf = (error: unknown): string => messageOf(error).replaceAll('\0', '').slice(0, LONGEST_ERROR);

const waitAfter = (attempts: number, { first, longest }: Patience): number => Math.min(first * 2 ** (attempts - 1), longest);
const inFuture = (milliseconds: number) => sql<Date>`clock_timestamp() + ${milliseconds} * interval '1 ms'`;

export const postpone = async (
  tx: ShopDatabase,
  reaction: string,
  postponements: readonly Postponement[],
  patience: Patience,
): Promise<void> => {
  if (postponements.length === 0) return;
  const rows = postponements.map(({ event: { stream, position }, error }) => ({
    reaction,
    stream,
    position: String(position),
    attempts: error === undefined ? 0 : 1,
    next_attempt_at: inFuture(error === undefined ? 0 : waitAfter(1, patience)),
    error: error === undefined ? BEHIND : reasonOf(error),
  }));
  await tx
    .insertInto('postponed_reactions')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['reaction', 'stream', 'position']).doNothing())
    .execute();
};

/** Streams with a postponed event: what follows in them is postponed too. */
export const postponedStreams = async (db: ShopDatabase, reaction: string): Promise<ReadonlySet<StreamName>> => {
  const rows = await db.selectFrom('postponed_reactions').select('stream').distinct().where('reaction', '=', reaction).execute();
  // What stands in this column is the name of a stream: `postpone` alone writes it.
  return new Set(rows.map(({ stream }) => stream as StreamName));
};

export type Due = { readonly stream: string; readonly position: LogPosition; readonly attempts: number };

/** Few, since new events wait meanwhile. */
const AT_ONCE = 20;

/** The first postponed event of each stream, where it is time to try it again. */
export const dueNow = async (db: ShopDatabase, reaction: string): Promise<readonly Due[]> => {
  const rows = await db
    .with('next', (q) =>
      q
        .selectFrom('postponed_reactions')
        .distinctOn('stream')
        .select(['stream', 'position', 'attempts', 'next_attempt_at'])
        .where('reaction', '=', reaction)
        .orderBy('stream')
        .orderBy('position'),
    )
    .selectFrom('next')
    .select(['stream', 'position', 'attempts'])
    .where('next_attempt_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('next_attempt_at')
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ position, ...row }) => ({ ...row, position: logPosition(BigInt(position)) }));
};

/** It has happened at last. */
export const forget = async (tx: ShopDatabase, reaction: string, { stream, position }: Due): Promise<void> => {
  await tx
    .deleteFrom('postponed_reactions')
    .where('reaction', '=', reaction)
    .where('stream', '=', stream)
    .where('position', '=', String(position))
    .execute();
};

export const forgetAll = async (tx: ShopDatabase, reaction: string): Promise<void> => {
  await tx.deleteFrom('postponed_reactions').where('reaction', '=', reaction).execute();
};

/** Once more in vain. */
export const postponeAgain = async (
  tx: ShopDatabase,
  reaction: string,
  { stream, position, attempts: before }: Due,
  error: unknown,
  patience: Patience,
): Promise<void> => {
  const attempts = before + 1;
  await tx
    .updateTable('postponed_reactions')
    .set({ attempts, next_attempt_at: inFuture(waitAfter(attempts, patience)), error: reasonOf(error) })
    .where('reaction', '=', reaction)
    .where('stream', '=', stream)
    .where('position', '=', String(position))
    .execute();
};

/** For readiness: how many streams of each reaction are parked. Only the first event of a stream is ever tried. */
export const parkedStreams = async (db: ShopDatabase): Promise<readonly { reaction: string; count: number }[]> => {
  const rows = await db
    .selectFrom('postponed_reactions')
    .select(({ fn }) => ['reaction', fn.countAll<string>().as('count')])
    .where('attempts', '>=', PATIENCE.parkedAfter)
    .groupBy('reaction')
    .orderBy('reaction')
    .execute();
  return rows.map(({ reaction, count }) => ({ reaction, count: Number(count) }));
};
