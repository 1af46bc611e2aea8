import type { ProductId } from '../shared/ids.ts';
import { ZERO, type Paise } from '../shared/money.ts';
import type { Product } from './product.ts';
import { toView, type ProductView } from './view.ts';
import type { Actor, Recorded } from '../event-store.ts';
import type { Instant } from '../shared/time.ts';
import type { ProductEvent } from './events.ts';

/** The current data of a perfume in the catalogue, or the last data of a removed one. */
export type Offer = {
  readonly product: ProductView;
  readonly price: Paise;
  readonly removed: boolean;
  /** The number of bottles that nobody has reserved; null when the perfume is not counted. */
  readonly available: number | null;
};

/**
 * The catalogue for carts and orders. Aggregates cannot look anything up, so the handler passes it with the command. It still contains
 * removed products, which carts show as unavailable.
 */
export type Offers = { readonly get: (productId: ProductId) => Offer | undefined };

/** Returns the offer from the states of product and stock; undefined when the product is not offered. */
export const createOffer = (id: ProductId, product: Product, available: number | null = null): Offer | undefined =>
  product.status === 'offered' ? { product: toView(id, product, available), price: product.price, removed: false, available } : undefined;

export type OfferRejection =
  { readonly code: 'product_not_found' } | { readonly code: 'product_out_of_stock' } | { readonly code: 'product_not_purchasable' };

/** Returns undefined when the perfume can be bought. A perfume without a price is not free, but not for sale. */
export const whyNotForSale = (offer: Offer): OfferRejection | undefined => {
  if (offer.removed) return { code: 'product_not_found' };
  if (!offer.product.inStock) return { code: 'product_out_of_stock' };
  return offer.price > 0 ? undefined : { code: 'product_not_purchasable' };
};

export const isForSale = (offer: Offer): boolean => whyNotForSale(offer) === undefined;

/** Returns the offer if it can be bought, whatever its stock: the bottles of a counted perfume are reserved separately. */
export const forReserving = (offers: Offers, productId: ProductId): Offer | undefined => {
  const offer = offers.get(productId);
  return offer && isForSale(offer.available === null ? offer : { ...offer, product: { ...offer.product, inStock: true } })
    ? offer
    : undefined;
};

/** A product's price since a time, and who set it. The price 0 means that it could not be bought. */
export type PriceSince = { readonly price: Paise; readonly since: Instant; readonly by: Actor };

/** Returns the prices of a product, oldest first. A removed product has no price. */
export const priceHistory = (events: readonly Recorded<ProductEvent>[]): readonly PriceSince[] =>
  events.flatMap(({ type, data, metadata: { actor: by } }): PriceSince[] => {
    if (type === 'ProductAdded') return [{ price: data.price, since: data.addedAt, by }];
    if (type === 'ProductPriceChanged') return [{ price: data.to, since: data.changedAt, by }];
    return type === 'ProductRemoved' ? [{ price: ZERO, since: data.removedAt, by }] : [];
  });

export const priceAt = (history: readonly PriceSince[], moment: Instant): PriceSince | undefined =>
  history.findLast(({ since }) => since <= moment);
