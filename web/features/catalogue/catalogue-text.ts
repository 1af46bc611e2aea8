import { count, counted } from '../../lib/numbers.ts';

/** Whole rupees as filters show them, `₹2,800`. */
export const rupeesText = (value: number): string => `₹${counted(value)}`;

/** `1 perfume`, `30 perfumes`. */
export const perfumes = (number: number): string => count(number, 'perfume');
