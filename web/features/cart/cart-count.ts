import { count } from '../../lib/numbers.ts';

export const itemsText = (items: number): string => count(items, 'item');

/** Returns `4`, or `99+` where the badge has no space for more. */
export const badgeText = (items: number): string => (items > 99 ? '99+' : String(items));
