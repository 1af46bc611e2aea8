import type { Router } from '@koa/router';

import { isProductId, type ProductId } from '#domain/shared/ids.ts';
import { wishlist, wishlistStream, type Wishlist, type WishlistCommand } from '#domain/wishlist/wishlist.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { type EncodedJson, jsonArray } from '#projections/reading/encoded-json.ts';

import { commandMetadata, findShopper, getShopper } from '../accounts/sessions/session.ts';
import { Rejected } from '../command-handler/execute.ts';
import type { ShopContext, State } from '../http/context.ts';
import { sendJson } from '../http/cached-response.ts';
import { waitForReadModel } from '../http/freshness.ts';
import { createRouter } from '../http/router.ts';
import type { Shop } from '../shop.ts';

export type WishlistRoutesDeps = Pick<Shop, 'execute' | 'load' | 'now'> & {
  readonly catalogue: Pick<Listing, 'get' | 'waitFor'>;
};

const itemJson = (productId: ProductId, { catalogue }: WishlistRoutesDeps): EncodedJson[] => {
  const product = catalogue.get(productId);
  return product ? [`{"productId":${JSON.stringify(productId)},"product":${product.json}}` as EncodedJson] : [];
};

/** The newest comes first. A perfume that was removed from the shop is left out. */
const show = (ctx: ShopContext, deps: WishlistRoutesDeps, { products }: Wishlist): void => {
  const items = products.toReversed().flatMap((productId) => itemJson(productId, deps));
  sendJson(ctx, `{"items":${jsonArray(items)}}` as EncodedJson);
};

/** Reads the list from the log, because another process may have changed it last. */
const showWishlist = async (ctx: ShopContext, deps: WishlistRoutesDeps): Promise<void> => {
  const shopper = await findShopper(ctx);
  show(ctx, deps, shopper ? (await deps.load(wishlist, wishlistStream(shopper.id))).state : wishlist.initial);
};

const act = async (ctx: ShopContext, deps: WishlistRoutesDeps, command: WishlistCommand): Promise<void> => {
  const isNew = (await findShopper(ctx)) === undefined;
  const { id } = await getShopper(ctx);
  const { state } = await deps.execute(wishlist, wishlistStream(id), command, await commandMetadata(ctx), { isNew });
  show(ctx, deps, state);
};

const addWish = async (ctx: ShopContext, deps: WishlistRoutesDeps): Promise<void> => {
  const { productId = '' }: Record<string, string> = ctx['params'];
  if (!isProductId(productId) || !deps.catalogue.get(productId)) throw new Rejected({ code: 'product_not_found' });
  await act(ctx, deps, { type: 'AddWish', productId, now: deps.now() });
};

const removeWish = async (ctx: ShopContext, deps: WishlistRoutesDeps): Promise<void> => {
  const { productId = '' }: Record<string, string> = ctx['params'];
  // Nobody without a session has a list, and no list has an invalid id: there is nothing to remove.
  if (!isProductId(productId) || !(await findShopper(ctx))) return showWishlist(ctx, deps);
  await act(ctx, deps, { type: 'RemoveWish', productId, now: deps.now() });
};

/**
 * Serves `GET /user/wishlist`, and `PUT` and `DELETE /user/wishlist/:productId`, which are idempotent, to users and visitors. Each responds with
 * the whole list, `{items: [{productId, product}]}`; 404 `Product not found`, 409 `wishlist_full`.
 */
export const wishlistRoutes = (deps: WishlistRoutesDeps): Router<State> => {
  const current = waitForReadModel(deps.catalogue, ['product', 'stock']);
  return createRouter()
    .get('/user/wishlist', current, (ctx) => showWishlist(ctx, deps))
    .put('/user/wishlist/:productId', current, (ctx) => addWish(ctx, deps))
    .delete('/user/wishlist/:productId', current, (ctx) => removeWish(ctx, deps));
};
