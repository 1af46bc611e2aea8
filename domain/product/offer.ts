import type { ProductId } from '../shared/ids.ts';
import { ZERO, type Paise } from '../shared/money.ts';
import type { Product } from './product.ts';
import { toView, type ProductView } from './view.ts';
import type { Actor, Recorded } from '../event-store.ts';
import type { Instant } from '../shared/time.ts';
import type { ProductEvent } from './events.ts';

/** A perfume's current data in the catalogue; of a removed one, the last known. */
export type Offer = {
  readonly product: ProductView;
  readonly price: Paise;
  readonly removed: boolean;
  /** Bottles that nobody has reserved; null when the perfume is not counted. */
  readonly available: number | null;
};

/**
 * The catalogue for carts and orders. Aggregates cannot look anything up, so the handler passes it with the command. A removed product
 * stays in it: carts show it as unavailable.
 */
export type Offers = { readonly get: (productId: ProductId) => Offer | undefined };

/** The offer from the streams of product and stock; undefined when the product is not offered. */
export const offerOf = (id: ProductId, product: Product, available: number | null = null): Offer | undefined =>
  product.status === 'offered' ? { product: toView(id, product, available), price: product.price, removed: false, available } : undefined;

/** Why a perfume cannot be bought. */
export type OfferRejection =
  { readonly code: 'product_not_found' } | { readonly code: 'product_out_of_stock' } | { readonly code: 'product_not_purchasable' };

/** Undefined when the perfume can be bought. One without a price is not free, it is not for sale. */
export const whyNotForSale = (offer: Offer): OfferRejection | undefined => {
  if (offer.removed) return { code: 'product_not_found' };
  if (!offer.product.inStock) return { code: 'product_out_of_stock' };
  return offer.price > 0 ? undefined : { code: 'product_not_purchasable' };
};

export const isForSale = (offer: Offer): boolean => whyNotForSale(offer) === undefined;

/** The offer, if it can be bought once there are bottles: those of a counted perfume are reserved apart. */
export const forReserving = (offers: Offers, productId: ProductId): Offer | undefined => {
  const offer = offers.get(productId);
  return offer && isForSale(offer.available === null ? offer : { ...offer, product: { ...offer.product, inStock: true } })
    ? offer
    : undefined;
};

/** A product's price since a time, and who set it; a price of 0 is none: it could not be bought. */
export type PriceSince = { readonly price: Paise; readonly since: Instant; readonly by: Actor };

/** The prices of a product, from its events, oldest first. From its removal on it has none. */
export const priceHistory = (events: readonly Recorded<ProductEvent>[]): readonly PriceSince[] =>
  events.flatMap(({ type, data, metadata: { actor: by } }): PriceSince[] => {
    if (type === 'ProductAdded') return [{ price: data.price, since: data.addedAt, by }];
    if (type === 'ProductPriceChanged') return [{ price: data.to, since: data.changedAt, by }];
    return type === 'ProductRemoved' ? [{ price: ZERO, since: data.removedAt, by }] : [];
  });

/** The price at a time; undefined before the product was added. */
export const priceAt = (history: readonly PriceSince[], moment: Instant): PriceSince | undefined =>
  history.findLast(({ since }) => since <= moment);
