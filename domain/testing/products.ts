import type { ProductDetails, ProductEvent } from '../product/events.ts';
import { product, type AddProduct, type OfferedProduct, type ReviseProduct } from '../product/product.ts';
import { productId } from '../shared/ids.ts';
import { instant, type Instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { ESSENTIAL_OILS, PERFUMES } from '../tax/rates.ts';

/** This oud is featured and among the bestsellers. It costs ₹3,450.00 and is in stock. */
export const oudSaffronMajlis = productId('oud-saffron-majlis');
/** This attar costs ₹2,450.00 and is in stock. */
export const ruhGulab = productId('ruh-gulab');

export const openingDay = instant('2026-11-14T08:33:00.000Z');
export const dayAfter = instant('2026-11-15T10:00:00.000Z');

const oudSaffronMajlisDetails: ProductDetails = {
  name: 'Oud Saffron Majlis',
  details: 'Smoked oud · Kashmiri saffron · rose absolute',
  category: 'oud',
  ratingStar: 5,
  reviewsCount: 412,
  productImageUrl: ['/pictures/products/oud-saffron-majlis.webp', '/pictures/products/oud-saffron-majlis-2.webp'],
  productDescription: 'Our signature oud, passed around a room of old friends.',
  description: 'It opens with Kashmiri saffron over a curl of smoke from the first chip on the coal.',
  productDetails: ['Eau de parfum intense, 28% perfume oil', '50 ml spray, refillable'],
  bestsellers: true,
  isFeatured: true,
  isTrending: false,
  tag: 'Bestseller',
  hsn: PERFUMES,
};

const ruhGulabDetails: ProductDetails = {
  ...oudSaffronMajlisDetails,
  name: 'Ruh Gulab',
  details: 'Pure rose oil · Kannauj · deg-bhapka',
  category: 'attar',
  ratingStar: 4.5,
  reviewsCount: 96,
  productImageUrl: ['/pictures/products/ruh-gulab.webp'],
  bestsellers: false,
  isFeatured: false,
  tag: '',
  hsn: ESSENTIAL_OILS,
};

export const details = (changes: Partial<ProductDetails> = {}): ProductDetails => ({ ...oudSaffronMajlisDetails, ...changes });

type Added = { price?: Paise; inStock?: boolean; addedAt?: Instant } & Partial<ProductDetails>;

export const added = ({ price = paise(3_450_00), inStock = true, addedAt = openingDay, ...changes }: Added = {}): ProductEvent => ({
  type: 'ProductAdded',
  data: { details: details(changes), price, inStock, addedAt },
});

export const ruhGulabAdded = (changes: Added = {}): ProductEvent => added({ ...ruhGulabDetails, price: paise(2_450_00), ...changes });

export const revised = (changes: Partial<ProductDetails>, revisedAt = dayAfter): ProductEvent => ({
  type: 'ProductDetailsRevised',
  data: { changes, revisedAt },
});
export const repriced = (from: Paise, to: Paise, changedAt = dayAfter): ProductEvent => ({
  type: 'ProductPriceChanged',
  data: { from, to, changedAt },
});
export const soldOut = (soldOutAt = dayAfter): ProductEvent => ({ type: 'ProductSoldOut', data: { soldOutAt } });
export const restocked = (restockedAt = dayAfter): ProductEvent => ({ type: 'ProductRestocked', data: { restockedAt } });
export const removed = (removedAt = dayAfter): ProductEvent => ({ type: 'ProductRemoved', data: { removedAt } });

export const add = (changes: Partial<AddProduct> = {}): AddProduct => ({
  type: 'AddProduct',
  details: details(),
  price: paise(3_450_00),
  inStock: true,
  now: openingDay,
  ...changes,
});

export const revise = (changes: Partial<ReviseProduct> = {}): ReviseProduct => ({
  type: 'ReviseProduct',
  changes: {},
  now: dayAfter,
  ...changes,
});

export const remove = () => ({ type: 'RemoveProduct', now: dayAfter }) as const;

/** Returns the product after these events. Throws when it is not offered. */
export const offeredAfter = (...events: readonly ProductEvent[]): OfferedProduct => {
  const state = events.reduce(product.evolve, product.initial);
  if (state.status !== 'offered') throw new Error(`The product is ${state.status}`);
  return state;
};
