import type { OrderView } from '#domain/order/view.ts';

/** How shopper and shop call it; an order without a number goes by the last 6 characters of its id (specification, section 2). */
export const numberOf = ({ orderNumber, _id }: Pick<OrderView, 'orderNumber' | '_id'>): string => orderNumber ?? _id.slice(-6);
