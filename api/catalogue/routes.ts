import type { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import type { ProductView, StaffProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { shownOnPage, type IndexedProduct } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { decodeJson, jsonArray, type EncodedJson } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import { userToday } from '../accounts/sessions/session.ts';
import type { ShopContext, ShopMiddleware, State } from '../http/context.ts';
import { waitForReadModel } from '../http/freshness.ts';
import { setHeaders } from '../http/headers.ts';
import { sendCachedResponse, JSON_TYPE, revalidated, type CachedResponse } from '../http/cached-response.ts';
import { createRouter } from '../http/router.ts';
import { LISTING, ListingAnswers } from './listing-answers.ts';

export type BrowsingDeps = {
  readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor' | 'stockOf'>;
  /** Returns whether the request may be an admin's. It gives no permission. */
  readonly isMarked: (ctx: ShopContext) => boolean;
  readonly now: () => Instant;
};

/** Serves `GET /api/product` and `GET /api/product/:id` from memory, without a query. */
export type ProductRoutes = {
  /** Leaves marked requests to `staffRoutes`. */
  readonly routes: Router<State>;
  /** Runs after the session middleware, because admins also get each product's stock. */
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

  const current = waitForReadModel(catalogue, ['product', 'stock']);
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
    return { ...view, stock: catalogue.stockOf(view._id) };
  };
  const isAdmin = async (ctx: ShopContext): Promise<boolean> => (await userToday(ctx))?.isAdmin ?? false;
  /** The responses have no tag, because they are not to be cached. */
  const staffRoutes = createRouter()
    .get(LISTING, async (ctx) => {
      if (!(await isAdmin(ctx))) return sendCachedResponse(ctx, listingFor(ctx));
      const { products, headers } = pages.to(ctx.querystring);
      setHeaders(ctx.res, headers);
      ctx.body = products.map(withStock);
    })
    .get(`${LISTING}/:id`, async (ctx) => {
      if (!(await isAdmin(ctx))) return sendCachedResponse(ctx, productFor(ctx));
      ctx.body = withStock(shownOnPage(offered(ctx.params['id']), now).json);
    });

  return { routes, staffRoutes };
};
