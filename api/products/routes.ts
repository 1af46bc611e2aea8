import { Router } from '@koa/router';

import { productAnswer, type Answer } from '#projections/catalogue/answer.ts';
import type { Item } from '#projections/catalogue/item.ts';
import type { Listing } from '#projections/catalogue/listing.ts';

import { Rejected } from '../execute.ts';
import { isKnown } from '../http/conditional.ts';
import type { ShopContext, State } from '../http/context.ts';
import { fresh } from '../http/freshness.ts';
import { ListingAnswers } from './listing-answers.ts';

export type ProductRoutesDeps = { readonly catalogue: Pick<Listing, 'page' | 'get' | 'edition' | 'waitFor'> };

/** Sends JSON that is there already, or 304 to who has it. Caches may keep it but must ask each time: a price may change any moment. */
const send = (ctx: ShopContext, { body, etag }: Answer): void => {
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.res.setHeader('Cache-Control', 'no-cache');
  ctx.res.setHeader('ETag', etag);
  if (isKnown(ctx, etag)) ctx.status = 304;
  else ctx.body = body;
};

/** Browsing: `GET /product` and `GET /product/:id` (decisions, section 3), from memory and without a query to the database. */
export const productRoutes = ({ catalogue }: ProductRoutesDeps): Router<State> => {
  const answers = new ListingAnswers(catalogue);
  // An item never changes, so its tag is worked out once.
  const products = new WeakMap<Item, Answer>();
  const answerOf = (item: Item): Answer => {
    const answer = products.get(item) ?? productAnswer(item);
    products.set(item, answer);
    return answer;
  };
  const current = fresh(catalogue, ['product']);

  return new Router<State>()
    .get('/product', current, (ctx) => {
      const answer = answers.to(ctx);
      ctx.set('X-Total-Count', answer.total);
      if (answer.link) ctx.set('Link', answer.link);
      send(ctx, answer);
    })
    .get('/product/:id', current, (ctx) => {
      const item = catalogue.get(ctx.params['id'] ?? '');
      if (!item) throw new Rejected({ code: 'product_not_found' });
      send(ctx, answerOf(item));
    });
};
