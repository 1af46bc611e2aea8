import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { ShopMiddleware } from './context.ts';

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
