import { START, type LogPosition } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import type { Progress } from './progress.ts';
import type { Projector } from '../engine/define-projector.ts';

/** What a question is asked of. */
type Queryable = Pick<ReadDatabase, 'pool'>;

/** Where questions about read models are asked. */
export type ReadRouter = {
  /**
   * Asks what has to show everything that the read model has applied up to a position: of the replica if that has come so far, else of the
   * primary. Whatever goes wrong at the replica is asked of the primary again.
   */
  ask<Answer>(model: Projector, position: LogPosition, question: (of: Queryable) => Promise<Answer>): Promise<Answer>;
};

type Parts = {
  readonly primary: Queryable;
  readonly replica: Queryable;
  /** How far the read models are at the primary. */
  readonly progress: Pick<Progress, 'position'>;
  readonly onAsked?: (of: 'primary' | 'replica') => void;
  readonly onTrouble?: (error: unknown) => void;
  /** How old an answer may be, beside what its asker must see, in milliseconds; at most twice that. */
  readonly oldest?: number;
};

/** Everything is asked of the one database that there is. */
export const primaryOnly = (primary: Queryable): ReadRouter => ({ ask: (_, __, question) => question(primary) });

/** A replica that failed is left alone for so long, in milliseconds. */
const LEFT_ALONE = 2_000;
const OLDEST = 10_000;

const STANDING = `select position from read.checkpoints where (model, version, slot) = ($1, $2, 'live') and built_at is not null`;

/** Where the primary was a while ago: a replica that is further behind does not follow any more, or too slowly to be asked. */
const pastOf = (progress: Pick<Progress, 'position'>, oldest: number) => {
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

/**
 * A replica of the database beside the primary. Where it stands is asked of itself before each question: it only ever goes
 * forward, so what it had a moment ago it has.
 */
export const withReplica = ({ primary, replica, progress, onAsked, onTrouble, oldest = OLDEST }: Parts): ReadRouter => {
  const past = pastOf(progress, oldest);
  let awayUntil = -Infinity;

  const hasReached = async ({ name, version }: Projector, position: LogPosition): Promise<boolean> => {
    const { rows } = await replica.pool.query<{ position: bigint }>({ name: 'standing', text: STANDING, values: [name, version] });
    const [standing] = rows;
    return standing !== undefined && standing.position >= position && standing.position >= past(name);
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
