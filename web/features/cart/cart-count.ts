import { count } from '../../lib/numbers.ts';

/** `1 item`, `9,900 items`. */
export const itemsText = (items: number): string => count(items, 'item');

/** As much of a number as a badge has room for: `4`, `99+`. */
export const badgeText = (items: number): string => (items > 99 ? '99+' : String(items));
