import { categories, type Category } from '#domain/product/events.ts';

/** A perfume family as a product has it: the empty text is none. */
export type Family = Category | '';

export const families: readonly Family[] = [...categories, ''];
