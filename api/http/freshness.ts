import { logPosition, maxPosition, START, type Category, type LogPosition } from '#domain/event-store.ts';
import type { Freshness, Progress } from '#projections/reading/progress.ts';

import type { ShopContext, ShopMiddleware } from './context.ts';
import { setCookie } from './cookies.ts';

const TIMEOUT_MS = 2_000;

/** The cookie expires after this many seconds: by then every working read model has applied the event. */
const COOKIE_SECONDS = 600;

const COOKIE = 'pos';
const ONE = /^(product|cart|order|payment|stock)\.(\d{1,20})$/;

type Asking = Pick<ShopContext, 'cookies'>;

type Positions = ReadonlyMap<Category, LogPosition>;
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

const parsePositions = (ctx: Asking): Positions => {
  const told = ctx.cookies.get(COOKIE);
  return told === undefined ? NONE : decode(told);
};

const left = new WeakMap<ShopContext['res'], Positions>();

/** Sets a position for which the browser's queries then wait. */
export const setPosition = (ctx: ShopContext, category: Category, position: LogPosition): void => {
  const positions = new Map(left.get(ctx.res) ?? parsePositions(ctx));
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
export const getRequiredPosition = (ctx: Asking, categories: readonly Category[]): LogPosition => {
  const positions = parsePositions(ctx);
  if (positions === NONE) return START;
  return maxPosition(categories.map((category) => positions.get(category))) ?? START;
};

/**
 * Waits at most 2 s until the read model has this browser's own commands of these categories. Otherwise it sets `X-Stale: true` while it is
 * behind, and `X-Stale: parked` if it stays behind until a parked event is retried.
 */
export const waitForReadModel = (model: FreshnessSource, categories: readonly Category[]): ShopMiddleware => {
  const waitFirst = async (ctx: ShopContext, next: () => Promise<unknown>, newest: LogPosition): Promise<unknown> => {
    const freshness = await model.waitFor(newest, TIMEOUT_MS);
    if (freshness !== 'fresh') ctx.set('X-Stale', freshness === 'parked' ? 'parked' : 'true');
    return next();
  };
  return (ctx, next) => {
    const newest = getRequiredPosition(ctx, categories);
    return newest === START ? next() : waitFirst(ctx, next, newest);
  };
};
