import type { StreamName } from '#domain/event-store.ts';
import { offerOf, type Offers } from '#domain/product/offer.ts';
import { product } from '#domain/product/product.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { availableIn, stock } from '#domain/stock/stock.ts';

import { stockStream } from '../stock/stock-stream.ts';
import type { Shop } from '../composition/types/shop.ts';

export const productStream = (id: ProductId): StreamName => `product-${id}`;

type Line = { readonly productId: ProductId };

/** Bottles available, as the log has them now; null when the product is not counted. */
export const availableInLog = async ({ load }: Pick<Shop, 'load'>, id: ProductId): Promise<number | null> => {
  const { state } = await load(stock, stockStream(id));
  return state.isCounted ? availableIn(state) : null;
};

/**
 * As the log has them now, since the catalogue may be behind. Reads all products and their stock in one query. Throws what the event store
 * throws.
 */
export const offersInLog = async ({ load }: Pick<Shop, 'load'>, lines: readonly Line[]): Promise<Offers> => {
  const ids = new Set(lines.map(({ productId }) => productId));
  const offer = async (id: ProductId) => {
    const [{ state }, available] = await Promise.all([load(product, productStream(id)), availableInLog({ load }, id)]);
    return [id, offerOf(id, state, available)] as const;
  };
  return new Map(await Promise.all(Array.from(ids, offer)));
};
