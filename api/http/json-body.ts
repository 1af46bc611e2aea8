import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';

import type { ShopContext, ShopMiddleware } from './context.ts';
import { invalid, HttpError } from './http-error.ts';

/** A body is limited in bytes, in depth, and in the number of its keys and array items. */
const LIMITS = { bytes: 256 * 1024, depth: 32, entries: 10_000 } as const;

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

const tooLarge = (bytes: number): HttpError =>
  new HttpError({
    status: 413,
    code: 'body_too_large',
    message: `A request may have ${bytes / 1024} kB`,
    headers: { Connection: 'close' },
  });
const wrongType = (): HttpError =>
  new HttpError({
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send JSON, as application/json in UTF-8',
    headers: { Connection: 'close' },
  });

/** Reads a body. Throws a 413 as soon as it is known to be too long, and a 400 when it is incomplete. */
export const readBody = async (req: IncomingMessage, most: number): Promise<Buffer> => {
  try {
    return await rawBody(req, { limit: most, length: req.headers['content-length'] ?? null });
  } catch (error) {
    throw error instanceof Error && 'status' in error && error.status === 413 ? tooLarge(most) : invalid('The request broke off');
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
  ctx.state.body = parse(await readBody(ctx.req, LIMITS.bytes));
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
