import type { Actor, Recorded } from '../event-store.ts';
import type { Instant } from '../shared/instant.ts';
import { NOTHING, type Paise } from '../shared/money.ts';
import type { ProductEvent } from './events.ts';

/** A product's price since a time, and who set it; a price of 0 is none: it could not be bought. */
export type PriceSince = { readonly price: Paise; readonly since: Instant; readonly by: Actor };

/** The prices of a product, from its events, oldest first. From its removal on it has none. */
export const priceHistory = (events: readonly Recorded<ProductEvent>[]): readonly PriceSince[] =>
  events.flatMap(({ type, data, metadata: { actor: by } }): PriceSince[] => {
    if (type === 'ProductAdded') return [{ price: data.price, since: data.addedAt, by }];
    if (type === 'ProductPriceChanged') return [{ price: data.to, since: data.changedAt, by }];
    return type === 'ProductRemoved' ? [{ price: NOTHING, since: data.removedAt, by }] : [];
  });

/** The price at a time; undefined before the product was added. */
export const priceAt = (history: readonly PriceSince[], moment: Instant): PriceSince | undefined =>
  history.findLast(({ since }) => since <= moment);
