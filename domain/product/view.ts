import type { ProductId } from '../shared/ids.ts';
import { formatRupees, NOTHING, type Paise } from '../shared/money.ts';
import type { Category } from './events.ts';
import type { OfferedProduct } from './product.ts';

/** A product as every client sees it (decisions, section 3). `price` is text in en-IN format, `₹2,450.00`, or empty. */
export type ProductView = {
  readonly _id: ProductId;
  readonly name: string;
  readonly details: string;
  readonly category: Category | '';
  readonly price: string;
  readonly ratingStar: number;
  readonly reviewsCount: number;
  readonly productImageUrl: readonly string[];
  readonly productDescription: string;
  readonly description: string;
  readonly productDetails: readonly string[];
  readonly inStock: boolean;
  readonly bestsellers: boolean;
  readonly isFeatured: boolean;
  readonly isTrending: boolean;
  readonly tag: string;
  /** 0 for a product just added, one more with each event since; goes back as `expectedRevision` with an edit. */
  readonly revision: number;
};

/** A price as clients see it; a product that has none (0) is not purchasable and shows none. */
export const priceText = (price: Paise): string => (price === NOTHING ? '' : formatRupees(price));

/** The product that the command has just made of it; the read model's row says the same a moment later. */
export const toView = (id: ProductId, { details, price, inStock, revision }: Omit<OfferedProduct, 'status'>): ProductView => ({
  _id: id,
  ...details,
  price: priceText(price),
  inStock,
  revision,
});
