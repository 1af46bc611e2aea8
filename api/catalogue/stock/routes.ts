import type { Router } from '@koa/router';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

import { product, productStream } from '#domain/product/product.ts';
import { isProductId, type ProductId } from '#domain/shared/ids.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import {
  computeAvailable,
  LONGEST_REMOVAL_REASON,
  MOST_BOTTLES,
  stock,
  type Stock,
  type StockCommand,
  stockStream,
} from '#domain/stock/stock.ts';
import { viewStock } from '#domain/stock/view.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { stockLists, type Stocks } from '#projections/catalogue/stock-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { askOnce, formatActorName, type StaffNames } from '../../accounts/actor-name.ts';
import { commandMetadata } from '../../accounts/sessions/session.ts';
import { Rejected, type RequestMetadata } from '../../command-handler/execute.ts';
import type { Shop } from '../../shop.ts';
import type { ShopContext, State } from '../../http/context.ts';
import { cursorInput, limitInput } from '../../http/cursor-page.ts';
import { waitForReadModel, setPosition, readModel } from '../../http/freshness.ts';
import { flagInput, parse, readableText, required, typed } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import { bookCounts, compareCounts, parseCounts, isChanged } from './import.ts';
import { stockHistory } from './history.ts';

export type StockRoutesDeps = Pick<Shop, 'execute' | 'load' | 'now' | 'store'> &
  StaffNames & { readonly stocks: Stocks; readonly progress: Progress };

const bottles = (least: number) => {
  const message = `A whole number from ${least} to ${MOST_BOTTLES}`;
  return z.int(message).min(least, message).max(MOST_BOTTLES, message);
};
const reason = required(readableText.trim().max(LONGEST_REMOVAL_REASON, `Please use at most ${LONGEST_REMOVAL_REASON} characters`));

const ACTIONS = ['count', 'received', 'removed', 'lowAt'] as const;
const Fields = z.object({
  count: bottles(0).nullable().optional(),
  received: bottles(1).optional(),
  removed: bottles(1).optional(),
  lowAt: bottles(0).nullable().optional(),
});
const Removal = z.object({ reason });

const Input = Fields.superRefine((given, issue) => {
  if (ACTIONS.filter((action) => given[action] !== undefined).length === 1) return;
  issue.addIssue({ code: 'custom', path: ['body'], message: `Exactly one of ${ACTIONS.join(', ')}` });
});

type StockAction = Exclude<StockCommand, { readonly type: 'ReserveStock' | 'ReleaseStock' | 'ShipStock' }>;

/** Throws a 400 that names each wrong field. */
const commandFrom = (body: unknown, { now: clock }: Pick<Shop, 'now'>): StockAction => {
  const { count, received, removed, lowAt = null } = parse(Input, body);
  const now = clock();
  if (count === null) return { type: 'EndCounting', now };
  if (count !== undefined) return { type: 'CountStock', quantity: count, now };
  if (received !== undefined) return { type: 'ReceiveStock', quantity: received, now };
  if (removed !== undefined) return { type: 'RemoveStock', quantity: removed, reason: parse(Removal, body).reason, now };
  return { type: 'SetLowMark', lowAt, now };
};

/** Returns the id in the path if it is a product on offer. */
const getOfferedProduct = async (ctx: ShopContext, { load }: Pick<Shop, 'load'>): Promise<ProductId> => {
  const { productId: id = '' } = ctx['params'];
  if (!isProductId(id) || (await load(product, productStream(id))).state.status !== 'offered')
    throw new Rejected({ code: 'product_not_found' });
  return id;
};

/**
 * Sets the product's own `inStock` according to its bottles, because it is shown after counting has ended. This happens before each
 * decision: if a bottle is sold meanwhile, the command is decided again.
 */
const endCounting =
  (ctx: ShopContext, { execute, now }: StockRoutesDeps, id: ProductId, metadata: RequestMetadata) =>
  async (counted: Stock): Promise<StockAction> => {
    if (counted.isCounted) {
      const command = { type: 'ReviseProduct', changes: {}, inStock: computeAvailable(counted) > 0, now: now() } as const;
      const { position } = await execute(product, productStream(id), command, { ...metadata, commandId: randomUUID() });
      if (position !== undefined) setPosition(ctx, 'product', position);
    }
    return { type: 'EndCounting', now: now() };
  };

/** Changes the stock. If the command appended nothing, its first response and position may have been lost. */
const changeStock = async (ctx: ShopContext, deps: StockRoutesDeps): Promise<void> => {
  const { execute, store } = deps;
  const command = commandFrom(getBody(ctx), deps);
  const id = await getOfferedProduct(ctx, deps);
  const metadata = await commandMetadata(ctx);
  const decided = command.type === 'EndCounting' ? endCounting(ctx, deps, id, metadata) : command;
  const { state, position } = await execute(stock, stockStream(id), decided, metadata);
  setPosition(ctx, 'stock', position ?? (await store.head(['stock'])));
  ctx.body = { stock: viewStock(state) };
};

/** Reads the stock from the log, because another process may have changed it last. */
const showStock = async (ctx: ShopContext, deps: StockRoutesDeps): Promise<void> => {
  const id = await getOfferedProduct(ctx, deps);
  const { events } = await deps.store.read<StockEvent>(stockStream(id));
  const names = askOnce(deps);
  const history = stockHistory(events).map(async ({ by, ...change }) => ({ ...change, by: await formatActorName(by, names) }));
  ctx.body = { stock: viewStock(events.reduce(stock.evolve, stock.initial)), history: await Promise.all(history) };
};

const ImportInput = z.object({ dryRun: flagInput.default(false) });

const takeCounts = async (ctx: ShopContext, deps: StockRoutesDeps): Promise<void> => {
  const { dryRun } = parse(ImportInput, ctx.query);
  const rows = await compareCounts(deps, parseCounts(String(ctx.state.body ?? '')));
  if (!dryRun) {
    const position = await bookCounts(deps, rows, await commandMetadata(ctx));
    setPosition(ctx, 'stock', position ?? (await deps.store.head(['stock'])));
  }
  const changed = rows.filter(isChanged).length;
  ctx.body = { changed, unchanged: rows.length - changed, rows };
};

const ListInput = z.object({
  low: flagInput.default(false),
  list: z.enum(stockLists, `One of ${stockLists.join(', ')}`).optional(),
  q: typed.max(100, 'At most 100 characters').trim().optional(),
  limit: limitInput(),
  cursor: cursorInput((text) => (isProductId(text) ? text : undefined)),
});

/** Lists counted products, with `low=true` only those with low stock; with `list` any products, and how long each list is. */
const listStock = async (ctx: ShopContext, deps: StockRoutesDeps): Promise<void> => {
  const { stocks } = deps;
  const { low, list, q, limit, cursor } = parse(ListInput, ctx.query);
  if (list === undefined) {
    ctx.body = await stocks.page({ low, limit, cursor });
    return;
  }
  const { products, ...page } = await stocks.list({ list, q: q || undefined, limit, cursor });
  const names = askOnce(deps);
  const named = products.map(async ({ counted, ...product }) => ({
    ...product,
    counted: counted && { at: counted.at, by: await formatActorName(counted.by, names) },
  }));
  ctx.body = { products: await Promise.all(named), ...page };
};

export const stockRoutes = (deps: StockRoutesDeps): Router<State> =>
  createRouter()
    .get('/admin/stock', waitForReadModel(readModel(deps.progress, catalogue.name), ['product', 'stock']), (ctx) => listStock(ctx, deps))
    .put('/admin/stock/:productId', (ctx) => changeStock(ctx, deps))
    .post('/admin/stock/import', (ctx) => takeCounts(ctx, deps))
    .get('/admin/stock/:productId', (ctx) => showStock(ctx, deps));
