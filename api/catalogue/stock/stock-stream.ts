import type { StreamName } from '#domain/event-store.ts';
import type { ProductId } from '#domain/shared/ids.ts';

export const stockStream = (id: ProductId): StreamName => `stock-${id}`;
