import { count } from '../../lib/format.ts';

const MOST_ON_BADGE = 99;

export const itemsText = (items: number): string => count(items, 'item');

/** Returns the accessible name of the link to the cart, which contains the text of its badge. */
export const cartLabel = (items: number): string =>
  items === 0 ? 'Cart' : items > MOST_ON_BADGE ? `Cart, ${badgeText(items)} items` : `Cart, ${itemsText(items)}`;

/** Returns `4`, or `99+` where the badge has no space for more. */
export const badgeText = (items: number): string => (items > MOST_ON_BADGE ? `${MOST_ON_BADGE}+` : String(items));
