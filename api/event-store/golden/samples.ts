import type { ProductDetails, ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

type Sample<Data> = readonly Data[];
type Samples = { readonly [Type in ProductEvent['type']]: Sample<Extract<ProductEvent, { type: Type }>['data']> };

const paise = (amount: number) => amount as Paise;
const noon = instant('2026-11-14T12:00:00.000Z');

const oudRoyal: ProductDetails = {
  name: 'Oud Royal',
  details: 'Oud, amber, rose',
  category: 'oud',
  ratingStar: 4.5,
  reviewsCount: 12,
  productImageUrl: ['/pictures/oud-royal-1.webp', '/pictures/oud-royal-2.webp'],
  productDescription: 'Smoky oud “for the evening” — ₹2,450.00',
  description: 'Worn close to the skin\nuntil late.',
  productDetails: ['50 ml', 'Extrait de parfum'],
  bestsellers: true,
  isFeatured: false,
  isTrending: true,
  tag: 'New',
};

/** Today's shape of every event, in each of its variants. What they looked like before stands in `events.ndjson` alone. */
export const samples: Samples = {
  ProductAdded: [
    { details: oudRoyal, price: paise(2_450_00), inStock: true, addedAt: noon },
    { details: { ...oudRoyal, category: '', productImageUrl: [], productDetails: [] }, price: paise(0), inStock: false, addedAt: noon },
  ],
  ProductDetailsRevised: [
    { changes: { name: 'Oud Royale', isFeatured: true }, revisedAt: noon },
    { changes: oudRoyal, revisedAt: noon },
  ],
  ProductPriceChanged: [{ from: paise(2_450_00), to: paise(2_300_50), changedAt: noon }],
  ProductSoldOut: [{ soldOutAt: noon }],
  ProductRestocked: [{ restockedAt: noon }],
  ProductRemoved: [{ removedAt: noon }],
};
