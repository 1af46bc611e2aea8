import { generatePath } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';

export const reviewPath = (id: string): string => generatePath(pages.reviewOrder, { id });

export const invoicePath = (id: string): string => generatePath(pages.invoice, { id });

/** Returns the URL of a PDF, which is served by the server and is not a page of this app. */
export const taxDocumentFile = (id: string, file: string): string => `/api/order/${encodeURIComponent(id)}/${file}`;

/** Returns the page of a placed order, which shows its confirmation and later its status. */
export const detailsPath = (id: string): string => generatePath(pages.orderConfirmed, { id });
