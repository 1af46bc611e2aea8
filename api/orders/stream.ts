import type { StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';

export const orderOf = (id: OrderId): StreamName => `order-${id}`;
