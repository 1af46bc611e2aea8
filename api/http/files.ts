import sirv, { type Options } from 'sirv';

import type { ShopMiddleware } from './context.ts';

/**
 * Serves the files of a directory; what is not there is for the next. Each goes out whole, which is always allowed (RFC 9110, 14.2): of a
 * `Range` that is turned round or counts from the end sirv makes something else.
 */
export const files = (directory: string, options: Options): ShopMiddleware => {
  const serve = sirv(directory, options);
  return async (ctx, next) => {
    const { req, res } = ctx;
    delete req.headers.range;
    res.once('pipe', (file: NodeJS.ReadableStream & { destroy?: () => void }) => {
      // A visitor who leaves before the end of a picture would otherwise leave the file open.
      res.once('close', () => file.destroy?.());
      // The file may have been taken away since it was looked for; unheard that would end the process.
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
