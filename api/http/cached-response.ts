import type { IncomingMessage } from 'node:http';

import type { EncodedJson } from '#projections/reading/encoded-json.ts';

import type { ShopContext } from './context.ts';
import { setHeaders, type Headers } from './headers.ts';

/** Complete in memory. */
export type CachedResponse = {
  readonly status: 200 | 304 | 404;
  readonly headers: Headers;
  readonly body: EncodedJson | Buffer;
};

/** The response is described before the request's conditions (`If-None-Match`) are checked. */
type Content = {
  readonly type: string;
  readonly etag: string;
  /** These headers are set besides those of type, tag and caching. */
  readonly headers?: Headers;
  /** The `Cache-Control`; by default caches must ask each time, because the response may change any moment. */
  readonly caching?: string;
  /** These headers are about the encoding of the body. */
  readonly encoded?: Headers;
  readonly body: () => EncodedJson | Buffer;
};

type Asking = Pick<IncomingMessage, 'headers' | 'method'>;

const NOTHING = Buffer.alloc(0);

const weak = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Unlike Koa's `ctx.fresh`, this check also counts with `Cache-Control: no-cache`, which `fetch` adds to a request with `If-None-Match`. */
const isKnown = ({ headers, method }: Asking, etag: string): boolean => {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known === etag || known.trim() === '*' || known.split(',').some((tag) => weak(tag) === weak(etag));
};

/** Returns 200, or 304 to a caller that has it already. */
export const revalidated = (
  req: Asking,
  { type, etag, headers = [], encoded = [], caching = 'no-cache', body }: Content,
): CachedResponse => {
  const common = ['Cache-Control', caching, 'ETag', etag, ...headers];
  if (isKnown(req, etag)) return { status: 304, headers: common, body: NOTHING };
  return { status: 200, headers: ['Content-Type', type, ...common, ...encoded], body: body() };
};

export const JSON_TYPE = 'application/json; charset=utf-8';

const encodeBody = (body: EncodedJson | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

export const sendCachedResponse = (ctx: ShopContext, { status, headers, body }: CachedResponse): void => {
  ctx.status = status;
  setHeaders(ctx.res, headers);
  if (status !== 304) ctx.body = encodeBody(body);
};

export const sendJson = (ctx: ShopContext, json: EncodedJson | Buffer): void => {
  ctx.res.setHeader('Content-Type', JSON_TYPE);
  ctx.body = encodeBody(json);
};
