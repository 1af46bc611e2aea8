import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';

import { pagePath, pages, withoutToken, verifyPath } from '#domain/site/pages.ts';
import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { Listing } from '#projections/catalogue/listing.ts';

import { loadRenderer } from './server-rendering.ts';
import { Documents, FOR_ROBOTS, isOwn, type Document } from './documents.ts';
import { readShell, type ShopFacts } from './shell.ts';
import { openVerifyPage } from './verify-page.ts';
import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { files } from '../http/files.ts';
import { waitForReadModel } from '../http/freshness.ts';
import { sendCachedResponse, revalidated, type CachedResponse } from '../http/cached-response.ts';
import { HttpError } from '../http/http-error.ts';

const YEAR = 31_536_000;
const MONTH = 2_592_000;

/** Files under `assets` have a hash of their content in their name; changed pictures get a new name. */
const CACHING: readonly (readonly [folder: string, caching: string])[] = [
  ['/assets/', `public, max-age=${YEAR}, immutable`],
  ['/pictures/', `public, max-age=${MONTH}`],
];
const BRIEFLY = 'public, max-age=3600';

const getCacheControl = (pathname: string): string => CACHING.find(([folder]) => pathname.startsWith(folder))?.[1] ?? BRIEFLY;

const builtFiles = (directory: string): ShopMiddleware =>
  files(directory, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders: (res, pathname) => res.setHeader('Cache-Control', getCacheControl(pathname)),
  });

/** Better encodings come first. */
const ENCODINGS = ['br', 'gzip'] as const;
const ACCEPTED = /(?:^|,)\s*([\w-]+|\*)\s*(?:;\s*q=([\d.]+)\s*)?(?=,|$)/gi;

/** Chooses by `Accept-Encoding` (RFC 9110); of the weights only 0 is respected. */
const encodingFor = ({ headers }: Pick<IncomingMessage, 'headers'>): 'br' | 'gzip' | 'identity' => {
  const weights = new Map<string, number>();
  for (const [, name = '', weight = '1'] of String(headers['accept-encoding'] ?? '').matchAll(ACCEPTED))
    weights.set(name.toLowerCase(), Number(weight));
  return ENCODINGS.find((each) => (weights.get(each) ?? weights.get('*') ?? 0) > 0) ?? 'identity';
};

const TYPES = { html: 'text/html; charset=utf-8', xml: 'application/xml', txt: 'text/plain; charset=utf-8' } as const;

/** `vary` names what the page depends on besides the encoding. */
const pageAnswer = (req: IncomingMessage, { status, type, content }: Document, vary: readonly string[] = []): CachedResponse => {
  const encoding = encodingFor(req);
  const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
  const headers = ['Vary', [...vary, 'Accept-Encoding'].join(', ')];
  if (status === 200)
    return revalidated(req, { type: TYPES[type], etag: content.etag, headers, encoded, body: () => content.as(encoding) });
  const more = ['Content-Type', TYPES[type], 'Cache-Control', 'no-cache', ...encoded];
  return { status, headers: [...headers, ...more], body: content.as(encoding) };
};

/** These readable cookies belong to a session (accounts/sessions/session-cookies.ts). */
const HINTS = ['visitor', 'signed_in'];
const isNewcomer = (ctx: ShopContext): boolean => !HINTS.some((hint) => ctx.cookies.get(hint) === '1');

const READING = new Set(['GET', 'HEAD']);
const isFile = (pathname: string): boolean => pathname.lastIndexOf('.') > pathname.lastIndexOf('/');

/** Returns whether it is a navigation instead of a request for a picture or a script. */
const isRead = ({ req }: ShopContext): boolean => req.headers.accept?.includes('text/html') ?? false;

/** Returns where to redirect a path with a slash at its end, in another letter case, or to `/index.html`. */
const pageMeant = (path: string): string | undefined => {
  if (path === '/index.html') return pages.home;
  const page = pagePath(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  return page === path ? undefined : page;
};

export type SiteDeps = ShopFacts & {
  /** The directory is that of the build of `web`. */
  readonly directory: string;
  readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor'>;
  readonly publicUrl: string;
  readonly now: () => Instant;
  /** Reads the keys that receipts are verified with. */
  readonly readReceiptPolicy: () => Promise<ReceiptPolicy>;
  readonly log: Pick<Logger, 'error'>;
};

/**
 * Serves the build of `web`: its compressed files, and for every other path the document with that page's content and first data, with
 * status 404 where the shop has no such page or product. A navigation to a missing file gets such a page too. Without a build it is always
 * 404.
 */
export const site = async ({
  directory,
  catalogue,
  publicUrl,
  now,
  readReceiptPolicy,
  log,
  ...facts
}: SiteDeps): Promise<ShopMiddleware> => {
  const shell = await readShell(directory, facts);
  if (!shell) return (_, next) => next();
  const built = builtFiles(directory);
  const onFailure = (error: unknown, address: string) => log.error({ err: error, address }, 'A page could not be rendered on the server');
  const renderScreen = await loadRenderer({ directory, hero: facts.hero, onFailure });
  const documents = new Documents({ shell, catalogue, url: publicUrl, renderScreen, now });
  const current = waitForReadModel(catalogue, ['product']);
  const readVerifyPage = await openVerifyPage(directory, readReceiptPolicy);
  const showVerifyPage = async (ctx: ShopContext, read: NonNullable<typeof readVerifyPage>): Promise<void> => {
    const { document, contentPolicy } = await read();
    sendCachedResponse(ctx, pageAnswer(ctx.req, document));
    ctx.set({ 'Content-Security-Policy': contentPolicy, 'Referrer-Policy': 'no-referrer' });
  };

  return (ctx, next) => {
    if (!READING.has(ctx.method))
      throw new HttpError({ status: 405, code: 'method_not_allowed', message: 'Pages can only be read', headers: { Allow: 'GET, HEAD' } });
    const meant = pageMeant(ctx.path);
    if (meant !== undefined) {
      ctx.status = 308;
      return ctx.redirect(meant + ctx.search);
    }
    if (ctx.path === verifyPath && readVerifyPage) return showVerifyPage(ctx, readVerifyPage);
    const showDocument = (vary: readonly string[] = []) =>
      current(ctx, async () => {
        const document = await documents.at(ctx.path, new URLSearchParams(ctx.querystring), isNewcomer(ctx));
        sendCachedResponse(ctx, pageAnswer(ctx.req, document, isOwn(ctx.path) ? [...vary, 'Cookie'] : vary));
        if (withoutToken(ctx.path) !== ctx.path) ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
      });
    if (FOR_ROBOTS.has(ctx.path) || !isFile(ctx.path)) return showDocument();
    return built(ctx, () => {
      ctx.vary('Accept');
      return isRead(ctx) ? showDocument(['Accept']) : next();
    });
  };
};
