import type { Router } from '@koa/router';
import { z } from 'zod';

import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { priceAt, priceHistory, type PriceSince } from '#domain/product/offer.ts';
import { isProductId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { ZERO, rupees } from '#domain/shared/money.ts';
import { explainStock } from '#domain/stock/stock-audit.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';
import { viewStock } from '#domain/stock/view.ts';

import type { ShopContext, State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { notFound } from '../http/http-error.ts';
import { createRouter } from '../http/router.ts';
import type { Shop } from '../shop.ts';
import { productStream } from '#domain/product/product.ts';
import { findPeople } from './people-in.ts';
import { viewEvent } from './audit-json.ts';

const A_MOMENT = 'A moment such as 2026-11-14T14:03:00+05:30';
/** Parses a time; the zone is required. It may move the first and the last day out of the years that have four digits. */
const moment = z.iso
  .datetime({ offset: true, error: A_MOMENT })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^\d{4}-/.test(text), A_MOMENT)
  .transform(instant);
const Moment = z.object({ at: moment.optional() });
const RevisionOrMoment = z.object({
  at: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .or(moment)
    .optional(),
});

/** The price is in rupees; null while the product could not be bought. */
const viewed = ({ price, since, by }: PriceSince) => ({ price: price === ZERO ? null : rupees(price), since, by });

/** Returns the product's name, even if the product was removed. */
const getLastName = (events: readonly Recorded<ProductEvent>[]): string => {
  const names = events.flatMap(({ type, data }) => {
    if (type === 'ProductAdded') return data.details.name;
    return type === 'ProductDetailsRevised' ? (data.changes.name ?? []) : [];
  });
  return names.at(-1) ?? '';
};

export type ProductAuditDeps = Pick<Shop, 'store' | 'db' | 'sealed'>;

type Context = ShopContext & { params: Record<string, string> };

const showPrices = async (ctx: Context, deps: ProductAuditDeps): Promise<void> => {
  const { at } = parse(Moment, ctx.query);
  const id = ctx.params['id'] ?? '';
  if (!isProductId(id)) throw notFound('There is no such product');
  const stream = productStream(id);
  const { events } = await deps.store.read<ProductEvent>(stream);
  if (events.length === 0) throw notFound('There is no such product');
  const history = priceHistory(events);
  const then = at && priceAt(history, at);
  const people = await findPeople(deps, events.map(viewEvent));
  ctx.body = { stream, name: getLastName(events), prices: history.map(viewed), people, ...(at && { at: then ? viewed(then) : null }) };
};

const showStock = async (ctx: Context, { store }: ProductAuditDeps): Promise<void> => {
  const { at } = parse(RevisionOrMoment, ctx.query);
  const id = ctx.params['id'] ?? '';
  if (!isProductId(id)) throw notFound('There is no such product');
  const stream = stockStream(id);
  const [{ events }, ofProduct] = await Promise.all([store.read<StockEvent>(stream), store.read<ProductEvent>(productStream(id))]);
  if (events.length === 0) throw notFound('No bottles of this product were ever counted');
  const until = events.filter(({ revision, metadata }) => (typeof at === 'number' ? revision <= at : !at || metadata.recordedAt <= at));
  const last = until.at(-1);
  const amounts = explainStock(until).map(({ parts, ...amount }) => ({
    ...amount,
    parts: parts.map(({ revision, type, ...part }) => ({ ...part, event: { stream, revision, type } })),
  }));
  ctx.body = {
    stream,
    name: getLastName(ofProduct.events),
    count: events.length,
    revision: last?.revision ?? null,
    recordedAt: last?.metadata.recordedAt ?? null,
    stock: viewStock(until.reduce(stock.evolve, stock.initial)),
    amounts,
  };
};

/**
 * `GET /audit/products/:id/prices` returns the prices with their first moment and who set them, oldest first; `people` names actors who
 * have an account. With `?at=` the answer's `at` is the price at that moment, null before the product existed.
 *
 * `GET /audit/products/:id/stock` returns its bottles after the event of `?at=` (a revision, or a moment; default: the last of `count`),
 * and the events from which each of the amounts comes. `stock` is null while it was not counted.
 */
export const productAuditRoutes = (deps: ProductAuditDeps): Router<State> =>
  createRouter()
    .get('/audit/products/:id/prices', (ctx) => showPrices(ctx, deps))
    .get('/audit/products/:id/stock', (ctx) => showStock(ctx, deps));
