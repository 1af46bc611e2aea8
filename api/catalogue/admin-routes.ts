import type { Router } from '@koa/router';
import { randomBytes } from 'node:crypto';

import { getHsn, type DetailsChanges, type ProductEvent } from '#domain/product/events.ts';
import { priceHistory } from '#domain/product/offer.ts';
import {
  type AddProduct,
  product,
  type OfferedProduct,
  type Product,
  type ProductCommand,
  productStream,
} from '#domain/product/product.ts';
import { priceText, toView, withReviews, type StaffProductView } from '#domain/product/view.ts';
import { isProductId, productId, type ProductId } from '#domain/shared/ids.ts';
import { joinRatings } from '#domain/product/rating.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { isHsn, type Hsn } from '#domain/tax/rates.ts';
import type { StockView } from '#domain/stock/view.ts';

import { Rejected } from '../command-handler/execute.ts';
import type { ShopContext, State } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import { getBody } from '../http/json-body.ts';
import { HttpError } from '../http/http-error.ts';
import { answerTo } from '../http/rejection-answers.ts';
import { createRouter } from '../http/router.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import { loadRates } from '../tax/todays-rates.ts';
import { loadStock } from './offers.ts';
import { parseEdit, parseNewProduct } from './product-input.ts';

const LONGEST_SLUG = 50;
const WITHOUT_A_LETTER = 'perfume';

const createSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '') || WITHOUT_A_LETTER;

/** Makes the id, which is also the product's address, from its name, with a random suffix if that id was taken. */
const idFor = (name: string, isTaken: boolean): ProductId =>
  productId(isTaken ? `${createSlug(name)}-${randomBytes(4).toString('hex')}` : createSlug(name));

export type ProductAdminDeps = Pick<Shop, 'execute' | 'load' | 'now'> & {
  readonly store: Pick<Shop['store'], 'read'>;
  readonly catalogue: Pick<Listing, 'reviewsOf'>;
};

const parseProductId = (ctx: ShopContext & { params: Record<string, string | undefined> }): ProductId => {
  const { id = '' } = ctx.params;
  if (!isProductId(id)) throw new Rejected({ code: 'product_not_found' });
  return id;
};

/** Executes a command and sets the position that this browser's next listing must include. */
const act = async (ctx: ShopContext, deps: ProductAdminDeps, id: ProductId, command: ProductCommand): Promise<Product> => {
  const { state, position } = await deps.execute(product, productStream(id), command, await commandMetadata(ctx));
  if (position !== undefined) setPosition(ctx, 'product', position);
  return state;
};

type Saved = Omit<OfferedProduct, 'status'>;

const staffView = ({ catalogue }: ProductAdminDeps, id: ProductId, state: Saved, stock: StockView | null): StaffProductView => {
  const { ratingStar, reviewsCount } = state.details;
  const reviewed = catalogue.reviewsOf(id);
  const view = { ...withReviews(toView(id, state, stock?.available ?? null), reviewed), stock };
  return reviewed.count === 0 ? view : { ...view, own: { ratingStar, reviewsCount } };
};

const show = (ctx: ShopContext, deps: ProductAdminDeps, id: ProductId, state: Product, stock: StockView | null): void => {
  if (state.status !== 'offered') throw new Error(`Product ${id} is ${state.status} after it was saved`);
  ctx.body = staffView(deps, id, state, stock);
};

/**
 * A client may send a product back as it was read, with the reviews of buyers in its rating. They must not become the catalogue's own, or
 * they would count twice.
 */
const withoutReviews = async ({ catalogue, load }: ProductAdminDeps, id: ProductId, changes: DetailsChanges): Promise<DetailsChanges> => {
  const reviewed = catalogue.reviewsOf(id);
  const { state } = await load(product, productStream(id));
  if (reviewed.count === 0 || state.status !== 'offered') return changes;
  const shown = joinRatings(state.details, reviewed);
  const { ratingStar, reviewsCount, ...others } = changes;
  return ratingStar === shown.ratingStar && reviewsCount === shown.reviewsCount ? others : changes;
};

/** Throws a rejection of the field `hsn` if no tax rule applies to it. */
const requireTaxRule = async (deps: ProductAdminDeps, hsn: Hsn): Promise<void> => {
  if (isHsn(hsn) && (await loadRates(deps)).get(hsn) === undefined)
    throw new Rejected({ code: 'product_invalid', errors: { hsn: `There is no tax rate for ${hsn} yet` } });
};

const add = async (ctx: ShopContext, deps: ProductAdminDeps): Promise<void> => {
  const { price, inStock, hsn, ...rest } = parseNewProduct(getBody(ctx));
  const details = { ...rest, hsn: hsn ?? getHsn(rest) };
  await requireTaxRule(deps, details.hsn);
  const command: AddProduct = { type: 'AddProduct', details, price, inStock, now: deps.now() };
  const addAs = async (id: ProductId): Promise<void> => show(ctx, deps, id, await act(ctx, deps, id, command), null);
  try {
    await addAs(idFor(details.name, false));
  } catch (error) {
    if (!(error instanceof Rejected) || error.rejection.code !== 'product_already_exists') throw error;
    await addAs(idFor(details.name, true));
  }
  ctx.status = 201;
};

const revise = async (ctx: ShopContext, deps: ProductAdminDeps, id: ProductId): Promise<void> => {
  const { price, inStock, expectedRevision, ...given } = parseEdit(getBody(ctx));
  const changes = await withoutReviews(deps, id, given);
  if (changes.hsn !== undefined) await requireTaxRule(deps, changes.hsn);
  const stock = await loadStock(deps, id);
  if (stock && inStock !== undefined && inStock !== stock.available > 0) throw new Rejected({ code: 'stock_is_counted' });
  const revision = { changes, price, inStock: stock ? undefined : inStock, expectedRevision, now: deps.now() };
  try {
    show(ctx, deps, id, await act(ctx, deps, id, { type: 'ReviseProduct', ...revision }), stock);
  } catch (error) {
    if (!(error instanceof Rejected) || error.rejection.code !== 'product_changed') throw error;
    throw new HttpError({ ...answerTo(error.rejection), details: { current: staffView(deps, id, error.rejection.current, stock) } });
  }
};

const remove = async (ctx: ShopContext, deps: ProductAdminDeps, id: ProductId): Promise<void> => {
  await act(ctx, deps, id, { type: 'RemoveProduct', now: deps.now() });
  ctx.body = { message: 'Product deleted' };
};

/** Lists prices, newest first. Removed products have a history too. */
const showPrices = async (ctx: ShopContext, { store }: ProductAdminDeps, id: ProductId): Promise<void> => {
  const { events } = await store.read<ProductEvent>(productStream(id));
  if (events.length === 0) throw new Rejected({ code: 'product_not_found' });
  ctx.body = {
    prices: priceHistory(events)
      .map(({ price, since, by }) => ({ price: priceText(price), since, by }))
      .reverse(),
  };
};

/** Serves `POST /product`, `PUT` and `DELETE /product/:id`, and `GET /product/:id/prices`, all for admins. */
export const productAdminRoutes = (deps: ProductAdminDeps): Router<State> =>
  createRouter()
    .post('/product', (ctx) => add(ctx, deps))
    .put('/product/:id', (ctx) => revise(ctx, deps, parseProductId(ctx)))
    .delete('/product/:id', (ctx) => remove(ctx, deps, parseProductId(ctx)))
    .get('/product/:id/prices', (ctx) => showPrices(ctx, deps, parseProductId(ctx)));
