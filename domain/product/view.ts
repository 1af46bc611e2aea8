import { fewLeft, type StockView } from '../stock/view.ts';
import type { ProductId } from '../shared/ids.ts';
import { formatRupees, ZERO, type Paise } from '../shared/money.ts';
import type { Hsn } from '../tax/rates.ts';
import { getHsn, type ProductCategory } from './events.ts';
import type { OfferedProduct } from './product.ts';
import { joinRatings, type RatingSum } from './rating.ts';
import type { ReductionView } from './reduction.ts';

/** The view is JSON for clients. `price` is text in en-IN format, such as `₹2,450.00`, or empty. */
export type ProductView = {
  readonly _id: ProductId;
  readonly name: string;
  readonly details: string;
  readonly category: ProductCategory | '';
  readonly price: string;
  /** Stars and count join what the catalogue gives the product with the reviews of buyers. */
  readonly ratingStar: number;
  readonly reviewsCount: number;
  /** The average has two decimals. The field is missing while no buyer has reviewed the product. */
  readonly average?: number;
  readonly productImageUrl: readonly string[];
  readonly productDescription: string;
  readonly description: string;
  readonly productDetails: readonly string[];
  /** The value of a counted product is true if a bottle is available. */
  readonly inStock: boolean;
  /** The number of bottles of a counted product is shown if it is 1 to 5. */
  readonly left?: number;
  readonly bestsellers: boolean;
  readonly isFeatured: boolean;
  readonly isTrending: boolean;
  readonly tag: string;
  readonly hsn: Hsn;
  /** The revision is 0 for a new product and one more with each event; an editor sends it back as `expectedRevision`. */
  readonly revision: number;
};

/** The JSON of `GET /product/:id`. `reduction` is present while it is announced. */
export type ProductPageView = ProductView & { readonly reduction?: ReductionView };

/**
 * Admins get this JSON. `stock` is null when the product is not counted. `own` is the rating that the catalogue gives a product which buyers
 * have reviewed.
 */
export type StaffProductView = ProductView & {
  readonly stock: StockView | null;
  readonly own?: Pick<ProductView, 'ratingStar' | 'reviewsCount'>;
};

/** Formats a price. A product with the price 0 cannot be bought and has an empty text. */
export const priceText = (price: Paise): string => (price === ZERO ? '' : formatRupees(price));

/** Adds the stock to the view of a product; null means that it is not counted. */
export const withStock = (product: ProductView, available: number | null): ProductView => {
  if (available === null) return product;
  const left = fewLeft(available);
  return { ...product, inStock: available > 0, ...(left !== undefined && { left }) };
};

/** Adds the reviews of buyers to the view of a product. */
export const withReviews = (product: ProductView, reviewed: RatingSum): ProductView =>
  reviewed.count === 0 ? product : { ...product, ...joinRatings(product, reviewed) };

/** Returns the view of a product after a command. The read model gives the same view later. */
export const toView = (
  id: ProductId,
  { details, price, inStock, revision }: Omit<OfferedProduct, 'status'>,
  available: number | null = null,
): ProductView => withStock({ _id: id, ...details, hsn: getHsn(details), price: priceText(price), inStock, revision }, available);
