import type { StreamName } from '#domain/event-store.ts';

/** A cart's stream is named after its shopper. */
export const cartOf = (shopper: string): StreamName => `cart-${shopper}`;
