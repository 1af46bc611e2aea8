import sirv, { type Options } from 'sirv';

import type { ShopMiddleware } from './context.ts';

/**
 * Calls the next middleware when there is no such file. Sends whole files only, which is allowed (RFC 9110, 14.2): sirv mishandles reversed
 * and suffix ranges.
 */
export const files = (directory: string, options: Options): ShopMiddleware => {
  const serve = sirv(directory, options);
  return async (ctx, next) => {
    const { req, res } = ctx;
    delete req.headers.range;
    res.once('pipe', (file: NodeJS.ReadableStream & { destroy?: () => void }) => {
      // If the visitor leaves early, the file would stay open.
      res.once('close', () => file.destroy?.());
      // The file may have been deleted; without a listener the error would end the process.
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
