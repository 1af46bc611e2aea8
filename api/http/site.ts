import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sirv from 'sirv';

import { isPage } from '#domain/pages.ts';

import { isKnown } from './conditional.ts';
import type { ShopContext, ShopMiddleware } from './context.ts';
import { Refusal } from './refusal.ts';

const YEAR = 31_536_000;
const MONTH = 2_592_000;

/** Files under `assets` carry a hash of their content in their name; pictures are given a new name when they change. */
const CACHING: readonly (readonly [folder: string, caching: string])[] = [
  ['/assets/', `public, max-age=${YEAR}, immutable`],
  ['/pictures/', `public, max-age=${MONTH}`],
];
const BRIEFLY = 'public, max-age=3600';

const cachingOf = (pathname: string): string => CACHING.find(([folder]) => pathname.startsWith(folder))?.[1] ?? BRIEFLY;

const filesOf = (directory: string): ShopMiddleware => {
  const serve = sirv(directory, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders: (res, pathname) => res.setHeader('Cache-Control', cachingOf(pathname)),
  });
  return async ({ req, res }, next) => {
    res.once('pipe', (file: NodeJS.ReadableStream & { destroy?: () => void }) => {
      // A visitor who leaves before the end of a picture would otherwise leave the file open.
      res.once('close', () => file.destroy?.());
      // A newer build may have taken the file away since its name was learned; unheard that would end the process.
      file.once('error', () => res.destroy());
    });
    let isMissing = false;
    serve(req, res, () => {
      isMissing = true;
    });
    if (isMissing) await next();
  };
};

type Encoding = 'br' | 'gzip' | 'identity';
type Shell = { readonly bodies: ReadonlyMap<Encoding, Buffer>; readonly etag: string };

const SUFFIXES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
];

const readShell = async (directory: string): Promise<Shell> => {
  const file = path.join(directory, 'index.html');
  const present = SUFFIXES.filter(([, suffix]) => existsSync(file + suffix));
  const bodies = new Map(await Promise.all(present.map(async ([encoding, suffix]) => [encoding, await readFile(file + suffix)] as const)));
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('base64url');
  return { bodies, etag: `W/"${digest.slice(0, 22)}"` };
};

const showShell = (ctx: ShopContext, { bodies, etag }: Shell): void => {
  const encoding = (ctx.acceptsEncodings(...bodies.keys()) || 'identity') as Encoding;
  ctx.status = isPage(ctx.path) ? 200 : 404;
  ctx.type = 'html';
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', 'no-cache');
  if (ctx.status === 200) {
    ctx.etag = etag;
    if (isKnown(ctx, etag)) {
      ctx.status = 304;
      return;
    }
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = bodies.get(encoding);
};

const READING = new Set(['GET', 'HEAD']);
const isFile = (pathname: string): boolean => pathname.lastIndexOf('.') > pathname.lastIndexOf('/');

/**
 * The build of `web`: its files, compressed when they were built; and for every other path the one page that all screens are made
 * from, with status 404 where the shop has no such screen. Nothing but 404 when there is no build.
 */
export const site = async (directory: string): Promise<ShopMiddleware> => {
  if (!existsSync(path.join(directory, 'index.html'))) return (_, next) => next();
  const files = filesOf(directory);
  const shell = await readShell(directory);
  return (ctx, next) => {
    if (!READING.has(ctx.method))
      throw new Refusal({ status: 405, code: 'method_not_allowed', message: 'Pages can only be read', headers: { Allow: 'GET, HEAD' } });
    if (!isFile(ctx.path)) return showShell(ctx, shell);
    ctx.respond = false;
    return files(ctx, async () => {
      ctx.respond = true;
      await next();
    });
  };
};
