import type { Category } from '#domain/product/events.ts';

/** `Delivered`, for a word of the API. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Oud`; a product need not belong to a family. */
export const familyText = (category: Category | ''): string => (category === '' ? 'None' : capitalised(category));
