import { categories } from '#domain/product/events.ts';

import type { Asked } from './reads.ts';
import { sampleProduct, sampleWords } from './sample-products.ts';
import type { Size, StockedShop } from './stocked-shop.ts';

/** Something that people ask of a shop. */
export type Question = { readonly name: string; readonly asked: (shop: StockedShop, size: Size) => Promise<readonly Asked[]> };

const nobody = (path: string): Asked => ({ path, cookie: '' });

/** The address of every page of the category, found by following one after the other. */
const pagesOf = async (url: string, category: string): Promise<Asked[]> => {
  const pages: Asked[] = [];
  for (let path: string | undefined = `/api/product?category=${category}&limit=20`; path !== undefined;) {
    pages.push(nobody(path));
    const answer: Response = await fetch(url + path);
    await answer.arrayBuffer();
    path = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
};

/** Every part of three to seven letters of the words that names are made of, and each word with a letter too few. */
const searches = (): string[] => {
  const parts = sampleWords.flatMap((word) =>
    [3, 4, 5, 6, 7].flatMap((length) =>
      Array.from({ length: Math.max(0, word.length - length + 1) }, (_, at) => word.slice(at, at + length)),
    ),
  );
  const pairs = sampleWords.flatMap((one) => sampleWords.map((other) => `${one} ${other}`));
  const mistyped = sampleWords.map((word) => word.slice(0, 2) + word.slice(3));
  return [...parts, ...pairs, ...mistyped].map((text) => text.toLowerCase());
};

/** In the order in which they are measured. */
export const questions: readonly Question[] = [
  {
    name: 'listing, random pages of 20',
    asked: async ({ url }) => (await Promise.all(categories.map((category) => pagesOf(url, category)))).flat(),
  },
  {
    name: 'product, random',
    asked: async (_, { products }) => Array.from({ length: products }, (_, product) => nobody(`/api/product/${sampleProduct(product).id}`)),
  },
  { name: 'search', asked: async () => searches().map((text) => nobody(`/api/product?q=${encodeURIComponent(text)}&limit=20`)) },
  { name: 'my orders', asked: async ({ shoppers }) => shoppers.map((cookie) => ({ path: '/api/order/get-AllOrders', cookie })) },
  { name: 'admin orders page', asked: async ({ admin }) => [{ path: '/api/admin/orders?limit=20', cookie: admin }] },
  { name: 'admin stats', asked: async ({ admin }) => [{ path: '/api/admin/stats', cookie: admin }] },
];
