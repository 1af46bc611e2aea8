import { generatePath } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';

export const reviewPath = (id: string): string => generatePath(pages.reviewOrder, { id });

export const invoicePath = (id: string): string => generatePath(pages.invoice, { id });

/** A PDF that the server answers with: no page of this app. */
export const paperFile = (id: string, file: string): string => `/api/order/${encodeURIComponent(id)}/${file}`;

/** The page of a placed order: its confirmation, later its state. */
export const detailsPath = (id: string): string => generatePath(pages.orderConfirmed, { id });
