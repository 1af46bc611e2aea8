import type { Wire } from '#projections/wire.ts';

import type { ShopContext } from './context.ts';

/** Answers with JSON that is ready. Written here and in one piece with its headers: Koa would first count its characters and encode them. */
export const sendJson = (ctx: ShopContext, json: Wire): void => {
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.res.setHeader('Content-Length', json.length);
  ctx.respond = false;
  ctx.res.end(json, 'latin1');
};
