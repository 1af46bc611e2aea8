import type { ProductCategory } from '#domain/product/events.ts';

/** Returns `Delivered` for the API's `delivered`. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns `Oud`, or `None` for a product without a family. */
export const familyText = (category: ProductCategory | ''): string => (category === '' ? 'None' : capitalised(category));
