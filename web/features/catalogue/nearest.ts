import type { ProductView } from '#domain/product/view.ts';
import { normalizeText } from '#domain/shared/text.ts';

/** A search that no name contains finds the most similar names. */
export const NEAREST = 'Nothing is called so; the nearest are';

/** Returns whether these products were found for the likeness of their names, because none contains the text. */
export const areNearest = (products: readonly ProductView[], text: string): boolean =>
  text !== '' && products.length > 0 && !products.some(({ name }) => normalizeText(name).includes(normalizeText(text)));
