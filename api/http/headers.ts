import type { ServerResponse } from 'node:http';

import type { ShopMiddleware } from './context.ts';

/** Names and values alternate. */
export type Headers = readonly string[];

export const setHeaders = (res: ServerResponse, headers: Headers): void => {
  for (let at = 0; at + 1 < headers.length; at += 2) res.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
};

export const withHeaders =
  (headers: Headers): ShopMiddleware =>
  (ctx, next) => {
    setHeaders(ctx.res, headers);
    return next();
  };
