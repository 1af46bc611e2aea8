import type { OrderView } from '#domain/order/view.ts';

/** Returns the order number, or the last 6 characters of the id before there is a number. */
export const formatOrderNumber = ({ orderNumber, _id }: Pick<OrderView, 'orderNumber'> & { readonly _id: string }): string =>
  orderNumber ?? _id.slice(-6);
