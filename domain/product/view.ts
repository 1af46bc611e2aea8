import { fewLeft, type StockView } from '../stock/view.ts';
import type { ProductId } from '../shared/ids.ts';
import { formatRupees, ZERO, type Paise } from '../shared/money.ts';
import type { Hsn } from '../tax/rates.ts';
import { hsnOf, type ProductCategory } from './events.ts';
import type { OfferedProduct } from './product.ts';
import type { ReductionView } from './reduction.ts';

/** A product as JSON for clients. `price` is text in en-IN format, `₹2,450.00`, or empty. */
export type ProductView = {
  readonly _id: ProductId;
  readonly name: string;
  readonly details: string;
  readonly category: ProductCategory | '';
  readonly price: string;
  readonly ratingStar: number;
  readonly reviewsCount: number;
  readonly productImageUrl: readonly string[];
  readonly productDescription: string;
  readonly description: string;
  readonly productDetails: readonly string[];
  /** Of a counted product: whether something is left. */
  readonly inStock: boolean;
  /** Of a counted product, when it is only 1 to 5. */
  readonly left?: number;
  readonly bestsellers: boolean;
  readonly isFeatured: boolean;
  readonly isTrending: boolean;
  readonly tag: string;
  readonly hsn: Hsn;
  /** 0 for a new product, one more with each event since; sent back as `expectedRevision` with an edit. */
  readonly revision: number;
};

/** Of `GET /product/:id`. `reduction`: while it is announced. */
export type ProductPageView = ProductView & { readonly reduction?: ReductionView };

/** For admins. `stock`: null when it is not counted. */
export type StaffProductView = ProductView & { readonly stock: StockView | null };

/** A price as text; a product without one (0) cannot be bought and has an empty text. */
export const priceText = (price: Paise): string => (price === ZERO ? '' : formatRupees(price));

/** The view of a product of which so many bottles are available; null: not counted. */
export const withStock = (product: ProductView, available: number | null): ProductView => {
  if (available === null) return product;
  const left = fewLeft(available);
  return { ...product, inStock: available > 0, ...(left !== undefined && { left }) };
};

/** The view of a product's state after a command; the read model's will be the same. */
export const toView = (
  id: ProductId,
  { details, price, inStock, revision }: Omit<OfferedProduct, 'status'>,
  available: number | null = null,
): ProductView => withStock({ _id: id, ...details, hsn: hsnOf(details), price: priceText(price), inStock, revision }, available);
