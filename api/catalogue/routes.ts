import type { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import type { ProductView, StaffProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { shownOnPage, type IndexedProduct } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import type { Filter } from '#projections/catalogue/product-index.ts';
import { decodeJson, jsonArray, type EncodedJson } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import { hasDutyToday } from '../accounts/sessions/session.ts';
import type { ShopContext, ShopMiddleware, State } from '../http/context.ts';
import { waitForReadModel } from '../http/freshness.ts';
import { setHeaders } from '../http/headers.ts';
import { sendCachedResponse, JSON_TYPE, revalidated, type CachedResponse } from '../http/cached-response.ts';
import { createRouter } from '../http/router.ts';
import { LISTING, ListingAnswers } from './listing-answers.ts';

export type BrowsingDeps = {
  readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor' | 'stockOf' | 'countLow' | 'reviewsOf'>;
  /** Returns whether the request may be an admin's. It gives no permission. */
  readonly isMarked: (ctx: ShopContext) => boolean;
  readonly now: () => Instant;
};

/** Serves `GET /api/product` and `GET /api/product/:id` from memory, without a query. */
export type ProductRoutes = {
  /** Leaves marked requests to `staffRoutes`. */
  readonly routes: Router<State>;
  /** Runs after the session middleware, because admins also get each product's stock, and `GET /admin/products/counts`. */
  readonly staffRoutes: Router<State>;
};

export const productRoutes = ({ catalogue, isMarked, now }: BrowsingDeps): ProductRoutes => {
  const pages = new ListingAnswers(catalogue);

  const listing = (req: IncomingMessage, query: string): CachedResponse => {
    const { products, etag, headers } = pages.to(query);
    return revalidated(req, { type: JSON_TYPE, etag, headers, body: () => jsonArray(products) });
  };

  const product = (req: IncomingMessage, item: IndexedProduct): CachedResponse => {
    const { etag, json } = shownOnPage(item, now);
    return revalidated(req, { type: JSON_TYPE, etag, body: () => json });
  };

  const current = waitForReadModel(catalogue, ['product', 'stock', 'review']);
  const offered = (id = ''): IndexedProduct => {
    const item = catalogue.get(id);
    if (!item) throw new Rejected({ code: 'product_not_found' });
    return item;
  };
  const unlessMarked =
    (answer: (ctx: ShopContext) => CachedResponse): ShopMiddleware =>
    (ctx, next) =>
      isMarked(ctx) ? next() : sendCachedResponse(ctx, answer(ctx));
  const listingFor = (ctx: ShopContext) => listing(ctx.req, ctx.querystring);
  const productFor = (ctx: ShopContext) => product(ctx.req, offered(ctx['params'].id));
  const routes = createRouter().get(LISTING, current, unlessMarked(listingFor)).get(`${LISTING}/:id`, current, unlessMarked(productFor));

  const withStock = (json: EncodedJson): StaffProductView => {
    const view: ProductView = JSON.parse(decodeJson(json)); // written by the projector
    const { _id: id, ratingStar, reviewsCount } = view;
    const shown = { ...view, stock: catalogue.stockOf(id) };
    const { count } = catalogue.reviewsOf(id);
    if (count === 0) return shown;
    return { ...shown, own: { ratingStar: catalogue.get(id)?.ownRating ?? ratingStar, reviewsCount: reviewsCount - count } };
  };
  const count = (filter: Filter): number => catalogue.page({ filter, sort: 'name', limit: 1 }).total;
  /** The responses have no tag, because they are not to be cached. */
  const staffRoutes = createRouter()
    .get('/api/admin/products/counts', current, (ctx) => {
      ctx.body = {
        all: count({}),
        outOfStock: count({ inStock: false }),
        featured: count({ featured: true }),
        bestsellers: count({ bestseller: true }),
        trending: count({ trending: true }),
        withoutPicture: count({ pictured: false }),
        low: catalogue.countLow(),
      };
    })
    .get(LISTING, async (ctx) => {
      if (!(await hasDutyToday(ctx, 'products'))) return sendCachedResponse(ctx, listingFor(ctx));
      const { products, headers } = pages.to(ctx.querystring);
      setHeaders(ctx.res, headers);
      ctx.body = products.map(withStock);
    })
    .get(`${LISTING}/:id`, async (ctx) => {
      if (!(await hasDutyToday(ctx, 'products'))) return sendCachedResponse(ctx, productFor(ctx));
      ctx.body = withStock(shownOnPage(offered(ctx.params['id']), now).json);
    });

  return { routes, staffRoutes };
};
