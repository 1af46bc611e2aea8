import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import type { IndexedProduct } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { jsonArray } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import type { State } from '../http/context.ts';
import type { FindCachedResponse } from '../fast-path/fast-path.ts';
import { fresh } from '../http/freshness.ts';
import { sendCachedResponse, JSON_TYPE, revalidated, type CachedResponse } from '../fast-path/cached-response.ts';
import { LISTING, ListingAnswers } from './listing-answers.ts';

export type BrowsingDeps = { readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor'> };

/** `GET /api/product` and `GET /api/product/:id`, from memory, without a query. */
export type ProductRoutes = {
  readonly routes: Router<State>;
  readonly ready: FindCachedResponse;
};

const PRODUCT = `${LISTING}/`;

export const productRoutes = ({ catalogue }: BrowsingDeps): ProductRoutes => {
  const pages = new ListingAnswers(catalogue);

  const listing = (req: IncomingMessage, query: string): CachedResponse => {
    const { products, etag, headers } = pages.to(query);
    return revalidated(req, { route: `GET ${LISTING}`, type: JSON_TYPE, etag, headers, body: () => jsonArray(products) });
  };

  const product = (req: IncomingMessage, { etag, json }: IndexedProduct): CachedResponse =>
    revalidated(req, { route: `GET ${LISTING}/:id`, type: JSON_TYPE, etag, body: () => json });

  const current = fresh(catalogue, ['product', 'stock']);
  const routes = new Router<State>()
    .get(LISTING, current, (ctx) => sendCachedResponse(ctx, listing(ctx.req, ctx.querystring)))
    .get(`${LISTING}/:id`, current, (ctx) => {
      const item = catalogue.get(ctx.params['id'] ?? '');
      if (!item) throw new Rejected({ code: 'product_not_found' });
      sendCachedResponse(ctx, product(ctx.req, item));
    });

  const ready: FindCachedResponse = (req, path, query) => {
    if (path === LISTING) return listing(req, query);
    if (!path.startsWith(PRODUCT)) return undefined;
    // Not for an encoded id, which the router decodes.
    const item = catalogue.get(path.slice(PRODUCT.length));
    return item && product(req, item);
  };

  return { routes, ready };
};
