import type { OrderView } from '#domain/order/view.ts';

/** The order just placed, until the shopper has seen it. For every page, so also without the slice, which comes with the order screens. */
export const selectPlaced = ({ order }: { readonly order?: { readonly placed: OrderView | null } }): OrderView | null =>
  order?.placed ?? null;
