import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';

import { getClientAddress, type ShopContext, type ShopMiddleware } from './context.ts';
import { invalid, HttpError } from './http-error.ts';
import { withoutPlace } from './load-shedding.ts';

/** A body is limited in bytes, in depth, and in the number of its keys and array items. */
const LIMITS = { bytes: 256 * 1024, depth: 32, entries: 10_000 } as const;

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

/** An address may have this many bodies on their way. */
const ON_THEIR_WAY = 32;

/** A body has this many ms, and one more for each `BYTES_IN_MS` bytes that came: a large file on a slow line comes, single bytes do not. */
const BODY_WITHIN = 5_000;
const BYTES_IN_MS = 64;
const CHECKED_EVERY = 500;

const tooLarge = (bytes: number): HttpError =>
  new HttpError({ status: 413, code: 'body_too_large', message: `A request may have ${bytes / 1024} kB` });
const wrongType = (): HttpError =>
  new HttpError({ status: 415, code: 'unsupported_media_type', message: 'Send JSON, as application/json in UTF-8' });
const tooSlow = (): HttpError =>
  new HttpError({ status: 408, code: 'body_too_slow', message: 'The request came too slowly', headers: { Connection: 'close' } });
const tooManyBodies = (): HttpError =>
  new HttpError({
    status: 429,
    code: 'too_many_requests',
    message: 'Too many requests are on their way from your address. Please wait for the answers.',
    headers: { 'Retry-After': '1' },
  });

/** Counts the bodies that are on their way to this process, by the address of their sender. */
const onTheirWay = new Map<string, number>();

/** Rejects when the body is too slow. */
const watchPace = (req: IncomingMessage, signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const began = performance.now();
    let received = 0;
    req.on('data', (chunk: Buffer) => (received += chunk.length));
    const timer = setInterval(() => {
      if (performance.now() - began > BODY_WITHIN + received / BYTES_IN_MS) reject(tooSlow());
    }, CHECKED_EVERY);
    signal.addEventListener('abort', () => clearInterval(timer));
  });

const receive = async (req: IncomingMessage, most: number): Promise<Buffer> => {
  const ended = new AbortController();
  const body = rawBody(req, { limit: most, length: req.headers['content-length'] ?? null });
  try {
    return await Promise.race([body, watchPace(req, ended.signal)]);
  } catch (error) {
    body.catch(() => {});
    if (error instanceof HttpError) throw error;
    throw error instanceof Error && 'status' in error && error.status === 413 ? tooLarge(most) : invalid('The request broke off');
  } finally {
    ended.abort();
  }
};

/**
 * Reads a body; meanwhile the request takes no place in the process. Throws a 413 as soon as the body is known to be too long, a 400 when it
 * is incomplete, a 408 when it comes too slowly, and a 429 when too many others of the same address are on their way.
 */
export const readBody = async (ctx: Pick<ShopContext, 'req' | 'ip' | 'state'>, most: number): Promise<Buffer> => {
  const address = getClientAddress(ctx);
  const others = onTheirWay.get(address) ?? 0;
  if (others >= ON_THEIR_WAY) throw tooManyBodies();
  onTheirWay.set(address, others + 1);
  try {
    return await withoutPlace(ctx, () => receive(ctx.req, most));
  } finally {
    const left = (onTheirWay.get(address) ?? 1) - 1;
    if (left === 0) onTheirWay.delete(address);
    else onTheirWay.set(address, left);
  }
};

/** Checks without recursion, because the sender chooses the depth. */
const isWithinLimits = (value: unknown): boolean => {
  let level: unknown[] = [value];
  let entries = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.depth) return false;
    const deeper: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const inner: readonly unknown[] = Object.values(each);
      entries += inner.length;
      if (entries > LIMITS.entries) return false;
      for (const one of inner) deeper.push(one);
    }
    level = deeper;
  }
  return true;
};

// The decoder keeps a byte order mark, so that it is refused: JSON does not allow it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const parse = (body: Buffer): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw invalid('The body is not JSON in UTF-8');
  }
  if (!isWithinLimits(value)) throw invalid('The body is too deep or has too many fields');
  return value;
};

const readFirst: ShopMiddleware = async (ctx, next) => {
  ctx.state.body = parse(await readBody(ctx, LIMITS.bytes));
  return next();
};

/**
 * Parses JSON in UTF-8 with at most 256 kB, 32 levels and 10,000 fields. If a key is repeated, its last value is used. No body is `{}`. A
 * body that an earlier middleware parsed stays.
 */
export const jsonBody: ShopMiddleware = (ctx, next) => {
  const { headers, method = 'GET' } = ctx.req;
  if (WITHOUT_BODY.has(method) || ctx.state.body !== undefined) return next();
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return next();
  if (!JSON_TYPE.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) throw wrongType();
  return readFirst(ctx, next);
};

export const getBody = (ctx: Pick<ShopContext, 'state'>): unknown => ctx.state.body ?? {};
