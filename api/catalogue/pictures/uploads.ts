import type { ServerResponse } from 'node:http';
import path from 'node:path';

import type { ShopMiddleware } from '../../http/context.ts';
import { files } from '../../http/files.ts';
import { readBody } from '../../http/json-body.ts';
import { adminOnly } from '../../accounts/sessions/session.ts';
import { keyedMutex } from '../../platform/keyed-mutex.ts';
import { keepPicture } from './picture-files.ts';

const UPLOAD = '/api/product/pictures';
const SHOWN_UNDER = '/pictures/uploads/';
const FILE = /^\/pictures\/uploads\/[0-9a-f]{32}(?:-\d{3,4})?\.webp$/;
const MOST_BYTES = 10 * 1024 * 1024;
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Pictures that admins upload for products: `POST /api/product/pictures` with the file as body answers 201 `{url}`, for a product's
 * `productImageUrl`. They are stored in `DATA_DIR/public` and served below `/pictures/uploads/`, where a name always has the same content.
 * Stands before the middlewares that parse bodies as JSON.
 */
export const uploads = (dataDir: string): ShopMiddleware => {
  const root = path.join(dataDir, 'public');
  const setHeaders = (res: ServerResponse) => void res.setHeader('Cache-Control', FOR_EVER);
  // `dev` makes it look for each file on request: another process may have stored it.
  const kept = files(root, { dev: true, etag: true, setHeaders });
  // One at a time: a decoded picture takes hundreds of megabytes.
  const mutex = keyedMutex();

  const receive: ShopMiddleware = async (ctx) => {
    const bytes = await readBody(ctx.req, MOST_BYTES);
    const name = await mutex('picture', () => keepPicture(path.join(root, SHOWN_UNDER), bytes));
    ctx.status = 201;
    ctx.body = { url: `${SHOWN_UNDER}${name}.webp` };
  };

  return (ctx, next) => {
    if (ctx.path === UPLOAD && ctx.method === 'POST') return adminOnly(ctx, () => receive(ctx, next));
    if (!FILE.test(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    return kept(ctx, next);
  };
};
