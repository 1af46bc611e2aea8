import { logPosition, newestOf, START, type Category, type LogPosition } from '#domain/event-store.ts';
import type { Freshness, Progress } from '#projections/reading/progress.ts';

import type { ShopContext, ShopMiddleware } from './context.ts';
import { leaveCookie } from './cookies.ts';

/** In ms. */
const TIMEOUT_MS = 2_000;

/** In seconds: by then every working read model has applied it. */
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
    // The pattern names the categories.
    if (category && position) positions.set(category as Category, logPosition(BigInt(position)));
  }
  return positions;
};

const encode = (positions: Positions): string => [...positions].map(([category, position]) => `${category}.${position}`).join('~');

/** Of this browser's own commands. */
const positionsOf = (ctx: Asking): Positions => {
  const told = ctx.cookies.get(COOKIE);
  return told === undefined ? NONE : decode(told);
};

const left = new WeakMap<ShopContext['res'], Positions>();

/** The browser's queries then wait for this position. */
export const leavePosition = (ctx: ShopContext, category: Category, position: LogPosition): void => {
  const positions = new Map(left.get(ctx.res) ?? positionsOf(ctx));
  if ((positions.get(category) ?? START) < position) positions.set(category, position);
  left.set(ctx.res, positions);
  leaveCookie(ctx, COOKIE, encode(positions), { maxAge: COOKIE_SECONDS * 1_000, isSecure: ctx.secure });
};

/** Empty if the answer sets no position cookie. */
export const positionsLeft = (ctx: ShopContext): string => encode(left.get(ctx.res) ?? NONE);

/** For a repeated answer. */
export const leavePositions = (ctx: ShopContext, positions: string): void => {
  for (const [category, position] of decode(positions)) leavePosition(ctx, category, position);
};

/** In Postgres or in memory. */
export type FreshnessSource = {
  waitFor(position: LogPosition, milliseconds: number): Promise<Freshness>;
};

export const readModel = (progress: Pick<Progress, 'waitFor'>, name: string): FreshnessSource => ({
  waitFor: (position, milliseconds) => progress.waitFor(name, position, milliseconds),
});

/** Of this browser's own commands, which an answer must show. */
export const positionNeeded = (ctx: Asking, categories: readonly Category[]): LogPosition => {
  const positions = positionsOf(ctx);
  if (positions === NONE) return START;
  return newestOf(categories.map((category) => positions.get(category))) ?? START;
};

/**
 * Waits until the read model has this browser's own commands of these categories, 2 s at most. `X-Stale: true`: it is still behind;
 * `X-Stale: parked`: it stays behind until a parked event is retried.
 */
export const fresh = (model: FreshnessSource, categories: readonly Category[]): ShopMiddleware => {
  const waitFirst = async (ctx: ShopContext, next: () => Promise<unknown>, newest: LogPosition): Promise<unknown> => {
    const freshness = await model.waitFor(newest, TIMEOUT_MS);
    if (freshness !== 'fresh') ctx.set('X-Stale', freshness === 'parked' ? 'parked' : 'true');
    return next();
  };
  return (ctx, next) => {
    const newest = positionNeeded(ctx, categories);
    return newest === START ? next() : waitFirst(ctx, next, newest);
  };
};
