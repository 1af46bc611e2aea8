import { offerOf, type Offers } from '#domain/product/offer.ts';
import { product } from '#domain/product/product.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { availableIn, reservationOf, stock } from '#domain/stock/stock.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';
import { productStream } from '#domain/product/product-stream.ts';

import { stockStream } from './stock/stock-stream.ts';
import type { Shop } from '../shop.ts';

type Line = { readonly productId: ProductId };

/** As the log has it now; null when the product is not counted. */
export const stockInLog = async ({ load }: Pick<Shop, 'load'>, id: ProductId): Promise<StockView | null> =>
  viewStock((await load(stock, stockStream(id))).state);

/** Bottles that nobody but this order has reserved; null when the product is not counted. */
const availableTo = async ({ load }: Pick<Shop, 'load'>, order: OrderId, id: ProductId): Promise<number | null> => {
  const { state } = await load(stock, stockStream(id));
  return state.isCounted ? availableIn(state) + (reservationOf(state, order)?.quantity ?? 0) : null;
};

/**
 * For an order, as the log has them now, since the catalogue may be behind. What a placing that was interrupted has reserved for it is
 * available to it. Reads all products and their stock in one query. Throws what the event store throws.
 */
export const offersInLog = async ({ load }: Pick<Shop, 'load'>, order: OrderId, lines: readonly Line[]): Promise<Offers> => {
  const ids = new Set(lines.map(({ productId }) => productId));
  const offer = async (id: ProductId) => {
    const [{ state }, available] = await Promise.all([load(product, productStream(id)), availableTo({ load }, order, id)]);
    return [id, offerOf(id, state, available)] as const;
  };
  return new Map(await Promise.all(Array.from(ids, offer)));
};
