import { logPosition, maxPosition, START, type Category, type Feed, type LogPosition } from '#domain/event-store.ts';
import type { Freshness, Progress } from '#projections/reading/progress.ts';

import { batcher } from '../platform/batcher.ts';
import { withTimeout } from '../platform/retry.ts';
import type { Positions, RequestWaits, ShopContext, ShopMiddleware } from './context.ts';
import { setCookie } from './cookies.ts';
import { unavailable } from './http-error.ts';
import { withoutPlace } from './load-shedding.ts';

/** All waits of a request end after this many ms. */
const TIMEOUT_MS = 2_000;

/** This many requests of a process wait at once. Further ones are answered immediately, as stale. */
const MOST_WAITING = 1_000;

/** The cookie expires after this many seconds: by then every working read model has applied the event. */
const COOKIE_SECONDS = 600;

const COOKIE = 'pos';
const ONE = /^(product|cart|order|payment|stock|review|message)\.(\d{1,20})$/;

const NONE: Positions = new Map();

const decode = (text: string): Positions => {
  const positions = new Map<Category, LogPosition>();
  for (const part of text.split('~')) {
    const [, category, position] = ONE.exec(part) ?? [];
    // The cast is safe: the pattern lists the categories.
    if (category && position) positions.set(category as Category, logPosition(BigInt(position)));
  }
  return positions;
};

const encode = (positions: Positions): string => [...positions].map(([category, position]) => `${category}.${position}`).join('~');

/** The end of each category in the log, as far as this process has seen it. */
class SeenLog {
  readonly #seen = new Map<Category, LogPosition>();
  readonly #ask: (category: Category) => Promise<LogPosition>;

  /** Requests share a query, so that forged positions are not many queries. */
  constructor({ head }: Pick<Feed, 'head'>) {
    this.#ask = batcher(async (wanted: readonly Category[]) => {
      const heads = new Map([...new Set(wanted)].map((category) => [category, head([category])]));
      return Promise.all(wanted.map((category) => heads.get(category) ?? START));
    });
  }

  has = (category: Category, position: LogPosition): boolean => position <= (this.#seen.get(category) ?? START);

  note(category: Category, position: LogPosition): void {
    if (!this.has(category, position)) this.#seen.set(category, position);
  }

  /** Returns the position, or the end of the log if the position lies beyond it. */
  async clamp([category, position]: readonly [Category, LogPosition]): Promise<readonly [Category, LogPosition]> {
    if (!this.has(category, position)) this.note(category, await this.#ask(category));
    return [category, this.has(category, position) ? position : (this.#seen.get(category) ?? START)];
  }
}

/**
 * Believes the cookie only as far as the log reaches, so that nobody waits for a position that is made up. If the log does not say in time
 * how far it reaches, the cookie counts.
 */
export const limitWaits = (store: Pick<Feed, 'head'>, most = MOST_WAITING): ShopMiddleware => {
  const seen = new SeenLog(store);
  let waiting = 0;

  const requestWaits = (ctx: ShopContext): RequestWaits => {
    let end: number | undefined;
    const wait = async <Result>(work: (milliseconds: number) => Promise<Result>): Promise<Result> => {
      const deadline = (end ??= performance.now() + TIMEOUT_MS);
      if (waiting >= most) return work(0);
      waiting += 1;
      try {
        return await withoutPlace(ctx, () => work(Math.max(0, deadline - performance.now())), { isBounded: true });
      } finally {
        waiting -= 1;
      }
    };
    return { seen, wait };
  };

  const clamp = async (told: Positions, milliseconds: number): Promise<Positions> => {
    const clamped = Promise.all([...told].map((each) => seen.clamp(each)));
    try {
      return new Map(await withTimeout(milliseconds, () => new Error('The log does not answer'), clamped));
    } catch {
      return told;
    }
  };

  const believe = async (ctx: ShopContext, next: () => Promise<unknown>, told: Positions, waits: RequestWaits): Promise<unknown> => {
    ctx.state.positions = await waits.wait((milliseconds) => clamp(told, milliseconds));
    return next();
  };

  return (ctx, next) => {
    const waits = (ctx.state.waits = requestWaits(ctx));
    const cookie = ctx.cookies.get(COOKIE);
    const told = cookie === undefined ? NONE : decode(cookie);
    ctx.state.positions = told;
    return [...told].every(([category, position]) => seen.has(category, position)) ? next() : believe(ctx, next, told, waits);
  };
};

const left = new WeakMap<ShopContext['res'], Positions>();

/** Sets a position for which the browser's queries then wait. */
export const setPosition = (ctx: ShopContext, category: Category, position: LogPosition): void => {
  ctx.state.waits?.seen.note(category, position);
  const positions = new Map(left.get(ctx.res) ?? ctx.state.positions ?? NONE);
  if ((positions.get(category) ?? START) < position) positions.set(category, position);
  left.set(ctx.res, positions);
  setCookie(ctx, COOKIE, encode(positions), { maxAge: COOKIE_SECONDS * 1_000, isSecure: ctx.secure });
};

/** Returns an empty text if the response sets no position cookie. */
export const getPositions = (ctx: ShopContext): string => encode(left.get(ctx.res) ?? NONE);

export const setPositions = (ctx: ShopContext, positions: string): void => {
  for (const [category, position] of decode(positions)) setPosition(ctx, category, position);
};

/** The read model may be in Postgres or in memory. */
export type FreshnessSource = {
  waitFor(position: LogPosition, milliseconds: number): Promise<Freshness>;
};

export const readModel = (progress: Pick<Progress, 'waitFor'>, name: string): FreshnessSource => ({
  waitFor: (position, milliseconds) => progress.waitFor(name, position, milliseconds),
});

/** Returns the newest position of this browser's own commands, which the response must show. */
export const getRequiredPosition = ({ state }: Pick<ShopContext, 'state'>, categories: readonly Category[]): LogPosition =>
  maxPosition(categories.map((category) => state.positions?.get(category))) ?? START;

/** Runs `work` with the time that is left for all waits of the request. Meanwhile the request takes no place in the process. */
export const waitInRequest = <Result>(
  { state }: Pick<ShopContext, 'state'>,
  work: (milliseconds: number) => Promise<Result>,
): Promise<Result> => (state.waits ? state.waits.wait(work) : work(TIMEOUT_MS));

/**
 * Waits at most 2 s until the read model has this browser's own commands of these categories. Otherwise it sets `X-Stale: true` while it is
 * behind, and `X-Stale: parked` if it stays behind until a parked event is retried. The waits of a request for several read models end
 * together.
 */
export const waitForReadModel = (model: FreshnessSource, categories: readonly Category[]): ShopMiddleware => {
  const waitFirst = async (ctx: ShopContext, next: () => Promise<unknown>, newest: LogPosition): Promise<unknown> => {
    const freshness = await waitInRequest(ctx, (milliseconds) => model.waitFor(newest, milliseconds));
    if (freshness !== 'fresh') ctx.set('X-Stale', freshness === 'parked' ? 'parked' : 'true');
    return next();
  };
  return (ctx, next) => {
    const newest = getRequiredPosition(ctx, categories);
    return newest === START ? next() : waitFirst(ctx, next, newest);
  };
};

/** Waits at most 2 s during the first build, and throws a 503 while the tables are being built. */
export const requireReadModel =
  (progress: Pick<Progress, 'isBuilt' | 'waitFor'>, model: string): ShopMiddleware =>
  async (ctx, next) => {
    const isThere =
      progress.isBuilt(model) || (await waitInRequest(ctx, (milliseconds) => progress.waitFor(model, START, milliseconds))) !== 'stale';
    if (!isThere) throw unavailable('This is still being prepared. Please try again in a moment.');
    return next();
  };
