const number = new Intl.NumberFormat('en-IN');

/** `1 item`, `9,900 items`. */
export const itemsText = (count: number): string => `${number.format(count)} ${count === 1 ? 'item' : 'items'}`;

/** The dots of a scent line stay at the ends of lines. */
export const scentLine = (details: string): string => details.replaceAll(' · ', '\u00A0· ');

/** As much of a number as a badge has room for: `4`, `99+`. */
export const badgeText = (count: number): string => (count > 99 ? '99+' : String(count));
