import type { OrdersState } from './order-slice.ts';

/** Whether a placing has ended that the shopper may not have seen. For every page, so also without the slice, which comes with the order screens. */
export const selectHasPlacingNews = ({ order }: { readonly order?: OrdersState }): boolean =>
  order !== undefined && order.placing !== null && order.calls.place !== 'pending';
