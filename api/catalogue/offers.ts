import type { StreamName } from '#domain/event-store.ts';
import { offerOf, type Offer, type Offers } from '#domain/product/offer.ts';
import { product } from '#domain/product/product.ts';
import type { ProductId } from '#domain/shared/ids.ts';

import type { Shop } from '../composition/types/shop.ts';

export const productStream = (id: ProductId): StreamName => `product-${id}`;

type Line = { readonly productId: ProductId };

/**
 * From the product streams in the log, since the catalogue may be behind. For one request: each product is read once, those requested
 * together in one query. Throws what the event store throws.
 */
export const offersInLog = ({ load }: Pick<Shop, 'load'>): ((lines: readonly Line[]) => Promise<Offers>) => {
  const found = new Map<ProductId, Promise<Offer | undefined>>();
  const read = async (id: ProductId): Promise<Offer | undefined> => offerOf(id, (await load(product, productStream(id))).state);
  const offer = async ({ productId }: Line): Promise<readonly [ProductId, Offer | undefined]> => {
    const reading = found.get(productId) ?? read(productId);
    found.set(productId, reading);
    return [productId, await reading];
  };
  return async (lines) => new Map(await Promise.all(lines.map(offer)));
};
