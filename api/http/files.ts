import sirv, { type Options } from 'sirv';

import type { ShopMiddleware } from './context.ts';

/**
 * What is not there is for the next middleware. Each file goes out whole, which is always allowed (RFC 9110, 14.2): sirv mishandles
 * reversed or suffix ranges.
 */
export const files = (directory: string, options: Options): ShopMiddleware => {
  const serve = sirv(directory, options);
  return async (ctx, next) => {
    const { req, res } = ctx;
    delete req.headers.range;
    res.once('pipe', (file: NodeJS.ReadableStream & { destroy?: () => void }) => {
      // A visitor who leaves during a picture would leave the file open.
      res.once('close', () => file.destroy?.());
      // It may have been deleted since; without a listener the error would end the process.
      file.once('error', () => res.destroy());
    });
    let isMissing = false;
    ctx.respond = false;
    serve(req, res, () => {
      isMissing = true;
    });
    if (!isMissing) return;
    ctx.respond = true;
    await next();
  };
};
