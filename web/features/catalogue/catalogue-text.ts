import { count, formatNumber } from '../../lib/numbers.ts';

/** Whole rupees as filters show them, `₹2,800`. */
export const rupeesText = (value: number): string => `₹${formatNumber(value)}`;

/** `1 perfume`, `30 perfumes`. */
export const perfumeCount = (number: number): string => count(number, 'perfume');
