import { createOffer, type Offers } from '#domain/product/offer.ts';
import { product, productStream } from '#domain/product/product.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { computeAvailable, findReservation, stock, stockStream } from '#domain/stock/stock.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';

import type { Shop } from '../shop.ts';

type Line = { readonly productId: ProductId };

/** Returns the product's stock from the log; null when the product is not counted. */
export const loadStock = async ({ load }: Pick<Shop, 'load'>, id: ProductId): Promise<StockView | null> =>
  viewStock((await load(stock, stockStream(id))).state);

/** Returns the number of bottles that this order may take: the free ones and its own reservation; null when the product is not counted. */
const availableTo = async ({ load }: Pick<Shop, 'load'>, order: OrderId, id: ProductId): Promise<number | null> => {
  const { state } = await load(stock, stockStream(id));
  return state.isCounted ? computeAvailable(state) + (findReservation(state, order)?.quantity ?? 0) : null;
};

/**
 * Returns the offers for an order from the log, because the catalogue may be behind. Bottles that an interrupted placing reserved for it
 * count as available to it. Reads all products and their stock in one query. Throws what the event store throws.
 */
export const loadOffers = async ({ load }: Pick<Shop, 'load'>, order: OrderId, lines: readonly Line[]): Promise<Offers> => {
  const ids = new Set(lines.map(({ productId }) => productId));
  const offer = async (id: ProductId) => {
    const [{ state }, available] = await Promise.all([load(product, productStream(id)), availableTo({ load }, order, id)]);
    return [id, createOffer(id, state, available)] as const;
  };
  return new Map(await Promise.all(Array.from(ids, offer)));
};
