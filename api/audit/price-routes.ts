import { Router } from '@koa/router';
import { z } from 'zod';

import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { priceAt, priceHistory, type PriceSince } from '#domain/product/offer.ts';
import { isProductId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { ZERO, rupees } from '#domain/shared/money.ts';

import type { State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { notFound } from '../http/http-error.ts';
import { auditorOnly } from '../accounts/sessions/session.ts';
import type { Shop } from '../composition/types/shop.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { peopleIn } from './people-in.ts';
import { viewEvent } from './audit-json.ts';

/** `2026-11-14T14:03:00+05:30`; the zone is required. */
const Moment = z.object({
  at: z.iso
    .datetime({ offset: true, error: 'A moment such as 2026-11-14T14:03:00+05:30' })
    .transform((text) => instant(new Date(text).toISOString()))
    .optional(),
});

/** In rupees; null while it could not be bought. */
const viewed = ({ price, since, by }: PriceSince) => ({ price: price === ZERO ? null : rupees(price), since, by });

/** Removed products have one too. */
const nameOf = (events: readonly Recorded<ProductEvent>[]): string => {
  const names = events.flatMap(({ type, data }) => {
    if (type === 'ProductAdded') return data.details.name;
    return type === 'ProductDetailsRevised' ? (data.changes.name ?? []) : [];
  });
  return names.at(-1) ?? '';
};

export type PriceRoutesDeps = Pick<Shop, 'store'> & { readonly db: ShopDatabase };

/**
 * `GET /audit/products/:id/prices`: the prices with their start and who set them, oldest first; `people` names those with an account. With
 * `?at=` the answer's `at` is the price at that moment, null before the product existed.
 */
export const priceRoutes = ({ store, db }: PriceRoutesDeps): Router<State> =>
  new Router<State>().get('/audit/products/:id/prices', auditorOnly, async (ctx) => {
    const { at } = parse(Moment, ctx.query);
    const id = ctx.params['id'] ?? '';
    const stream = `product-${id}` as const;
    const events: readonly Recorded<ProductEvent>[] = isProductId(id) ? (await store.read<ProductEvent>(stream)).events : [];
    if (events.length === 0) throw notFound('There is no such product');
    const history = priceHistory(events);
    const then = at && priceAt(history, at);
    const people = await peopleIn(db, events.map(viewEvent));
    ctx.body = { stream, name: nameOf(events), prices: history.map(viewed), people, ...(at && { at: then ? viewed(then) : null }) };
  });
