import type { ShopContext } from './context.ts';

/** Answers with JSON that is text already: made when its event was applied, and put together without being read. */
export const sendJsonText = (ctx: ShopContext, json: string): void => {
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = json;
};
