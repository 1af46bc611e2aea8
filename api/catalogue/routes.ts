import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import type { ProductView, StaffProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { shownOnPage, type IndexedProduct } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { decodeJson, jsonArray, type EncodedJson } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import { userToday } from '../accounts/sessions/session.ts';
import type { ShopContext, ShopMiddleware, State } from '../http/context.ts';
import type { FindCachedResponse } from '../fast-path/fast-path.ts';
import { fresh } from '../http/freshness.ts';
import { setHeaders } from '../http/headers.ts';
import { sendCachedResponse, JSON_TYPE, revalidated, type CachedResponse } from '../fast-path/cached-response.ts';
import { LISTING, ListingAnswers } from './listing-answers.ts';

export type BrowsingDeps = {
  readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor' | 'stockOf'>;
  /** Of the requests that may be an admin's; it gives no right. */
  readonly isMarked: (req: IncomingMessage) => boolean;
  readonly now: () => Instant;
};

/** `GET /api/product` and `GET /api/product/:id`, from memory, without a query. */
export type ProductRoutes = {
  /** Leaves marked requests to `staffRoutes`. */
  readonly routes: Router<State>;
  /** Behind the session: admins also get each product's stock. */
  readonly staffRoutes: Router<State>;
  readonly ready: FindCachedResponse;
};

const PRODUCT = `${LISTING}/`;

export const productRoutes = ({ catalogue, isMarked, now }: BrowsingDeps): ProductRoutes => {
  const pages = new ListingAnswers(catalogue);

  const listing = (req: IncomingMessage, query: string): CachedResponse => {
    const { products, etag, headers } = pages.to(query);
    return revalidated(req, { route: `GET ${LISTING}`, type: JSON_TYPE, etag, headers, body: () => jsonArray(products) });
  };

  const product = (req: IncomingMessage, item: IndexedProduct): CachedResponse => {
    const { etag, json } = shownOnPage(item, now);
    return revalidated(req, { route: `GET ${LISTING}/:id`, type: JSON_TYPE, etag, body: () => json });
  };

  const current = fresh(catalogue, ['product', 'stock']);
  const offered = (id = ''): IndexedProduct => {
    const item = catalogue.get(id);
    if (!item) throw new Rejected({ code: 'product_not_found' });
    return item;
  };
  const unlessMarked =
    (answer: (ctx: ShopContext) => CachedResponse): ShopMiddleware =>
    (ctx, next) =>
      isMarked(ctx.req) ? next() : sendCachedResponse(ctx, answer(ctx));
  const listingFor = (ctx: ShopContext) => listing(ctx.req, ctx.querystring);
  const productFor = (ctx: ShopContext) => product(ctx.req, offered(ctx['params'].id));
  const routes = new Router<State>()
    .get(LISTING, current, unlessMarked(listingFor))
    .get(`${LISTING}/:id`, current, unlessMarked(productFor));

  const withStock = (json: EncodedJson): StaffProductView => {
    const view: ProductView = JSON.parse(decodeJson(json)); // written by the projector
    return { ...view, stock: catalogue.stockOf(view._id) };
  };
  const isAdmin = async (ctx: ShopContext): Promise<boolean> => (await userToday(ctx))?.isAdmin ?? false;
  /** Without a tag, since it is not to be kept. */
  const staffRoutes = new Router<State>()
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

  const ready: FindCachedResponse = (req, path, query) => {
    if (path !== LISTING && !path.startsWith(PRODUCT)) return undefined;
    if (isMarked(req)) return undefined;
    if (path === LISTING) return listing(req, query);
    // Not for an encoded id, which the router decodes.
    const item = catalogue.get(path.slice(PRODUCT.length));
    return item && product(req, item);
  };

  return { routes, staffRoutes, ready };
};
