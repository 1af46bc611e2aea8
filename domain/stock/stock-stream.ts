import type { StreamName } from '../event-store.ts';
import type { ProductId } from '../shared/ids.ts';

export const stockStream = (id: ProductId): StreamName => `stock-${id}`;
