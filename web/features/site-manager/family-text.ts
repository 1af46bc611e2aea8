import type { ProductCategory } from '#domain/product/events.ts';

/** `Delivered`, from the API's lower case. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Oud`; a product may have no family. */
export const familyText = (category: ProductCategory | ''): string => (category === '' ? 'None' : capitalised(category));
