import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

import type { SecurityLog } from '../security-log.ts';
import { getClientAddress, getRequestId, type ShopContext, type ShopMiddleware } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Each limit is a number and a time in seconds. RATE_LIMIT_FACTOR multiplies the numbers. */
const LIMITS = {
  'login of an account': [10, 15 * MINUTE],
  /** Browsers that signed in to the account before have a separate limit, which strangers cannot use up. */
  'login on a known device': [10, 15 * MINUTE],
  'login from an address': [50, 15 * MINUTE],
  'register from an address': [20, HOUR],
  /** Each registration sends a mail to this address, whoever asks for it. */
  'register of an account': [20, HOUR],
  'verify from an address': [30, HOUR],
  /** Each new code allows five more attempts. */
  'resend to an account': [10, HOUR],
  'forgot-password of an account': [3, HOUR],
  'forgot-password from an address': [20, HOUR],
  /** Exports are large. */
  'export of a user': [5, HOUR],
  /** Wrong passwords of a signed-in user, who must repeat it before a sensitive change. */
  'password of a user': [10, 15 * MINUTE],
  /** Wrong codes of the second factor that a signed-in user sends. */
  'code of a user': [10, 15 * MINUTE],
  'erase of a guest': [10, 15 * MINUTE],
  /** A stolen session must not take or erase everybody's data. */
  'export by a member of the staff': [20, HOUR],
  'erase by a member of the staff': [20, HOUR],
  'contact from an address': [5, MINUTE],
  'subscribe from an address': [10, MINUTE],
  'notify from an address': [10, MINUTE],
  /** Protects against unsubscribing many strangers. Mailed links are not counted. */
  'unsubscribe from an address': [10, MINUTE],
  /** Each request may send a mail. */
  'find of an order': [3, HOUR],
  'find from an address': [20, HOUR],
  'create-order of a shopper': [30, MINUTE],
  /** Later mails wait. */
  'mails to an unproven address': [6, HOUR],
  'write from an address': [600, MINUTE],
} as const satisfies Record<string, readonly [points: number, seconds: number]>;

export type LimitName = keyof typeof LIMITS;

const tooMany = (ms: number): HttpError =>
  new HttpError({
    status: 429,
    code: 'too_many_requests',
    message: 'Too many requests. Please try again later.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1_000))) },
  });

type Asking = Pick<ShopContext, 'ip' | 'state'>;

export type Limits = {
  /** Throws a 429 with the time to wait when the limit is reached. */
  spend(name: LimitName, of: string, ctx: Asking): Promise<void>;
  /** Counts like `spend`, for work that can wait. Returns how many ms it has to; 0 if it need not. */
  spendOrWait(name: LimitName, of: string): Promise<number>;
  giveBack(name: LimitName, of: string): Promise<void>;
  spendWrite(ctx: Asking): Promise<void>;
};

type Parts = {
  readonly pool: pg.Pool;
  readonly factor: number;
  readonly securityLog: SecurityLog;
  readonly key: Buffer;
};

type Limiter = RateLimiterPostgres | RateLimiterMemory;

/**
 * Each process counts the writes of an address itself: it protects the process, which counts on while the database is away. A query for
 * each write would cost as much as its append.
 */
const limiterFor = (pool: pg.Pool, name: LimitName, factor: number): Limiter => {
  const [count, duration] = LIMITS[name];
  const points = Math.max(1, Math.round(count * factor));
  if (name === 'write from an address') return new RateLimiterMemory({ points, duration });
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'shop',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration,
    // Clients over the limit are refused without a query.
    inMemoryBlockOnConsumed: points + 1,
  });
};

/** Counted in Postgres over all processes, except for writes, in fixed windows that begin with the first request. */
export const createLimits = ({ pool, factor, securityLog, key }: Parts): Limits => {
  // The hash is keyed, so that a copy of the table does not tell whether it contains an address.
  const hashKey = (of: string): string => createHmac('sha256', key).update(of).digest('base64url');
  const limiters = new Map<LimitName, Limiter>();
  const limiter = (name: LimitName): Limiter => {
    const known = limiters.get(name) ?? limiterFor(pool, name, factor);
    limiters.set(name, known);
    return known;
  };

  /** Returns undefined, or the refusal when the limit is reached. */
  const count = async (name: LimitName, of: string): Promise<RateLimiterRes | undefined> => {
    try {
      await limiter(name).consume(hashKey(of));
      return undefined;
    } catch (refused) {
      // During an outage of the database the request is refused, since a limit must not open under load.
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return refused;
    }
  };

  const spend: Limits['spend'] = async (name, of, ctx) => {
    const refused = await count(name, of);
    if (!refused) return;
    // The event is recorded once in each window.
    if (refused.consumedPoints === limiter(name).points + 1)
      securityLog.record({ kind: 'limit_reached', address: ctx.ip, requestId: getRequestId(ctx), detail: { limit: name } });
    throw tooMany(refused.msBeforeNext);
  };

  return {
    spend,
    spendOrWait: async (name, of) => {
      const refused = await count(name, of);
      return refused ? Math.max(1, refused.msBeforeNext) : 0;
    },
    giveBack: async (name, of) => {
      await limiter(name).reward(hashKey(of));
    },
    spendWrite: (ctx) => spend('write from an address', getClientAddress(ctx), ctx),
  };
};

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Applies the general limit for writes before the body is read. */
export const limitWrites = ({ spendWrite }: Limits): ShopMiddleware => {
  const spendFirst: ShopMiddleware = async (ctx, next) => {
    await spendWrite(ctx);
    return next();
  };
  return (ctx, next) => (READING.has(ctx.method) ? next() : spendFirst(ctx, next));
};
