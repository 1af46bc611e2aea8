import type { IncomingMessage } from 'node:http';

import { logPosition, START, type Category, type LogPosition } from '#domain/event-store.ts';
import type { Freshness, Progress } from '#projections/reading/progress.ts';

import type { ShopContext, ShopMiddleware } from './context.ts';
import { cookieIn, leaveCookie } from './cookies.ts';

/** How long a query waits for its read model at most, in milliseconds. */
const PATIENCE = 2_000;

/** How long a browser remembers, in seconds; by then every read model that is at work has long applied it. */
const REMEMBERED = 600;

const COOKIE = 'pos';
const ONE = /^(product|cart|order)\.(\d{1,20})$/;

/** The head of a request, with its cookies. */
type Asking = Pick<IncomingMessage, 'headers'>;

type Positions = ReadonlyMap<Category, LogPosition>;
const NONE: Positions = new Map();

const decode = (text: string): Positions => {
  const positions = new Map<Category, LogPosition>();
  for (const part of text.split('~')) {
    const [, category, position] = ONE.exec(part) ?? [];
    // The pattern names the categories; a type cannot be read out of it.
    if (category && position) positions.set(category as Category, logPosition(BigInt(position)));
  }
  return positions;
};

const encode = (positions: Positions): string => [...positions].map(([category, position]) => `${category}.${position}`).join('~');

/** Where in the log this browser's own commands were appended, by category. */
const positionsOf = (req: Asking): Positions => {
  const told = cookieIn(req, COOKIE);
  return told === undefined ? NONE : decode(told);
};

const left = new WeakMap<ShopContext['res'], Positions>();

/** Has the answer leave the position of what it appended with the browser, whose queries then wait for it. */
export const leavePosition = (ctx: ShopContext, category: Category, position: LogPosition): void => {
  const positions = new Map(left.get(ctx.res) ?? positionsOf(ctx.req));
  if ((positions.get(category) ?? START) < position) positions.set(category, position);
  left.set(ctx.res, positions);
  leaveCookie(ctx, COOKIE, encode(positions), { maxAge: REMEMBERED * 1_000, isSecure: ctx.secure });
};

/** The value of the position cookie that the answer sets; empty if it sets none. */
export const positionsLeft = (ctx: ShopContext): string => encode(left.get(ctx.res) ?? NONE);

/** Leaves the positions that `positionsLeft` gave for another answer. */
export const leavePositions = (ctx: ShopContext, positions: string): void => {
  for (const [category, position] of decode(positions)) leavePosition(ctx, category, position);
};

/** A read model, in Postgres or in memory, that can be waited for until it has applied the log up to a position. */
export type Awaitable = {
  waitFor(position: LogPosition, milliseconds: number): Promise<Freshness>;
};

/** A read model in Postgres, for `fresh`. */
export const readModel = (progress: Pick<Progress, 'waitFor'>, name: string): Awaitable => ({
  waitFor: (position, milliseconds) => progress.waitFor(name, position, milliseconds),
});

const newestOf = (positions: Positions, categories: readonly Category[]): LogPosition => {
  let newest: LogPosition = START;
  for (const category of categories) {
    const position = positions.get(category) ?? START;
    if (position > newest) newest = position;
  }
  return newest;
};

/** Up to where in the log of these categories an answer has to show what happened: this browser's own commands. */
export const positionNeeded = (req: Asking, categories: readonly Category[]): LogPosition => {
  const positions = positionsOf(req);
  return positions === NONE ? START : newestOf(positions, categories);
};

/** Whether the read model, which follows these categories, has what this browser's own commands brought about: `fresh` would not wait. */
export const isFresh = (model: { has(position: LogPosition): boolean }, req: Asking, categories: readonly Category[]): boolean => {
  const newest = positionNeeded(req, categories);
  return newest === START || model.has(newest);
};

/**
 * Before a query: waits until the read model, which follows these categories, has what this browser's own commands brought about, 2 s
 * at most. `X-Stale: true`: it is still behind; `X-Stale: parked`: it stays behind until a parked event is retried.
 */
export const fresh = (model: Awaitable, categories: readonly Category[]): ShopMiddleware => {
  const waitFirst = async (ctx: ShopContext, next: () => Promise<unknown>, newest: LogPosition): Promise<unknown> => {
    const freshness = await model.waitFor(newest, PATIENCE);
    if (freshness !== 'fresh') ctx.set('X-Stale', freshness === 'parked' ? 'parked' : 'true');
    return next();
  };
  return (ctx, next) => {
    const newest = positionNeeded(ctx.req, categories);
    return newest === START ? next() : waitFirst(ctx, next, newest);
  };
};
