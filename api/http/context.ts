import type { Context, Middleware, ParameterizedContext } from 'koa';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type State = {
  requestId: string;
  body?: unknown;
  /** With an Idempotency-Key: the id of the command, and whether it was worked on before. */
  command?: { readonly id: string; readonly isRepeated: boolean };
};
export type ShopContext = ParameterizedContext<State>;
export type ShopMiddleware = Middleware<State>;

/** In `X-Request-Id`, in the log line, and as `correlationId` in what the request causes. */
export const requestIdOf = (ctx: Pick<ShopContext, 'state'>): string => ctx.state.requestId;

/** For the security log. */
export const fromOf = (ctx: Pick<ShopContext, 'ip' | 'state'>): { readonly address: string; readonly requestId: string } => ({
  address: ctx.ip,
  requestId: requestIdOf(ctx),
});

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether a caller may see what is meant for operators. */
export type MaySee = (ctx: Pick<Context, 'req'>) => boolean;

/** Not forwarded by a proxy on this machine. */
export const isFromThisMachine = ({ req }: Pick<Context, 'req'>): boolean =>
  LOOPBACK.has(req.socket.remoteAddress ?? '') && req.headers['x-forwarded-for'] === undefined && req.headers.forwarded === undefined;

/** Any other text could be used to forge log lines. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** The request's own id if it is well-formed, else a new one. */
export const requestIdFor = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
};

export const requestId: ShopMiddleware = (ctx, next) => {
  const id = requestIdFor(ctx.req);
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
