import type { StreamName } from '#domain/event-store.ts';
import { offerOf, type Offer, type Offers } from '#domain/product/offer.ts';
import { product } from '#domain/product/product.ts';
import type { ProductId } from '#domain/shared/ids.ts';

import type { Shop } from '../open-shop.ts';

export const productOf = (id: ProductId): StreamName => `product-${id}`;

type Line = { readonly productId: ProductId };

/**
 * The products of these lines as their streams in the log have them now, or had them at `since` (of `performance.now()`) or later. What is
 * sold is judged by this: the catalogue may be behind. All are read in one query, and of those that this process remembers only what is new.
 * Throws what the event store throws.
 */
export const offersInLog = async ({ load }: Pick<Shop, 'load'>, lines: readonly Line[], since?: number): Promise<Offers> => {
  const offers = new Map<ProductId, Offer | undefined>();
  const read = async ({ productId }: Line): Promise<void> => {
    offers.set(productId, offerOf(productId, (await load(product, productOf(productId), since)).state));
  };
  await Promise.all(lines.map(read));
  return offers;
};
