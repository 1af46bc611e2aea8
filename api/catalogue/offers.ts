import type { StreamName } from '#domain/event-store.ts';
import { offerOf, type Offers } from '#domain/product/offer.ts';
import { product } from '#domain/product/product.ts';
import type { ProductId } from '#domain/shared/ids.ts';

import type { Shop } from '../composition/types/shop.ts';

export const productStream = (id: ProductId): StreamName => `product-${id}`;

type Line = { readonly productId: ProductId };

/** As the log has them now, since the catalogue may be behind. Reads all products in one query. Throws what the event store throws. */
export const offersInLog = async ({ load }: Pick<Shop, 'load'>, lines: readonly Line[]): Promise<Offers> => {
  const ids = new Set(lines.map(({ productId }) => productId));
  const offer = async (id: ProductId) => [id, offerOf(id, (await load(product, productStream(id))).state)] as const;
  return new Map(await Promise.all(Array.from(ids, offer)));
};
