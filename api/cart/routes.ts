import type { Router } from '@koa/router';
import { z } from 'zod';

import { cart, type Cart, type CartCommand, cartStream } from '#domain/cart/cart.ts';
import { type CartItemView, type CartView, viewCart } from '#domain/cart/view.ts';
import { isProductId } from '#domain/shared/ids.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { productJson } from '#projections/catalogue/indexed-product.ts';
import { type EncodedJson, encodeJson, jsonArray } from '#projections/reading/encoded-json.ts';

import { Rejected } from '../command-handler/execute.ts';
import type { ShopContext, State } from '../http/context.ts';
import { waitForReadModel, setPosition } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { sendJson } from '../http/cached-response.ts';
import { createRouter } from '../http/router.ts';
import { commandMetadata, findShopper, getShopper } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { TodaysRates } from '../tax/todays-rates.ts';

const itemJson = ({ product, ...item }: CartItemView): EncodedJson =>
  `${encodeJson(JSON.stringify(item)).slice(0, -1)},"product":${productJson(product)}}` as EncodedJson;

/** Most of the text is products, whose JSON is cached. */
const cartJson = ({ items, totalCartValue }: CartView): EncodedJson =>
  `{"items":${jsonArray(items.map(itemJson))},"totalCartValue":${totalCartValue}}` as EncodedJson;

export type CartRoutesDeps = Pick<Shop, 'execute' | 'load' | 'now'> & {
  readonly catalogue: Pick<Listing, 'offers' | 'waitFor'>;
  readonly rates: TodaysRates;
};

/** The domain decides which quantities are valid. */
const quantity = z.number({ error: 'Quantity must be a whole number' });
/** Clients send a whole product, of which only the id is used. */
const AddInput = z.object({ _id: z.string(), quantity: quantity.default(1) });
const UpdateInput = z.object({ quantity });

const show = (ctx: ShopContext, { catalogue, rates }: CartRoutesDeps, state: Cart): void => {
  sendJson(ctx, cartJson(viewCart(state, catalogue.offers, rates.today())));
};

/** Reads the cart from the log, because another process may have changed it last. */
const showCart = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const shopper = await findShopper(ctx);
  show(ctx, deps, shopper ? (await deps.load(cart, cartStream(shopper.id))).state : cart.initial);
};

/** Returns whether the command changes nothing in an empty cart, so that no visitor is created for it. Throws `Rejected`. */
const changesNothing = (command: CartCommand): boolean => {
  const decision = cart.decide(cart.initial, command);
  if (!decision.ok) throw new Rejected(decision.rejection);
  return decision.events.length === 0;
};

const act = async (ctx: ShopContext, deps: CartRoutesDeps, command: CartCommand): Promise<void> => {
  const isKnown = (await findShopper(ctx)) !== undefined;
  if (!isKnown && changesNothing(command)) return show(ctx, deps, cart.initial);
  const { id } = await getShopper(ctx);
  const { state, position } = await deps.execute(cart, cartStream(id), command, await commandMetadata(ctx), { isNew: !isKnown });
  if (position !== undefined) setPosition(ctx, 'cart', position);
  show(ctx, deps, state);
};

const addToCart = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { _id: productId, quantity: wanted } = parse(AddInput, getBody(ctx));
  if (!isProductId(productId)) throw new Rejected({ code: 'product_not_found' });
  const { offers } = deps.catalogue;
  await act(ctx, deps, { type: 'AddItem', productId, quantity: wanted, offers, now: deps.now() });
};

const changeQuantity = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { quantity: wanted } = parse(UpdateInput, getBody(ctx));
  const { productId = '' } = ctx['params'];
  if (!isProductId(productId)) throw new Rejected({ code: 'product_not_in_cart' });
  await act(ctx, deps, { type: 'ChangeQuantity', productId, quantity: wanted, now: deps.now() });
};

const removeItem = async (ctx: ShopContext, deps: CartRoutesDeps): Promise<void> => {
  const { productId = '' } = ctx['params'];
  // No cart contains an invalid id, so there is nothing to remove.
  if (!isProductId(productId)) return showCart(ctx, deps);
  await act(ctx, deps, { type: 'RemoveItem', productId, now: deps.now() });
};

/** Serves the routes below `/cart`. Each responds with the whole cart at current prices. */
export const cartRoutes = (deps: CartRoutesDeps): Router<State> => {
  const current = waitForReadModel(deps.catalogue, ['product', 'stock']);
  return createRouter()
    .get('/cart/get-cart', current, (ctx) => showCart(ctx, deps))
    .post('/cart/add-to-cart', current, (ctx) => addToCart(ctx, deps))
    .put('/cart/update/:productId', current, (ctx) => changeQuantity(ctx, deps))
    .delete('/cart/remove/:productId', current, (ctx) => removeItem(ctx, deps));
};
