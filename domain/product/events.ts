import { ESSENTIAL_OILS, PERFUMES, type Hsn } from '../tax/rates.ts';
import type { Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';

export const categories = ['oud', 'floral', 'fresh', 'musk', 'attar'] as const;
export type ProductCategory = (typeof categories)[number];

export type ProductDetails = {
  name: string;
  /** The details are a short list of scents. */
  details: string;
  category: ProductCategory | '';
  /** The rating is between 0 and 5, in half steps. */
  ratingStar: number;
  reviewsCount: number;
  productImageUrl: string[];
  productDescription: string;
  description: string;
  productDetails: string[];
  bestsellers: boolean;
  isFeatured: boolean;
  isTrending: boolean;
  tag: string;
  /** Old products have no tax code; `getHsn` returns one for them. */
  hsn?: Hsn;
};

/** Attars count as oils and all other products as perfumes, unless they have a code. */
export const getHsn = ({ hsn, category }: Pick<ProductDetails, 'hsn' | 'category'>): Hsn =>
  hsn ?? (category === 'attar' ? ESSENTIAL_OILS : PERFUMES);

export type DetailsChanges = { readonly [Field in keyof ProductDetails]?: ProductDetails[Field] | undefined };

/** Events are stored for ever: a field may be added as optional, but never renamed or retyped. */
export type ProductEvent =
  | { type: 'ProductAdded'; data: { details: ProductDetails; price: Paise; inStock: boolean; addedAt: Instant } }
  /** `changes` has only the changed fields. */
  | { type: 'ProductDetailsRevised'; data: { changes: Partial<ProductDetails>; revisedAt: Instant } }
  /** A product with the price 0 cannot be bought. */
  | { type: 'ProductPriceChanged'; data: { from: Paise; to: Paise; changedAt: Instant } }
  | { type: 'ProductSoldOut'; data: { soldOutAt: Instant } }
  | { type: 'ProductRestocked'; data: { restockedAt: Instant } }
  | { type: 'ProductRemoved'; data: { removedAt: Instant } };
