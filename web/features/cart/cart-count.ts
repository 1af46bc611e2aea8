import { count } from '../../lib/numbers.ts';

export const itemsText = (items: number): string => count(items, 'item');

/** `4`, or `99+` where the badge has no room for more. */
export const badgeText = (items: number): string => (items > 99 ? '99+' : String(items));
