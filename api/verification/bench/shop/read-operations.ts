import { categories } from '#domain/product/events.ts';

import type { RequestedPath, RequestSource } from '../measuring/reads.ts';
import { sampleProduct, sampleWords } from '../samples/sample-products.ts';
import type { Size, StockedShop } from './stocked-shop.ts';

export type ReadOperation = { readonly name: string; readonly asking: (shop: StockedShop, size: Size) => Promise<RequestSource> };

const nobody = (path: string): RequestedPath => ({ path, cookie: '' });

/** All pages of the category, found by following their links. */
const pagesOf = async (url: string, category: string): Promise<RequestedPath[]> => {
  const pages: RequestedPath[] = [];
  for (let path: string | undefined = `/api/product?category=${category}&limit=20`; path !== undefined;) {
    pages.push(nobody(path));
    const answer: Response = await fetch(url + path);
    await answer.arrayBuffer();
    path = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
};

/** Every part of three to seven letters of the words in product names, and each word with a letter missing. */
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

const listings = async ({ url }: StockedShop): Promise<readonly RequestedPath[]> =>
  (await Promise.all(categories.map((category) => pagesOf(url, category)))).flat();

const oneOf = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

/** With decimals, so that hardly any range is repeated. */
const price = (from: number, to: number): string => (from + Math.random() * (to - from)).toFixed(2);

const unseenListing = (): RequestedPath =>
  nobody(`/api/product?category=${oneOf(categories)}&minPrice=${price(100, 2_000)}&maxPrice=${price(8_000, 12_000)}&limit=20`);

/** In the order in which they are measured. */
export const readOperations: readonly ReadOperation[] = [
  { name: 'listing, random pages of 20', asking: async (shop) => ({ known: await listings(shop) }) },
  {
    name: 'listing, with the cookies of a shopper',
    asking: async (shop) => ({ known: (await listings(shop)).map(({ path }) => ({ path, cookie: oneOf(shop.shoppers) })) }),
  },
  {
    name: 'listing, pages not in the cache',
    asking: async () => ({ known: Array.from({ length: 100 }, unseenListing), unseen: unseenListing }),
  },
  {
    name: 'product, random',
    asking: async (_, { products }) => ({
      known: Array.from({ length: products }, (_, product) => nobody(`/api/product/${sampleProduct(product).id}`)),
    }),
  },
  {
    name: 'search',
    asking: async () => ({ known: searches().map((text) => nobody(`/api/product?q=${encodeURIComponent(text)}&limit=20`)) }),
  },
  {
    name: 'my orders',
    asking: async ({ shoppers }) => ({ known: shoppers.map((cookie) => ({ path: '/api/order/get-AllOrders', cookie })) }),
  },
  { name: 'admin orders page', asking: async ({ admin }) => ({ known: [{ path: '/api/admin/orders?limit=20', cookie: admin }] }) },
  { name: 'admin stats', asking: async ({ admin }) => ({ known: [{ path: '/api/admin/stats', cookie: admin }] }) },
];
