import { createHash } from 'node:crypto';

import { readUnlessCut, type StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { orderStream } from '#domain/order/order.ts';
import { deriveReviewId, reviewStream, type ReviewId } from '#domain/review/review.ts';
import { shopperId, type OrderId, type ProductId, type ShopperId } from '#domain/shared/ids.ts';

import { isUnreadable } from '../event-store/codec/codec.ts';
import type { Shop } from '../shop.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hash needs no key: the id gives no access, and the author's id in it is random. */
export const createReviewId = (product: ProductId, author: ShopperId): ReviewId => deriveReviewId(product, author, hash);

const productsIn = (event: OrderEvent): readonly ProductId[] => {
  try {
    return event.type === 'OrderCreated' || event.type === 'OrderRevised' ? event.data.lines.map(({ productId }) => productId) : [];
  } catch (error) {
    // A damaged event must not keep other data readable.
    if (!isUnreadable(error)) throw error;
    return [];
  }
};

/**
 * Returns the streams of the reviews that these shoppers wrote. Only buyers review a perfume, so the log alone names them by the orders,
 * even while read models are behind.
 */
export const findReviewStreams = async (
  { store }: Pick<Shop, 'store'>,
  subjects: readonly string[],
  orders: readonly OrderId[],
): Promise<readonly StreamName[]> => {
  const products = new Set<ProductId>();
  for (const id of orders) {
    const { events } = await readUnlessCut<OrderEvent>(store, orderStream(id));
    for (const event of events) for (const product of productsIn(event)) products.add(product);
  }
  const possible = subjects.flatMap((subject) => [...products].map((product) => reviewStream(createReviewId(product, shopperId(subject)))));
  const found = await Promise.all(possible.map(async (stream) => ((await readUnlessCut(store, stream)).events.length > 0 ? [stream] : [])));
  return found.flat();
};
