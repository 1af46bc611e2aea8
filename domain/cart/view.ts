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
  /** Of its tax today, in per cent; missing where there is no rule. */
  readonly rate?: TaxRate;
  /** The perfume was removed, is out of stock or has no price: it stays in the cart and cannot be ordered. */
  readonly unavailable?: true;
  /** The bottles available, if they are fewer than the quantity: the line cannot be ordered as it is. */
  readonly onlyLeft?: number;
  /** The price when it was last added, `₹2,150.00`, if that differs from the current one. */
  readonly priceChangedFrom?: string;
};

/** A cart as JSON for clients. The total is in rupees, without unavailable lines. */
export type CartView = { readonly items: readonly CartItemView[]; readonly totalCartValue: number };

/** A perfume that is not in the catalogue, from the line's own data. */
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

/** The cart at the catalogue's current prices. A closed cart is empty: its lines are in another cart. */
export const viewCart = (cart: Cart, offers: Offers, rates: Rates): CartView => {
  const lines = cart.closed === null ? cart.lines : [];
  const offered = lines.map((line): OfferedLine => ({ line, offer: offers.get(line.productId), rates }));
  const worth = offered.flatMap(({ line, offer }) => (offer && isForSale(offer) ? [times(offer.price, line.quantity)] : []));
  return { items: offered.map(viewLine), totalCartValue: rupees(sum(worth)) };
};
