import { EventStoreUnavailable, logPosition, START, type Feed, type LogPosition } from '#domain/event-store.ts';

import type { Bell } from '../event-store/bell.ts';
import { categoryOf } from '../event-store/stored-event.ts';
import type { Shop } from '../open-shop.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** How often of a hundred times something goes wrong. */
export type Odds = {
  /** What is asked never arrives. */
  readonly lost: number;
  /** It is done, and the answer never arrives. */
  readonly unanswered: number;
  /** A follower is handed fewer events than there are, or none yet. */
  readonly late: number;
  /** A follower is handed events once more. */
  readonly twice: number;
  /** A process is killed, of a thousand steps. */
  readonly killed: number;
};

export const ALL_IS_WELL: Odds = { lost: 0, unanswered: 0, late: 0, twice: 0, killed: 0 };

/** Asks something of store or database. In between anything else may happen, and the wire may break before it was done, or after. */
export type Wire = <Answer>(what: string, work: () => Answer | Promise<Answer>) => Promise<Answer>;

type Parts = { readonly scheduler: Scheduler; readonly odds: () => Odds };

/** What a broken connection to the database is to whoever had it. */
const connectionLost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

export const wireOf = ({ scheduler, odds }: Parts, life: Life, broken: () => Error = connectionLost): Wire => {
  const happens = (times: number): boolean => times > 0 && scheduler.chance.upTo(100) < times;
  return async (what, work) => {
    await scheduler.turn(life, `asks to ${what}`);
    if (happens(odds().lost)) {
      await scheduler.turn(life, `cannot ${what}`);
      throw broken();
    }
    const answer = await Promise.resolve(work()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const isUnanswered = happens(odds().unanswered);
    await scheduler.turn(life, isUnanswered ? `never hears whether it did ${what}` : `hears of ${what}`);
    if (isUnanswered) throw broken();
    if ('error' in answer) throw answer.error;
    return answer.value;
  };
};

const unavailable = (): Error => new EventStoreUnavailable('No answer in time');

/** The store at the other end of a wire. */
/** Has the bell rung for every append that was done, whether or not its writer hears of it. */
export const wiredStore = (store: Shop['store'], bell: Pick<Bell, 'ring'>, parts: Parts, life: Life): Shop['store'] => {
  const wire = wireOf(parts, life, unavailable);
  return {
    read: (stream, after) => wire(`read ${stream}`, () => store.read(stream, after)),
    append: (stream, expected, events, metadata) => {
      const types = events.map(({ type }) => type).join(', ');
      return wire(`append ${types} to ${stream} after ${expected.revision}`, async () => {
        const appended = await store.append(stream, expected, events, metadata);
        bell.ring([categoryOf(stream)]);
        return appended;
      });
    },
    page: (after, limit, categories) => wire(`read on after ${after}`, () => store.page(after, limit, categories)),
    at: (position) => wire(`look at ${position}`, () => store.at(position)),
    // By the page alone: whether to wait for more is for the scheduler to say.
    follow: () => {
      throw new Error('Nothing in a simulation follows by itself');
    },
    storedStream: (...asked) => wire(`look at what is kept of ${asked[0]}`, () => store.storedStream(...asked)),
    storedPage: (...asked) => wire(`look at what is kept after ${asked[0]}`, () => store.storedPage(...asked)),
    close: () => Promise.resolve(),
    head: (categories) => wire(`look for the head of ${categories.join(', ')}`, () => store.head(categories)),
  };
};

/** So far back is delivered again at most, in positions. */
const FARTHEST_BACK = 6;

/** The same as followers see it: later than it could be, and some of it more than once. */
export const restlessPages = (store: Pick<Feed, 'page'>, { scheduler: { chance }, odds }: Parts): Feed['page'] => {
  const happens = (times: number): boolean => times > 0 && chance.upTo(100) < times;
  return async (after, limit, categories) => {
    const back = happens(odds().twice) ? BigInt(1 + chance.upTo(FARTHEST_BACK)) : 0n;
    const from: LogPosition = after > back ? logPosition(after - back) : START;
    const page = await store.page(from, limit, categories);
    return happens(odds().late) ? page.slice(0, chance.upTo(page.length + 1)) : page;
  };
};
