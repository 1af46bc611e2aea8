import type { Category } from '#domain/product/events.ts';
import { formatRupees, paise } from '#domain/shared/money.ts';

const number = new Intl.NumberFormat('en-IN');

/** `1,284` */
export const counted = (value: number): string => number.format(value);

/** `₹61,48,310.40`, from rupees as the API's answers carry them. */
export const moneyText = (rupees: number): string => formatRupees(paise(Math.round(rupees * 100)));

/** `Delivered`, for a word of the API. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Oud`; a product need not belong to a family. */
export const familyText = (category: Category | ''): string => (category === '' ? 'None' : capitalised(category));
