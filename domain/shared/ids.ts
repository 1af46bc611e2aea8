import type { Brand } from './brand.ts';

export type ProductId = Brand<string, 'ProductId'>;

const PRODUCT_ID = /^[0-9a-z](?:[0-9a-z-]{0,62}[0-9a-z])?$/;

/** Takes lower-case letters, digits and inner dashes, 64 at most: a uuid, or the slug of a seeded perfume. Throws on anything else. */
export const productId = (text: string): ProductId => {
  if (!PRODUCT_ID.test(text)) throw new Error(`Not a product id: ${text}`);
  return text as ProductId;
};
