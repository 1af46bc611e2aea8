import { START, type LogPosition } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import { findBuilt } from '../storage/status.ts';
import type { Progress } from './progress.ts';
import type { Projector } from '../engine/define-projector.ts';

type Queryable = Pick<ReadDatabase, 'db'>;

export type ReadRouter = {
  /** Queries the replica if it has reached the position; otherwise, or if the replica fails, the primary. */
  ask<Answer>(model: Projector, position: LogPosition, question: (of: Queryable) => Promise<Answer>): Promise<Answer>;
};

type Parts = {
  readonly primary: Queryable;
  readonly replica: Queryable;
  readonly progress: Pick<Progress, 'position' | 'epoch'>;
  readonly onAsked?: (of: 'primary' | 'replica') => void;
  readonly onTrouble?: (error: unknown) => void;
  /**
   * The maximum age in ms of an answer from the replica, apart from the position that it must have. An answer may be up to twice as old.
   */
  readonly oldest?: number;
};

/** Runs every query on the primary, if there is no replica. */
export const primaryOnly = (primary: Queryable): ReadRouter => ({ ask: (_, __, question) => question(primary) });

/** The replica is not used for this many ms after an error. */
const LEFT_ALONE = 2_000;
const OLDEST = 10_000;

/** Returns the primary's position some time ago. A replica that is further behind has stopped following, or is too slow. */
const trackPast = (progress: Pick<Progress, 'position'>, oldest: number) => {
  type Looked = { readonly at: number; readonly position: LogPosition };
  const looks = new Map<string, { before: Looked; last: Looked }>();
  return (model: string): LogPosition => {
    const now = { at: performance.now(), position: progress.position(model) };
    const { before, last } = looks.get(model) ?? { before: { at: now.at, position: START }, last: now };
    const look = now.at - last.at > oldest ? { before: last, last: now } : { before, last };
    looks.set(model, look);
    return look.before.position;
  };
};

/** The replica's position and epoch are read before each query: they never go back, so the query sees them. */
export const withReplica = ({ primary, replica, progress, onAsked, onTrouble, oldest = OLDEST }: Parts): ReadRouter => {
  const past = trackPast(progress, oldest);
  let awayUntil = -Infinity;

  const hasReached = async ({ name, version }: Projector, position: LogPosition): Promise<boolean> => {
    const [checkpoint] = await findBuilt(replica.db, { name, version });
    if (!checkpoint || checkpoint.epoch < progress.epoch(name)) return false;
    return checkpoint.position >= position && checkpoint.position >= past(name);
  };

  const fromReplica = async <Answer>(model: Projector, position: LogPosition, question: (of: Queryable) => Promise<Answer>) => {
    if (performance.now() < awayUntil) return undefined;
    try {
      return (await hasReached(model, position)) ? { answer: await question(replica) } : undefined;
    } catch (error) {
      awayUntil = performance.now() + LEFT_ALONE;
      onTrouble?.(error);
      return undefined;
    }
  };

  return {
    ask: async (model, position, question) => {
      const found = await fromReplica(model, position, question);
      onAsked?.(found ? 'replica' : 'primary');
      return found ? found.answer : question(primary);
    },
  };
};
