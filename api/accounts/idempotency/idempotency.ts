import { Router } from '@koa/router';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { WrongRevision, type StreamName } from '#domain/event-store.ts';
import { isOrderId } from '#domain/shared/ids.ts';

import { keyedMutex } from '../../platform/keyed-mutex.ts';
import type { Session } from '../sessions/session-store.ts';
import type { ShopContext, ShopMiddleware } from '../../http/context.ts';
import { answerFor, refuse } from '../../http/errors.ts';
import { leavePositions, positionsLeft } from '../../http/freshness.ts';
import type { KeyedRequest, Claim, CachedAnswer, AnswerCache } from './answer-cache.ts';
import { bodyOf } from '../../http/json-body.ts';
import { invalid, HttpError } from '../../http/http-error.ts';
import { sessionOf } from '../sessions/session.ts';

/** The body as text, null when it is empty; undefined when it is streamed. */
export const bodyText = (body: unknown): string | null | undefined => {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  return typeof body === 'object' && !('pipe' in body) && !('getReader' in body) ? JSON.stringify(body) : undefined;
};

const COVERED = new Set(['POST', 'PUT']);
const MOST = 255;
// oxlint-disable-next-line no-control-regex -- they are what is refused
const CONTROL = /[\x00-\x1f\x7f]/;

type Waiting = { readonly now: () => number; readonly wait: (milliseconds: number) => Promise<unknown> };
const REAL: Waiting = { now: () => performance.now(), wait: (milliseconds) => sleep(milliseconds) };

/** In ms: longer than the claim of a dead process lasts. */
const TIMEOUT_MS = 15_000;
/** How often it looks for another process's answer, in ms: at first, and at most. */
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

const keyIn = (ctx: ShopContext): string | undefined => {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined || !COVERED.has(ctx.method)) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MOST || CONTROL.test(key))
    throw invalid(`Idempotency-Key takes 1 to ${MOST} characters`);
  return key;
};

/** Part of the key: the answer to an admin is not repeated to the same user without that right. */
const rightsOf = ({ owner }: Session): string => {
  if (owner.kind === 'visitor') return 'visitor';
  return owner.user.isAdmin ? 'admin' : owner.user.isAuditor ? 'auditor' : 'user';
};

/** Commands of staff on an order are answered with the whole order. Matched and decoded as by the router of the commands themselves. */
const ordersOfOthers = new Router().all('/api/admin/order/:id/*rest', () => undefined);

const streamIn = ({ path, method }: ShopContext): StreamName | undefined => {
  const [route] = ordersOfOthers.match(path, method).pathAndMethod;
  const id = route?.params(path, route.captures(path))['id']?.toLowerCase();
  return id !== undefined && isOrderId(id) ? `order-${id}` : undefined;
};

const askedBy = (ctx: ShopContext, session: Session, key: string): KeyedRequest => ({
  session: Buffer.from(session.id, 'hex'),
  key: `${rightsOf(session)} ${key}`,
  request: JSON.stringify([ctx.method, ctx.path, ctx.querystring, bodyOf(ctx)]),
  stream: streamIn(ctx),
});

/** Headers that belong to one answer, or that every answer gets. */
const NOT_KEPT = new Set(['set-cookie', 'content-length', 'x-stale']);

const setCookiesOf = (ctx: ShopContext): readonly string[] => [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);

/**
 * Null when the answer is not kept: outages and limits pass, so that a retry is worked on; an answer with a session cookie is for one
 * client only; a stream is not held in memory.
 */
const keepable = (ctx: ShopContext, before: ReadonlySet<string>): CachedAnswer | null => {
  const { status, body } = ctx;
  if (status >= 500 || status === 429) return null;
  if (setCookiesOf(ctx).some((cookie) => !cookie.startsWith('pos='))) return null;
  const text = bodyText(body);
  if (text === undefined) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(ctx.res.getHeaders()))
    if (!before.has(name) && !NOT_KEPT.has(name)) headers[name] = String(value);
  return { status, headers, body: text, positions: positionsLeft(ctx) };
};

const giveAgain = (ctx: ShopContext, { status, headers, body, positions }: CachedAnswer): void => {
  ctx.status = status;
  if (body !== null) ctx.body = body;
  ctx.set(headers);
  leavePositions(ctx, positions);
};

const answerFirst = async (ctx: ShopContext, next: () => Promise<unknown>, claim: Claim): Promise<void> => {
  ctx.state.command = { id: claim.command, isRepeated: claim.isRepeated };
  const before = new Set(ctx.res.getHeaderNames());
  try {
    await next();
  } catch (error) {
    const answer = answerFor(error);
    // These pass: a retry is worked on.
    if (answer.status >= 500 || answer.status === 429 || error instanceof WrongRevision) {
      await claim.end(null);
      throw error;
    }
    refuse(ctx, answer);
  }
  await claim.end(keepable(ctx, before));
};

/**
 * A POST or PUT with an `Idempotency-Key` is done once, and answered the same however often it is sent. The key belongs to the session;
 * with another body, path or method it is 422. Of concurrent requests one is worked on, and the others wait for its answer. If its process
 * died, or its answer is not kept, as that to a newcomer with the cookie of their session, the next one is worked on under the same command
 * id, by which `execute` knows what was done. Stands behind the body; does nothing without the header.
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

  /** The request may make a visitor of its sender, who has the session only with the answer: no repetition can be under way. */
  const answerNewcomer = async (ctx: ShopContext, next: () => Promise<unknown>, key: string): Promise<void> => {
    const command = randomUUID();
    ctx.state.command = { id: command, isRepeated: false };
    await next();
    const session = await sessionOf(ctx);
    if (session?.owner.kind !== 'visitor') return;
    const claimed = await kept.claim({ ...askedBy(ctx, session, key), command });
    if (claimed.is === 'ours') await claimed.claim.end(null);
  };

  const answerOnce = async (ctx: ShopContext, next: () => Promise<unknown>, key: string): Promise<unknown> => {
    const session = await sessionOf(ctx);
    if (!session) return answerNewcomer(ctx, next, key);
    return mutex(`${session.id} ${key}`, () => answer(ctx, next, askedBy(ctx, session, key)));
  };

  return (ctx, next) => {
    const key = keyIn(ctx);
    return key === undefined ? next() : answerOnce(ctx, next, key);
  };
};
