import { Router } from '@koa/router';
import { z } from 'zod';

import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { priceAt, priceHistory, type PriceSince } from '#domain/product/price-history.ts';
import { isProductId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/instant.ts';
import { NOTHING, rupees } from '#domain/shared/money.ts';

import type { State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { notFound } from '../http/refusal.ts';
import { auditorOnly } from '../http/session.ts';
import type { Shop } from '../open-shop.ts';

/** `2026-11-14T14:03:00+05:30` and the like: a moment has a zone, or it is none. */
const Moment = z.object({
  at: z.iso
    .datetime({ offset: true, error: 'A moment such as 2026-11-14T14:03:00+05:30' })
    .transform((text) => instant(new Date(text).toISOString()))
    .optional(),
});

/** In rupees; null for none, when it could not be bought. */
const viewed = ({ price, since, by }: PriceSince) => ({ price: price === NOTHING ? null : rupees(price), since, by });

/**
 * `GET /audit/products/:id/prices`: what a product has cost, from when on and who said so, oldest first. `?at=` names a moment, and
 * `at` of the answer is what it cost then; null before it was there.
 */
export const priceRoutes = ({ store }: Pick<Shop, 'store'>): Router<State> =>
  new Router<State>().get('/audit/products/:id/prices', auditorOnly, async (ctx) => {
    const { at } = parse(Moment, ctx.query);
    const id = ctx.params['id'] ?? '';
    const stream = `product-${id}` as const;
    const events: readonly Recorded<ProductEvent>[] = isProductId(id) ? (await store.read<ProductEvent>(stream)).events : [];
    if (events.length === 0) throw notFound('There is no such product');
    const history = priceHistory(events);
    const then = at && priceAt(history, at);
    ctx.body = { stream, prices: history.map(viewed), ...(at && { at: then ? viewed(then) : null }) };
  });
