import type { OrderView } from '#domain/order/view.ts';

/** The order number; before there is one, the last 6 characters of the id. */
export const numberOf = ({ orderNumber, _id }: Pick<OrderView, 'orderNumber'> & { readonly _id: string }): string =>
  orderNumber ?? _id.slice(-6);
