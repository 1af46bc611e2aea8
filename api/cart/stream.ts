import type { StreamName } from '#domain/event-store.ts';

/** A cart is named by its shopper. */
export const cartOf = (shopper: string): StreamName => `cart-${shopper}`;
