import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type Router from '@koa/router';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';

import { listWidths } from '#domain/site/pictures.ts';

import type { ShopMiddleware, State } from '../http/context.ts';
import { files } from '../http/files.ts';
import { readBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import { getErrorCode } from '../platform/cannot-start.ts';
import { HttpError } from '../http/http-error.ts';

/** Widths are in px, narrowest first. A picture is never enlarged. */
const WIDTHS = listWidths('/pictures/uploads/any.webp');
const MOST_PIXELS = 50_000_000;

/** The decoder determines the format, whatever the sender claims. SVG is not allowed, because it can contain scripts. */
const FORMATS = new Set(['jpeg', 'png', 'webp', 'heif']);

const refused = (message: string): HttpError =>
  new HttpError({ status: 400, code: 'picture_refused', message, errors: { picture: message } });
const NOT_A_PICTURE = 'This is not a picture that the shop can show. Send a JPEG, PNG, WebP or AVIF.';
const TOO_LARGE = `The picture has more than ${MOST_PIXELS / 1_000_000} million pixels. Send a smaller one.`;

const isThere = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
};

const open = async (bytes: Buffer) => {
  // This is the server's largest library and rarely needed, so it is loaded on demand.
  const { default: sharp } = await import('sharp');
  if (bytes.length === 0) throw refused(NOT_A_PICTURE);
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  const { format, width, height } = await picture.metadata().catch(() => {
    throw refused(NOT_A_PICTURE);
  });
  if (!FORMATS.has(format)) throw refused(NOT_A_PICTURE);
  if (width * height > MOST_PIXELS) throw refused(TOO_LARGE);
  // The picture is rotated as recorded; all other metadata are dropped.
  return picture.autoOrient();
};

/**
 * Stores a picture as WebP in several widths, encoded anew: `<digest>.webp` and `<digest>-480.webp`. Returns its name, which is the same
 * for the same bytes. Throws a 400 for anything but a picture, and for one that is too large.
 */
const keepPicture = async (directory: string, bytes: Buffer): Promise<string> => {
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const whole = path.join(directory, `${name}.webp`);
  if (await isThere(whole)) return name;
  const picture = await open(bytes);
  await mkdir(directory, { recursive: true });

  const write = async (width: number, file: string): Promise<void> => {
    const draft = `${file}.${randomUUID()}`;
    try {
      const resized = picture.clone().resize({ width, withoutEnlargement: true });
      await resized
        .webp({ quality: 80, effort: 4, smartSubsample: true })
        .toFile(draft)
        .catch(() => {
          throw refused(NOT_A_PICTURE);
        });
      // The file appears completely or not at all.
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  };
  // The file that proves that all files exist comes last.
  for (const width of WIDTHS) await write(width, path.join(directory, `${name}-${width}.webp`));
  await write(WIDTHS[WIDTHS.length - 1] ?? 0, whole);
  return name;
};

const SHOWN_UNDER = '/pictures/uploads/';
const FILE = /^\/pictures\/uploads\/[0-9a-f]{32}(?:-\d{3,4})?\.webp$/;
const MOST_BYTES = 10 * 1024 * 1024;
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Handles `POST /api/product/pictures` with the file as body: responds with 201 `{url}`, for a product's `productImageUrl`. Files
 * are stored in `DATA_DIR/public` and served below `/pictures/uploads/`, where a name always has the same content. Runs before the
 * middlewares that parse bodies as JSON.
 */
export const uploads = (dataDir: string): { readonly routes: Router<State>; readonly files: ShopMiddleware } => {
  const root = path.join(dataDir, 'public');
  const setHeaders = (res: ServerResponse) => void res.setHeader('Cache-Control', FOR_EVER);
  // `dev` makes sirv look for each file on request, since another process may have stored it.
  const kept = files(root, { dev: true, etag: true, setHeaders });
  // A decoded picture takes hundreds of megabytes, so one is decoded at a time.
  const mutex = keyedMutex();

  const receive: ShopMiddleware = async (ctx) => {
    const bytes = await readBody(ctx, MOST_BYTES);
    const name = await mutex('picture', () => keepPicture(path.join(root, SHOWN_UNDER), bytes));
    ctx.status = 201;
    ctx.body = { url: `${SHOWN_UNDER}${name}.webp` };
  };

  return {
    routes: createRouter({ prefix: '/api' }).post('/product/pictures', receive),
    files: (ctx, next) => (FILE.test(ctx.path) && (ctx.method === 'GET' || ctx.method === 'HEAD') ? kept(ctx, next) : next()),
  };
};
