import type { ShopContext } from './context.ts';

/** Answers with JSON that is ready: made once, and sent without being read, measured or encoded again. */
export const sendJson = (ctx: ShopContext, json: Buffer): void => {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = json;
};
