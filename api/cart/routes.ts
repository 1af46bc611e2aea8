import { Router } from '@koa/router';
import { z } from 'zod';

import { cart, type Cart, type CartCommand } from '#domain/cart/cart.ts';
import { type CartItemView, type CartView, viewCart } from '#domain/cart/view.ts';
import { isProductId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart-stream.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { productJson } from '#projections/catalogue/indexed-product.ts';
import { type EncodedJson, encodeJson, jsonArray } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import type { ShopContext, State } from '../http/context.ts';
import { fresh, leavePosition } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { sendJson } from '../http/cached-response.ts';
import { commandMetadata, shopperIfKnown, shopperOf } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { TodaysRates } from '../tax/todays-rates.ts';

const itemJson = ({ product, ...item }: CartItemView): EncodedJson =>
  `${encodeJson(JSON.stringify(item)).slice(0, -1)},"product":${productJson(product)}}` as EncodedJson;

/** Mostly products, whose JSON is cached. */
const cartJson = ({ items, totalCartValue }: CartView): EncodedJson =>
  `{"items":${jsonArray(items.map(itemJson))},"totalCartValue":${totalCartValue}}` as EncodedJson;

export type CartRoutesDeps = Pick<Shop, 'execute' | 'load' | 'now'> & {
  readonly catalogue: Pick<Listing, 'offers' | 'waitFor'>;
  readonly rates: TodaysRates;
};

/** The domain decides which quantities are valid. */
const quantity = z.number({ error: 'Quantity must be a whole number' });
/** Clients send a whole product; only its id is used. */
const AddInput = z.object({ _id: z.string(), quantity: quantity.default(1) });
const UpdateInput = z.object({ quantity });

const show = (ctx: ShopContext, { catalogue, rates }: CartRoutesDeps, state: Cart): void => {
  sendJson(ctx, cartJson(viewCart(state, catalogue.offers, rates.today())));
};

/** From the log: another process may have changed it last. */
const showCart = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const shopper = await shopperIfKnown(ctx);
  show(ctx, deps, shopper ? (await deps.load(cart, cartStream(shopper.id))).state : cart.initial);
};

/** Then no visitor is created for it. Throws `Rejected`. */
const changesNothing = (command: CartCommand): boolean => {
  const decision = cart.decide(cart.initial, command);
  if (!decision.ok) throw new Rejected(decision.rejection);
  return decision.events.length === 0;
};

const act = async (ctx: ShopContext, deps: CartRoutesDeps, command: CartCommand): Promise<void> => {
  const isKnown = (await shopperIfKnown(ctx)) !== undefined;
  if (!isKnown && changesNothing(command)) return show(ctx, deps, cart.initial);
  const { id } = await shopperOf(ctx);
  const { state, position } = await deps.execute(cart, cartStream(id), command, await commandMetadata(ctx), { isNew: !isKnown });
  if (position !== undefined) leavePosition(ctx, 'cart', position);
  show(ctx, deps, state);
};

const addToCart = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { _id: productId, quantity: wanted } = parse(AddInput, bodyOf(ctx));
  if (!isProductId(productId)) throw new Rejected({ code: 'product_not_found' });
  const { offers } = deps.catalogue;
  await act(ctx, deps, { type: 'AddItem', productId, quantity: wanted, offers, now: deps.now() });
};

const changeQuantity = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { quantity: wanted } = parse(UpdateInput, bodyOf(ctx));
  const { productId = '' } = ctx['params'];
  if (!isProductId(productId)) throw new Rejected({ code: 'product_not_in_cart' });
  await act(ctx, deps, { type: 'ChangeQuantity', productId, quantity: wanted, now: deps.now() });
};

const removeItem = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { productId = '' } = ctx['params'];
  // An invalid id is in no cart: nothing to remove.
  if (!isProductId(productId)) return showCart(ctx, deps);
  await act(ctx, deps, { type: 'RemoveItem', productId, now: deps.now() });
};

/** The routes below `/cart`. Each answers with the whole cart at current prices. */
export const cartRoutes = (deps: CartRoutesDeps): Router<State> => {
  const current = fresh(deps.catalogue, ['product', 'stock']);
  return new Router<State>()
    .get('/cart/get-cart', current, (ctx) => showCart(ctx, deps))
    .post('/cart/add-to-cart', current, (ctx) => addToCart(ctx, deps))
    .put('/cart/update/:productId', current, (ctx) => changeQuantity(ctx, deps))
    .delete('/cart/remove/:productId', current, (ctx) => removeItem(ctx, deps));
};
