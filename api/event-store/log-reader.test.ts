import { expect, test } from 'vitest';

import { EventStoreUnavailable, logPosition, START, type Category, type LogPosition, type Recorded } from '#domain/event-store.ts';

import { logReader, type TailSource } from './log-reader.ts';
import { polledTail } from './polled-tail.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';

const ALL = ['product', 'cart', 'order'] as const satisfies readonly Category[];

const aLog = () => {
  const log: Recorded[] = [];
  const appended = new WakeSignal();
  const reads = { pages: 0, tails: 0 };
  let tails = 0;
  let time = 0;
  let trouble: (() => Error) | undefined;
  const pageOf = async (after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]> => {
    if (trouble) throw trouble();
    return log.filter(({ position, stream }) => position > after && categories.some((each) => stream.startsWith(each))).slice(0, limit);
  };
  const source: TailSource = {
    page: (...asked) => {
      reads.pages += 1;
      return pageOf(...asked);
    },
    end: async () => log.at(-1)?.position ?? START,
    tail: async function* (after, until) {
      reads.tails += 1;
      const page = (from: LogPosition, limit: number) => pageOf(from, limit, ALL);
      tails += 1;
      until.addEventListener('abort', () => (tails -= 1));
      for await (const stretch of polledTail({ page, appended, pollEvery: 60_000, apart: 0 }, after, until))
        yield { ...stretch, readAt: time };
    },
  };
  const append = (...categories: readonly Category[]): void => {
    for (const category of categories) {
      const position = logPosition(BigInt(log.length + 1));
      const event: Pick<Recorded, 'stream' | 'position'> = { stream: category === 'tax' ? 'tax' : `${category}-1`, position };
      log.push(event as Recorded);
    }
    appended.notify();
  };
  return {
    append,
    reads,
    tails: () => tails,
    reader: logReader(source, { mostKept: 4, page: 3, now: () => time }),
    pass: (milliseconds: number) => (time += milliseconds),
    fails: (error?: () => Error) => (trouble = error),
  };
};

type Log = ReturnType<typeof aLog>;

const followerOf = ({ reader }: Log, categories: readonly Category[], after: LogPosition = START) => {
  const leave = new AbortController();
  const pages = reader.follow(after, categories, leave.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<number[] | 'end'> => {
    const { done, value } = await pages.next();
    return done ? 'end' : value.map(({ position }: Recorded) => Number(position));
  };
  const upTo = async (position: number): Promise<number[]> => {
    const seen: number[] = [];
    while ((seen.at(-1) ?? 0) < position) {
      const page = await next();
      if (page === 'end') break;
      seen.push(...page);
    }
    return seen;
  };
  return { next, upTo, leave: () => leave.abort() };
};

/** Returns two followers of orders that have had the first event. */
const twoFollowers = async (log: Log) => {
  const both = [followerOf(log, ['order']), followerOf(log, ['order'])] as const;
  const first = both.map(({ next }) => next());
  log.append('order');
  expect(await Promise.all(first)).toEqual([[1], [1]]);
  return both;
};

test('existing events are read in pages; new ones are read once and given to all followers of their category', async () => {
  const log = aLog();
  log.append('order', 'cart', 'order', 'order', 'order');
  const [orders, carts, both] = [followerOf(log, ['order']), followerOf(log, ['cart']), followerOf(log, ['cart', 'order'])];
  expect([await orders.upTo(5), await carts.upTo(2), await both.upTo(5)]).toEqual([[1, 3, 4, 5], [2], [1, 2, 3, 4, 5]]);

  const { pages } = log.reads;
  const awaited = [orders.next(), carts.next(), both.next()];
  log.append('order', 'cart');
  expect(await Promise.all(awaited)).toEqual([[6], [7], [6, 7]]);
  log.append('order');
  expect([await orders.next(), await both.next()]).toEqual([[8], [8]]);
  expect(log.reads).toEqual({ pages, tails: 1 });
  for (const each of [orders, carts, both]) each.leave();
});

test('a slow follower delays no other: it reads what it missed by itself, then joins the tail again', async () => {
  const log = aLog();
  const [quick, slow] = await twoFollowers(log);
  for (let position = 2; position <= 12; position++) {
    const awaited = quick.next();
    log.append('order');
    expect(await awaited).toEqual([position]);
  }
  const before = log.reads.pages;
  expect(await slow.upTo(12)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(log.reads.pages).toBeGreaterThan(before);

  const caughtUp = log.reads.pages;
  const awaited = [quick.next(), slow.next()];
  log.append('order');
  expect(await Promise.all(awaited)).toEqual([[13], [13]]);
  expect(log.reads.pages).toBe(caughtUp);
  for (const each of [quick, slow]) each.leave();
});

test('events that were decoded too long ago are read again for late followers', async () => {
  const log = aLog();
  const [quick, slow] = await twoFollowers(log);
  for (const position of [2, 3]) {
    const awaited = quick.next();
    log.append('order');
    expect(await awaited).toEqual([position]);
    const { pages } = log.reads;
    if (position === 3) log.pass(251);
    expect(await slow.next()).toEqual([position]);
    expect(log.reads.pages - pages).toBe(position === 3 ? 1 : 0);
  }
  for (const each of [quick, slow]) each.leave();
});

test('a follower that joins during a burst misses nothing and gets no duplicates', async () => {
  const log = aLog();
  const early = followerOf(log, ALL);
  const followers = [early.upTo(40)];
  for (let round = 0; round < 20; round++) {
    log.append('order', 'cart');
    if (round % 5 === 2) followers.push(followerOf(log, ['order', 'cart']).upTo(40));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const everything = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(await Promise.all(followers)).toEqual(followers.map(() => everything));
});

test('tail and catch-up both survive an outage', async () => {
  const log = aLog();
  const follower = followerOf(log, ['order']);
  const awaited = follower.next();
  log.append('order');
  expect(await awaited).toEqual([1]);
  let failures = 0;
  log.fails(() => {
    if (++failures === 2) log.fails();
    return new EventStoreUnavailable('away');
  });
  const late = followerOf(log, ['order']);
  const both = [follower.next(), late.upTo(2)];
  log.append('order');
  expect(await Promise.all(both)).toEqual([[2], [1, 2]]);
  expect(failures).toBe(2);
  for (const each of [follower, late]) each.leave();
});

test('an unreadable log ends all followers with its error, and later followers start again', async () => {
  const log = aLog();
  const followers = [followerOf(log, ['order']), followerOf(log, ['cart'])];
  const awaited = followers.map((each) => expect(each.next()).rejects.toThrow('incomplete'));
  await new Promise((resolve) => setImmediate(resolve));
  log.fails(() => new Error('incomplete'));
  log.append('order');
  await Promise.all(awaited);
  log.fails();
  const anew = followerOf(log, ['order']);
  expect(await anew.next()).toEqual([1]);
  expect(log.reads.tails).toBe(2);
  anew.leave();
});

test('the tail ends with its last follower, and starts again with the next', async () => {
  const log = aLog();
  const [one, other] = await twoFollowers(log);
  expect(log.tails()).toBe(1);
  const ending = [one.next(), other.next()];
  one.leave();
  expect(await ending[0]).toBe('end');
  expect(log.tails()).toBe(1);
  other.leave();
  expect(await ending[1]).toBe('end');
  expect(log.tails()).toBe(0);

  log.append('order');
  const next = followerOf(log, ['order'], logPosition(1n));
  expect(await next.next()).toEqual([2]);
  expect(log.reads.tails).toBe(2);
  next.leave();
});
