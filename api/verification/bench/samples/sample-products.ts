import { categories, type ProductDetails, type ProductEvent } from '#domain/product/events.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { paise, type Paise } from '#domain/shared/money.ts';

const MOODS = ['Amber', 'Velvet', 'Midnight', 'Royal', 'Saffron', 'Monsoon', 'Silver', 'Crimson', 'Winter', 'Garden', 'Desert', 'Temple'];
const SCENTS = ['Oud', 'Rose', 'Vetiver', 'Jasmine', 'Musk', 'Sandalwood', 'Cardamom', 'Neroli', 'Leather', 'Tuberose', 'Myrrh', 'Lotus'];
const PLACES = ['Majlis', 'Kannauj', 'Mysore', 'Assam', 'Bazaar', 'Haveli', 'Caravan', 'Courtyard', 'Evening', 'Ghat', 'Palace', 'Orchard'];

export const sampleWords: readonly string[] = [...MOODS, ...SCENTS, ...PLACES];

const DIFFERENT = MOODS.length * SCENTS.length * PLACES.length;

const createName = (product: number): string => {
  const mood = MOODS[product % MOODS.length];
  const scent = SCENTS[Math.floor(product / MOODS.length) % SCENTS.length];
  const place = PLACES[Math.floor(product / (MOODS.length * SCENTS.length)) % PLACES.length];
  const edition = Math.floor(product / DIFFERENT);
  return edition === 0 ? `${mood} ${scent} ${place}` : `${mood} ${scent} ${place} No ${edition + 1}`;
};

const createDetails = (product: number): ProductDetails => ({
  name: createName(product),
  details: 'Smoked oud · Kashmiri saffron · rose absolute',
  category: categories[product % categories.length] ?? 'oud',
  ratingStar: (product % 11) / 2,
  reviewsCount: product % 500,
  productImageUrl: [`/pictures/products/sample-${product}.webp`],
  productDescription: 'Resin and red saffron. Warm, leathered and generous.',
  description:
    'It opens bright and faintly metallic, over a curl of smoke; rose settles in the heart, and the base stays close until morning.',
  productDetails: ['Eau de parfum intense', '50 ml spray, refillable'],
  bestsellers: product % 10 === 0,
  isFeatured: product % 20 === 0,
  isTrending: product % 15 === 0,
  tag: product % 10 === 0 ? 'Bestseller' : '',
});

/** Returns a product of about 640 bytes as JSON, so that a page of twenty is 12.8 kB. */
export const sampleProduct = (product: number): { readonly id: ProductId; readonly details: ProductDetails; readonly price: Paise } => ({
  id: productId(`sample-${product}`),
  details: createDetails(product),
  price: paise(500_00 + (product % 400) * 25_00),
});

export const sampleProductAdded = (product: number, addedAt: Instant): ProductEvent => {
  const { details, price } = sampleProduct(product);
  return { type: 'ProductAdded', data: { details, price, inStock: true, addedAt } };
};
