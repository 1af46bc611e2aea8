import type { OrdersState } from './order-slice.ts';

/** Returns whether placing has ended and the shopper may not know. Every page calls it, so the order slice may not be loaded yet. */
export const selectHasPlacingNews = ({ order }: { readonly order?: OrdersState }): boolean =>
  order !== undefined && order.placing !== null && order.calls.place !== 'pending';
