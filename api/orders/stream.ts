import type { StreamName } from '#domain/event-store.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';

export const orderOf = (id: OrderId): StreamName => `order-${id}`;

/** The order whose stream this is. Throws when the stream is none of an order's. */
export const orderIn = (stream: StreamName): OrderId => orderId(stream.replace(/^order-/, ''));
