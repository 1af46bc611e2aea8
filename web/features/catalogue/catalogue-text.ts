import { count, formatNumber } from '../../lib/numbers.ts';

export const rupeesText = (value: number): string => `₹${formatNumber(value)}`;

export const perfumeCount = (number: number): string => count(number, 'perfume');
