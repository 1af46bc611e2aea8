import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import type { Item } from '#projections/catalogue/item.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { arrayOf } from '#projections/wire.ts';

import { Rejected } from '../execute.ts';
import { headersOfEdition, isKnown } from '../http/conditional.ts';
import type { ShopContext, State } from '../http/context.ts';
import { bringsPositions, fresh } from '../http/freshness.ts';
import { setHeaders } from '../http/headers.ts';
import { sendJson } from '../http/ready-json.ts';
import type { ReadyAnswer } from '../http/ready-answers.ts';
import { ListingAnswers, type ListingAnswer } from './listing-answers.ts';

export type BrowsingDeps = { readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor'> };

/** `GET /api/product` and `GET /api/product/:id` (decisions, section 3), from memory and without a query to the database. */
export type Browsing = {
  readonly routes: Router<State>;
  /** The answer to the same, asked in the plainest way, where it can be sent as it is. */
  ready(req: IncomingMessage): ReadyAnswer | undefined;
};

const LISTING = '/api/product';

/** Without conditions, and by nobody who has to see something of their own in it. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['if-none-match'] === undefined && !bringsPositions({ headers });

/** 304 to who has it. */
const send = (ctx: ShopContext, etag: string, { headers, body }: Pick<ReadyAnswer, 'headers' | 'body'>): void => {
  setHeaders(ctx.res, headers);
  if (isKnown(ctx, etag)) ctx.status = 304;
  else sendJson(ctx, body);
};

export const browsing = ({ catalogue }: BrowsingDeps): Browsing => {
  const pages = new ListingAnswers(catalogue);
  const pageAnswer = ({ headers, products }: ListingAnswer): ReadyAnswer => ({
    route: `GET ${LISTING}`,
    headers,
    body: arrayOf(products),
  });

  const productAnswer = ({ etag, json }: Item): ReadyAnswer => ({
    route: `GET ${LISTING}/:id`,
    headers: headersOfEdition(etag),
    body: json,
  });

  const current = fresh(catalogue, ['product']);
  const routes = new Router<State>()
    .get(LISTING, current, (ctx) => {
      const page = pages.to(ctx);
      send(ctx, page.etag, pageAnswer(page));
    })
    .get(`${LISTING}/:id`, current, (ctx) => {
      const item = catalogue.get(ctx.params['id'] ?? '');
      if (!item) throw new Rejected({ code: 'product_not_found' });
      send(ctx, item.etag, productAnswer(item));
    });

  const ready: Browsing['ready'] = (req) => {
    const { url = '' } = req;
    if (!url.startsWith(LISTING) || !isPlain(req)) return undefined;
    const rest = url.slice(LISTING.length);
    if (rest.startsWith('/')) {
      // An id that was encoded for the URL is not found here, and read by the router.
      const item = catalogue.get(rest.slice(1));
      return item && productAnswer(item);
    }
    const page = rest.startsWith('?') ? pages.known(rest.slice(1)) : undefined;
    return page && pageAnswer(page);
  };

  return { routes, ready };
};
