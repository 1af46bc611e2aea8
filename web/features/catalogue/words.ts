const number = new Intl.NumberFormat('en-IN');

/** `2,30,000` */
export const grouped = (value: number): string => number.format(value);

/** Whole rupees as filters show them, `₹2,800`. */
export const rupeesText = (value: number): string => `₹${grouped(value)}`;

/** `1 perfume`, `30 perfumes`. */
export const perfumes = (count: number): string => `${grouped(count)} ${count === 1 ? 'perfume' : 'perfumes'}`;
