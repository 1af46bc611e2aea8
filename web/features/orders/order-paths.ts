import { generatePath } from 'react-router-dom';
import type { OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';

export const reviewPath = (id: string): string => generatePath(pages.reviewOrder, { id });

export const invoicePath = (id: string): string => generatePath(pages.invoice, { id });

/** Returns the URL of a PDF, which is served by the server and is not a page of this app. */
export const taxDocumentFile = (id: string, file: string): string => `/api/order/${encodeURIComponent(id)}/${file}`;

/** Returns the page of a placed order, which shows its confirmation and later its status. */
export const detailsPath = (id: string): string => generatePath(pages.orderConfirmed, { id });

/** The id of the lines on that page, each with its review once they are delivered. */
export const ITEMS = 'items';

/** Returns the order number, or the last 6 characters of the id before there is a number. */
export const formatOrderNumber = ({ orderNumber, _id }: Pick<OrderView, 'orderNumber'> & { readonly _id: string }): string =>
  orderNumber ?? _id.slice(-6);
