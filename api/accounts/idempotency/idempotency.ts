import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { WrongRevision, type StreamName } from '#domain/event-store.ts';
import { messageStream } from '#domain/message/message.ts';
import { orderStream } from '#domain/order/order.ts';
import { reviewStream, type ReviewId } from '#domain/review/review.ts';
import { isOrderId, isUuid } from '#domain/shared/ids.ts';

import { keyedMutex } from '../../platform/keyed-mutex.ts';
import type { Session } from '../sessions/session-store.ts';
import type { ShopContext, ShopMiddleware } from '../../http/context.ts';
import { answerFor, refuse } from '../../http/errors.ts';
import { setPositions, getPositions } from '../../http/freshness.ts';
import type { KeyedRequest, Claim, CachedAnswer, AnswerCache } from './answer-cache.ts';
import { getBody } from '../../http/json-body.ts';
import { invalid, HttpError } from '../../http/http-error.ts';
import { createRouter } from '../../http/router.ts';
import { findSession } from '../sessions/session.ts';

/** Returns the body as text, null when it is empty; undefined when it is streamed. */
export const bodyText = (body: unknown): string | null | undefined => {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === 'object' && !('pipe' in body) && !('getReader' in body) ? JSON.stringify(body) : undefined;
};

const COVERED = new Set(['POST', 'PUT']);
const MOST = 255;
// oxlint-disable-next-line no-control-regex -- control characters are what this pattern refuses
const CONTROL = /[\x00-\x1f\x7f]/;

type Waiting = { readonly now: () => number; readonly wait: (milliseconds: number) => Promise<unknown> };
const REAL: Waiting = { now: () => performance.now(), wait: (milliseconds) => sleep(milliseconds) };

/** A request waits this many ms, which is longer than the claim of a dead process lasts. */
const TIMEOUT_MS = 15_000;
/** The pauses in ms between looks for another process's response are `first` at first, and grow up to `most`. */
const LOOKS = { first: 20, most: 250 };

const otherRequest = (): HttpError =>
  new HttpError({ status: 422, code: 'idempotency_key_reused', message: 'This Idempotency-Key was used for another request' });
const underWay = (): HttpError =>
  new HttpError({
    status: 409,
    code: 'request_under_way',
    message: 'This request is still being worked on. Please ask again in a moment.',
    headers: { 'Retry-After': '1' },
  });

const parseIdempotencyKey = (ctx: ShopContext): string | undefined => {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined || !COVERED.has(ctx.method)) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MOST || CONTROL.test(key))
    throw invalid(`Idempotency-Key takes 1 to ${MOST} characters`);
  return key;
};

/** The roles are part of the key: a response is not repeated to the same user with other roles. */
const getRights = ({ owner }: Session): string => {
  if (owner.kind === 'visitor') return 'visitor';
  return ['user', ...owner.user.roles].join('+');
};

/**
 * The answers to these commands may contain another person's order, review or message: staff send them, or guests who opened the order by a
 * mailed link. Paths are matched and decoded as by the router of the commands themselves.
 */
const ofOthers = createRouter()
  .all('order', '/api/admin/order/:id/*rest', () => undefined)
  .put('order', '/api/order/cancel/:id', () => undefined)
  .put('order', '/api/order/return/:id', () => undefined)
  .post('order', '/api/order/check-payment/:id', () => undefined)
  .all('order', '/api/admin/return/:id', () => undefined)
  .all('review', '/api/admin/reviews/:id', () => undefined)
  .all('message', '/api/contact/:id', () => undefined);

const streamsOf: Readonly<Record<string, (id: string) => StreamName | undefined>> = {
  order: (id) => (isOrderId(id) ? orderStream(id) : undefined),
  review: (id) => (isUuid(id) ? reviewStream(id as ReviewId) : undefined),
  message: (id) => (/^\d{1,18}$/.test(id) ? messageStream(id) : undefined),
};

const findStream = ({ path, method }: ShopContext): StreamName | undefined => {
  const [route] = ofOthers.match(path, method).pathAndMethod;
  const id = route?.params(path, route.captures(path))['id']?.toLowerCase();
  return id === undefined ? undefined : streamsOf[route?.name ?? '']?.(id);
};

const askedBy = (ctx: ShopContext, session: Session, key: string): KeyedRequest => ({
  session: Buffer.from(session.id, 'hex'),
  key: `${getRights(session)} ${key}`,
  request: JSON.stringify([ctx.method, ctx.path, ctx.querystring, getBody(ctx)]),
  stream: findStream(ctx),
});

/** These headers belong to one response, or every response gets them. */
const NOT_KEPT = new Set(['set-cookie', 'content-length', 'x-stale']);

const getSetCookies = (ctx: ShopContext): readonly string[] => [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);

/**
 * Returns null when the response is not kept: outages and limits pass, so that a retry is executed; a response with a session cookie is for
 * one client only; a stream is not held in memory.
 */
const keepable = (ctx: ShopContext, before: ReadonlySet<string>): CachedAnswer | null => {
  const { status, body } = ctx;
  if (status >= 500 || status === 429 || ctx.state.isUnkept) return null;
  if (getSetCookies(ctx).some((cookie) => !cookie.startsWith('pos='))) return null;
  const text = bodyText(body);
  if (text === undefined) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(ctx.res.getHeaders()))
    if (!before.has(name) && !NOT_KEPT.has(name)) headers[name] = String(value);
  return { status, headers, body: text, positions: getPositions(ctx) };
};

const giveAgain = (ctx: ShopContext, { status, headers, body, positions }: CachedAnswer): void => {
  ctx.status = status;
  if (body !== null) ctx.body = body;
  ctx.set(headers);
  setPositions(ctx, positions);
};

const answerFirst = async (ctx: ShopContext, next: () => Promise<unknown>, claim: Claim): Promise<void> => {
  ctx.state.command = { id: claim.command, isRepeated: claim.isRepeated };
  const before = new Set(ctx.res.getHeaderNames());
  try {
    await next();
  } catch (error) {
    const answer = answerFor(error);
    // These errors are temporary, so that a retry is executed.
    if (answer.status >= 500 || answer.status === 429 || error instanceof WrongRevision) {
      await claim.end(null);
      throw error;
    }
    refuse(ctx, answer);
  }
  await claim.end(keepable(ctx, before));
};

/**
 * Executes a POST or PUT with an `Idempotency-Key` once, and repeats its response however often it is sent. The key belongs to the session;
 * with another body, path or method it is 422. Of concurrent requests one is executed, and the others wait for its response. If its process
 * died, or its response is not kept, as that to a newcomer with a session cookie, the next one is executed under the same command id, by
 * which `execute` finds what was done. Runs after the body is parsed; does nothing without the header.
 */
export const idempotency = (kept: AnswerCache, { now, wait }: Waiting = REAL): ShopMiddleware => {
  const mutex = keyedMutex({ timeout: TIMEOUT_MS, now });

  const answer = async (ctx: ShopContext, next: () => Promise<unknown>, asked: KeyedRequest): Promise<void> => {
    const began = now();
    for (let pause = LOOKS.first; ; pause = Math.min(2 * pause, LOOKS.most)) {
      const claimed = await kept.claim(asked);
      if (claimed.is === 'without session') return void (await next());
      if (claimed.is === 'ours') return answerFirst(ctx, next, claimed.claim);
      if (claimed.is === 'answered') return giveAgain(ctx, claimed.answer);
      if (claimed.is === 'other request') throw otherRequest();
      if (now() - began > TIMEOUT_MS) throw underWay();
      await wait(pause);
    }
  };

  /** The request may make its sender a visitor, who gets the session only with the response: no repetition can be under way. */
  const answerNewcomer = async (ctx: ShopContext, next: () => Promise<unknown>, key: string): Promise<void> => {
    const command = randomUUID();
    ctx.state.command = { id: command, isRepeated: false };
    await next();
    const session = await findSession(ctx);
    if (session?.owner.kind !== 'visitor') return;
    const claimed = await kept.claim({ ...askedBy(ctx, session, key), command });
    if (claimed.is === 'ours') await claimed.claim.end(null);
  };

  const answerOnce = async (ctx: ShopContext, next: () => Promise<unknown>, key: string): Promise<unknown> => {
    const session = await findSession(ctx);
    if (!session) return answerNewcomer(ctx, next, key);
    return mutex(`${session.id} ${key}`, () => answer(ctx, next, askedBy(ctx, session, key)));
  };

  return (ctx, next) => {
    const key = parseIdempotencyKey(ctx);
    return key === undefined ? next() : answerOnce(ctx, next, key);
  };
};
