import { generatePath } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';

export const reviewPath = (id: string): string => generatePath(pages.reviewOrder, { id });

/** The page of a placed order: its confirmation, later its state. */
export const detailsPath = (id: string): string => generatePath(pages.orderConfirmed, { id });
