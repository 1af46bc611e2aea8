import type { StreamName } from '../event-store.ts';
import type { OrderId } from '../shared/ids.ts';

/** A payment belongs to one order. */
export const paymentStream = (id: OrderId): StreamName => `payment-${id}`;
