import type { Context, Middleware, ParameterizedContext } from 'koa';
import ipaddr from 'ipaddr.js';
import { randomUUID } from 'node:crypto';

import type { Category, LogPosition } from '#domain/event-store.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

export type Positions = ReadonlyMap<Category, LogPosition>;

/** The waits of one request for read models (`freshness.ts`). */
export type RequestWaits = {
  readonly seen: { note(category: Category, position: LogPosition): void };
  /** Runs `work` with the time that is left for all waits of the request; 0 if too many requests wait already. */
  wait<Result>(work: (milliseconds: number) => Promise<Result>): Promise<Result>;
};

export type State = {
  requestId: string;
  arrivedAt: Instant;
  body?: unknown;
  /** The field is set for requests with an Idempotency-Key: the command's id, and whether an earlier request began it. */
  command?: { readonly id: string; readonly isRepeated: boolean };
  /** The response is not kept for repetitions, which have the same effect anyway. */
  isUnkept?: true;
  /** The field is set where calls are limited (`load-shedding.ts`). */
  withoutPlace?: <Result>(work: () => Promise<Result>, isBounded: boolean) => Promise<Result>;
  /** The fields are set by `freshness.ts`. */
  positions?: Positions;
  waits?: RequestWaits;
};
export type ShopContext = ParameterizedContext<State>;
export type ShopMiddleware = Middleware<State>;

/** Returns the `X-Request-Id`, which is also in the log line, and is the `correlationId` of events. */
export const getRequestId = (ctx: Pick<ShopContext, 'state'>): string => ctx.state.requestId;

export const getOrigin = (ctx: Pick<ShopContext, 'ip' | 'state'>): { readonly address: string; readonly requestId: string } => ({
  address: ctx.ip,
  requestId: getRequestId(ctx),
});

/**
 * Returns the address that limits count: of IPv6 the network, since a household has all of it. With `TRUST_PROXY` it is the one that the
 * proxy has seen.
 */
export const getClientAddress = ({ ip }: Pick<ShopContext, 'ip'>): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

export type IsAllowed = (ctx: Pick<Context, 'req'>) => boolean;

/** Returns whether a host, with or without a port, is this machine. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);

/**
 * Returns whether the caller is on this machine and not behind a proxy. A browser that was led here under another name sends that name as
 * the host.
 */
export const isFromThisMachine = ({ req: { socket, headers } }: Pick<Context, 'req'>): boolean =>
  LOOPBACK.has(socket.remoteAddress ?? '') &&
  isLoopbackHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => FORWARDED.test(name));

/** Other characters could forge log lines. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** The one that the request was sent with, if well-formed, otherwise a new one. */
export const requestId: ShopMiddleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  const id = typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.state.arrivedAt = instant(new Date().toISOString());
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
