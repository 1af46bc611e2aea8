import { categories } from '#domain/product/events.ts';
import { productId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { logPosition } from '#domain/event-store.ts';
import { paise } from '#domain/shared/money.ts';

import { toIndexedProduct, type IndexedProduct } from '../indexed-product.ts';
import type { CatalogueRow } from '../projector.ts';

const plain: CatalogueRow = {
  product_id: productId('ruh-gulab'),
  name: 'Ruh Gulab',
  category: 'attar',
  price: paise(2_450_00),
  in_stock: true,
  rating: 4.5,
  bestseller: false,
  featured: false,
  trending: false,
  pictured: true,
  added_at: instant('2026-11-14T08:33:00.000Z'),
  removed: false,
  position: logPosition(1n),
  reduced_at: null,
  lowest_before: null,
  earlier_prices: '[]',
  view: '',
};

/** Makes a product for tests: Ruh Gulab, an attar for ₹2,450.00, with these changes. */
export const item = (changes: Partial<CatalogueRow> = {}): IndexedProduct => {
  const row = { ...plain, ...changes };
  return toIndexedProduct({ ...row, view: JSON.stringify({ _id: row.product_id, name: row.name }) });
};

const WORDS = [
  'Oud',
  'Rose',
  'Musk',
  'Amber',
  'Sandal',
  'Saffron',
  'Jasmine',
  'Vetiver',
  'Royal',
  'Night',
  'Garden',
  'Silk',
  'Monsoon',
  'Majlis',
];

/** Makes a shop of `size` products, the same every time: names of three words, prices up to ₹5,000, one in eight featured. */
export const bigShop = (size: number, view: (name: string) => string): CatalogueRow[] =>
  Array.from({ length: size }, (_, index) => {
    const word = (step: number): string => WORDS[Math.floor(index / step) % WORDS.length] ?? '';
    const name = `${word(1)} ${word(14)} ${word(196)} ${index % 977}`;
    return {
      ...plain,
      product_id: productId(`perfume-${index}`),
      name,
      category: categories[index % categories.length] ?? 'oud',
      price: paise(((index * 7919) % 5000) * 100),
      rating: ((index * 31) % 11) / 2,
      bestseller: index % 5 === 0,
      featured: index % 8 === 0,
      trending: index % 3 === 0,
      added_at: instant(new Date(Date.UTC(2026, 0, 1) + ((index * 104_729) % 31_536_000) * 1000).toISOString()),
      position: logPosition(BigInt(index + 1)),
      view: view(name),
    };
  });
