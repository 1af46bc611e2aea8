import type { ShopMiddleware } from '../http/context.ts';

/** Answers to these paths, for GET and HEAD; all else goes on. */
export const operations =
  (answers: Readonly<Record<string, ShopMiddleware>>): ShopMiddleware =>
  (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answers[ctx.path] : undefined;
    return answer ? answer(ctx, next) : next();
  };
