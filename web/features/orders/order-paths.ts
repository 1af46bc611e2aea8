import { generatePath } from 'react-router-dom';
import { pages } from '#domain/pages.ts';

export const reviewPath = (id: string): string => generatePath(pages.reviewOrder, { id });

/** An order that was placed: its confirmation, and all that became of it since. */
export const detailsPath = (id: string): string => generatePath(pages.orderConfirmed, { id });
