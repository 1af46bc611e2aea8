import { isFromThisMachine, type IsAllowed, type ShopMiddleware } from '../http/context.ts';

/** Tells whether this process can work, and the state of its parts. */
export type Readiness = { readonly isReady: boolean; readonly parts: Readonly<Record<string, string>> };

/** Serves `GET /healthz`: 200 while the process runs, without any check. */
export const liveness: ShopMiddleware = (ctx) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { status: 'ok' };
};

/**
 * Serves `GET /readyz`: 200 when requests may be sent here, otherwise
 * 503. Only permitted callers, by default this machine, see the reasons.
 */
export const readiness =
  (check: () => Promise<Readiness>, maySee: IsAllowed = isFromThisMachine): ShopMiddleware =>
  async (ctx) => {
    const { isReady, parts } = await check();
    const status = isReady ? 'ready' : 'not ready';
    ctx.set('Cache-Control', 'no-store');
    ctx.status = isReady ? 200 : 503;
    ctx.body = maySee(ctx) ? { status, parts } : { status };
  };

/** Answers GET and HEAD on these paths. */
export const operations =
  (answers: Readonly<Record<string, ShopMiddleware>>): ShopMiddleware =>
  (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answers[ctx.path] : undefined;
    return answer ? answer(ctx, next) : next();
  };
