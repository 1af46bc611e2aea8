import type { ShopContext } from './context.ts';
import type { Headers } from './headers.ts';

/** Of JSON that caches may keep but must ask about each time: it may change any moment. */
export const headersOfEdition = (etag: string): Headers => [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'no-cache',
  'ETag',
  etag,
];

const weak = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Whether the caller already has the answer with this tag. Unlike Koa's `fresh` it also counts with `Cache-Control: no-cache`, which
 * `fetch` adds by itself to a request with `If-None-Match`: who names the tag wants to know whether it is still true.
 */
export const isKnown = ({ req, method }: Pick<ShopContext, 'req' | 'method'>, etag: string): boolean => {
  const known = req.headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known === etag || known.trim() === '*' || known.split(',').some((tag) => weak(tag) === weak(etag));
};
