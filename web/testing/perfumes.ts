import { PERFUMES } from '#domain/tax/rates.ts';
import { productId } from '#domain/shared/ids.ts';
import type { ProductView } from '#domain/product/view.ts';
import { details } from '#domain/testing/products.ts';

/** Returns Oud Saffron Majlis with changed fields. The id is derived from the name. */
export const perfume = (changes: Partial<ProductView> = {}): ProductView => ({
  ...details({
    description: 'It opens with Kashmiri saffron over a curl of smoke.',
    productDetails: [
      '50 ml spray, refillable',
      'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather',
      'Lasts 10–12 hours',
    ],
  }),
  _id: productId((changes.name ?? 'Oud Saffron Majlis').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'nameless'),
  hsn: PERFUMES,
  price: '₹3,450.00',
  inStock: true,
  revision: 0,
  ...changes,
});

/** Returns Perfume 1, Perfume 2 and so on, from each family in turn, each ₹100 more expensive than the one before. */
export const manyPerfumes = (count: number): ProductView[] =>
  Array.from({ length: count }, (_, index) =>
    perfume({
      name: `Perfume ${index + 1}`,
      category: (['oud', 'floral', 'fresh', 'musk', 'attar'] as const)[index % 5] ?? 'oud',
      price: `₹${new Intl.NumberFormat('en-IN').format((index + 1) * 100)}.00`,
    }),
  );
