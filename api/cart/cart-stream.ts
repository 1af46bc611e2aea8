import type { StreamName } from '#domain/event-store.ts';

export const cartStream = (shopper: string): StreamName => `cart-${shopper}`;
