import { ESSENTIAL_OILS, PERFUMES, type Hsn } from '../tax/rates.ts';
import type { Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';

export const categories = ['oud', 'floral', 'fresh', 'musk', 'attar'] as const;
/** A perfume family. */
export type ProductCategory = (typeof categories)[number];

/** A perfume's descriptive fields, without price and stock. */
export type ProductDetails = {
  name: string;
  /** The short line of scents. */
  details: string;
  category: ProductCategory | '';
  /** 0 to 5 in half steps. */
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
  /** What it is for the tax; see `hsnOf` for products from before it was kept. */
  hsn?: Hsn;
};

/** Attars are oils, all others perfumes, unless it was said otherwise. */
export const hsnOf = ({ hsn, category }: Pick<ProductDetails, 'hsn' | 'category'>): Hsn =>
  hsn ?? (category === 'attar' ? ESSENTIAL_OILS : PERFUMES);

/** The fields to change; missing ones stay. */
export type DetailsChanges = { readonly [Field in keyof ProductDetails]?: ProductDetails[Field] | undefined };

/** Stored for ever: a field may be added as optional, never renamed or retyped. */
export type ProductEvent =
  | { type: 'ProductAdded'; data: { details: ProductDetails; price: Paise; inStock: boolean; addedAt: Instant } }
  /** Only the changed fields. */
  | { type: 'ProductDetailsRevised'; data: { changes: Partial<ProductDetails>; revisedAt: Instant } }
  /** A price of 0 makes the product not purchasable. */
  | { type: 'ProductPriceChanged'; data: { from: Paise; to: Paise; changedAt: Instant } }
  | { type: 'ProductSoldOut'; data: { soldOutAt: Instant } }
  | { type: 'ProductRestocked'; data: { restockedAt: Instant } }
  | { type: 'ProductRemoved'; data: { removedAt: Instant } };
