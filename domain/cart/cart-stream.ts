import type { StreamName } from '../event-store.ts';

export const cartStream = (shopper: string): StreamName => `cart-${shopper}`;
