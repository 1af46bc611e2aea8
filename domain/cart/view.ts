import { isForSale, type Offer, type Offers } from '../product/offer.ts';
import { priceText, type ProductView } from '../product/view.ts';
import type { ProductId } from '../shared/ids.ts';
import { formatRupees, rupees, sum, times } from '../shared/money.ts';
import { PERFUMES, type TaxRate } from '../tax/rates.ts';
import type { Rates } from '../tax/tax.ts';
import type { Cart } from './cart.ts';
import type { CartLine } from './events.ts';

export type CartItemView = {
  readonly productId: ProductId;
  readonly quantity: number;
  readonly product: ProductView;
  /** The rate is today's tax rate of the perfume in per cent; it is missing if there is no rule for it. */
  readonly rate?: TaxRate;
  /** The value is true if the perfume was removed, is out of stock or has no price: it stays in the cart and cannot be ordered. */
  readonly unavailable?: true;
  /** The number of available bottles, if it is less than the quantity: the line cannot be ordered as it is. */
  readonly onlyLeft?: number;
  /** The price at which the perfume was last added, such as `₹2,150.00`, if it differs from the current price. */
  readonly priceChangedFrom?: string;
};

/** The view is JSON for clients. The total is in rupees and excludes unavailable lines. */
export type CartView = { readonly items: readonly CartItemView[]; readonly totalCartValue: number };

/** Describes a perfume that is not in the catalogue by the data of its line. */
const remembered = ({ productId, name, price }: CartLine): ProductView => ({
  _id: productId,
  name,
  details: '',
  category: '',
  price: priceText(price),
  ratingStar: 0,
  reviewsCount: 0,
  productImageUrl: [],
  productDescription: '',
  description: '',
  productDetails: [],
  inStock: false,
  bestsellers: false,
  isFeatured: false,
  isTrending: false,
  tag: '',
  hsn: PERFUMES,
  revision: 0,
});

type OfferedLine = { readonly rates: Rates; readonly line: CartLine; readonly offer: Offer | undefined };

const viewLine = ({ line, offer, rates }: OfferedLine): CartItemView => {
  const { productId, quantity } = line;
  if (offer === undefined) return { productId, quantity, product: remembered(line), unavailable: true };
  const { available } = offer;
  const rate = rates.get(offer.product.hsn);
  const isShort = !offer.removed && available !== null && available < quantity;
  const item = {
    productId,
    quantity,
    product: offer.product,
    ...(rate !== undefined && { rate }),
    ...(isShort && { onlyLeft: Math.max(available, 0) }),
  };
  if (!isForSale(offer)) return { ...item, unavailable: true };
  return offer.price === line.price ? item : { ...item, priceChangedFrom: formatRupees(line.price) };
};

/** Returns the cart at the catalogue's current prices. A closed cart is empty: its lines are in another cart. */
export const viewCart = (cart: Cart, offers: Offers, rates: Rates): CartView => {
  const lines = cart.closed === null ? cart.lines : [];
  const offered = lines.map((line): OfferedLine => ({ line, offer: offers.get(line.productId), rates }));
  const worth = offered.flatMap(({ line, offer }) => (offer && isForSale(offer) ? [times(offer.price, line.quantity)] : []));
  return { items: offered.map(viewLine), totalCartValue: rupees(sum(worth)) };
};
