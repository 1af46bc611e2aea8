import type { StreamName } from '../event-store.ts';
import type { ProductId } from '../shared/ids.ts';

export const productStream = (id: ProductId): StreamName => `product-${id}`;
