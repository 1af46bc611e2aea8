import type { Context, Middleware, ParameterizedContext } from 'koa';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** State that middlewares set for the routes. */
export type State = {
  requestId: string;
  body?: unknown;
  /** For a request with an Idempotency-Key: the id of its command, and whether it was worked on before. */
  command?: { readonly id: string; readonly isRepeated: boolean };
};
export type ShopContext = ParameterizedContext<State>;
export type ShopMiddleware = Middleware<State>;

/** Of the request: in the answer's `X-Request-Id`, in its log line, and in what it causes as `correlationId`. */
export const requestIdOf = (ctx: Pick<ShopContext, 'state'>): string => ctx.state.requestId;

/** Where a request comes from, for the security log. */
export const fromOf = (ctx: Pick<ShopContext, 'ip' | 'state'>): { readonly address: string; readonly requestId: string } => ({
  address: ctx.ip,
  requestId: requestIdOf(ctx),
});

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether a caller may see what is meant for the people who run the shop. */
export type MaySee = (ctx: Pick<Context, 'req'>) => boolean;

/** Whether the request was made on this machine, and not forwarded by a proxy on it. */
export const isFromThisMachine = ({ req }: Pick<Context, 'req'>): boolean =>
  LOOPBACK.has(req.socket.remoteAddress ?? '') && req.headers['x-forwarded-for'] === undefined && req.headers.forwarded === undefined;

/** Request ids that are taken over from a proxy or client; any other text could be used to forge log lines. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** The id that a request came with when that is well-formed, else a new one. */
export const requestIdFor = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
};

/** Names every request, in `X-Request-Id` of its answer. */
export const requestId: ShopMiddleware = (ctx, next) => {
  const id = requestIdFor(ctx.req);
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
