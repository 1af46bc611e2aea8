import type { StreamName } from '#domain/event-store.ts';

/** A cart's stream is named after its shopper. */
export const cartStream = (shopper: string): StreamName => `cart-${shopper}`;
