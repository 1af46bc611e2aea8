import type { StreamName } from '../event-store.ts';
import { orderId, type OrderId } from '../shared/ids.ts';

export const orderStream = (id: OrderId): StreamName => `order-${id}`;

/** Returns the order id of this stream. Throws for streams of other categories. */
export const orderIdFromStream = (stream: StreamName): OrderId => orderId(stream.replace(/^order-/, ''));
