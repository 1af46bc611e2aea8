import type { Context, Middleware, ParameterizedContext } from 'koa';
import { randomUUID } from 'node:crypto';

export type State = {
  requestId: string;
  body?: unknown;
  /** With an Idempotency-Key: the command's id, and whether it was begun before. */
  command?: { readonly id: string; readonly isRepeated: boolean };
};
export type ShopContext = ParameterizedContext<State>;
export type ShopMiddleware = Middleware<State>;

/** The `X-Request-Id`, which is also in the log line, and the `correlationId` of events. */
export const requestIdOf = (ctx: Pick<ShopContext, 'state'>): string => ctx.state.requestId;

/** For the security log. */
export const fromOf = (ctx: Pick<ShopContext, 'ip' | 'state'>): { readonly address: string; readonly requestId: string } => ({
  address: ctx.ip,
  requestId: requestIdOf(ctx),
});

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether the caller is an operator. */
export type IsAllowed = (ctx: Pick<Context, 'req'>) => boolean;

/** Without a proxy on this machine. */
export const isFromThisMachine = ({ req }: Pick<Context, 'req'>): boolean =>
  LOOPBACK.has(req.socket.remoteAddress ?? '') && req.headers['x-forwarded-for'] === undefined && req.headers.forwarded === undefined;

/** Other texts could forge log lines. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** The one that the request was sent with, if well-formed, otherwise a new one. */
export const requestId: ShopMiddleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  const id = typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
