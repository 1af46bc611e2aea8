import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cart } from '../cart/cart.ts';
import { order } from '../order/order.ts';
import { daysLater, instant, type Instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { addItem, oudLine } from '../testing/carts.ts';
import { create } from '../testing/orders.ts';
import { add, added, dayAfter, openingDay, oudSaffronMajlis, removed, repriced, revise, revised } from '../testing/products.ts';
import { recorded } from '../testing/recorded.ts';
import type { ProductEvent } from './events.ts';
import { priceAt, priceHistory, type Offers } from './offer.ts';
import { product, type OfferedProduct, type ProductCommand } from './product.ts';
import { toView } from './view.ts';

const meera = { kind: 'admin', id: 'meera' } as const;

const closing = instant('2027-03-01T09:00:00.000Z');
const history = priceHistory(
  recorded('product-x', [added(), revised({ tag: 'New' }), repriced(paise(3_450_00), paise(3_650_00)), removed(closing)]),
);

test("a product's history has its first price, each later price, and none after its removal", () =>
  expect(history).toEqual([
    { price: 3_450_00, since: openingDay, by: meera },
    { price: 3_650_00, since: dayAfter, by: meera },
    { price: 0, since: closing, by: meera },
  ]));

test.each([
  ['before it was there', '2026-11-14T08:32:59.999Z', undefined],
  ['in its first moment', openingDay, 3_450_00],
  ['a moment before the change', '2026-11-15T09:59:59.999Z', 3_450_00],
  ['in the moment of the change', dayAfter, 3_650_00],
  ['long after', '2027-01-01T00:00:00.000Z', 3_650_00],
  ['after it was removed', '2027-03-01T09:00:00.000Z', 0],
])('the history gives the price %s', (_, moment, price) => expect(priceAt(history, instant(moment))?.price).toBe(price));

const day = (index: number): Instant => daysLater(openingDay, index);

/** Each day the price changes, or the perfume is added to a cart or checked out. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ what: fc.constant('price' as const), price: fc.integer({ min: 1, max: 10_000_00 }).map(paise) }),
    fc.record({ what: fc.constantFrom('cart' as const, 'order' as const) }),
  ),
  { maxLength: 40 },
);

/** Returns the perfume's price in the event of a cart or an order. */
const priceAskedOf = (what: 'cart' | 'order', offers: Offers, now: Instant): Paise | undefined => {
  const decision =
    what === 'cart'
      ? cart.decide(cart.initial, addItem({ offers, now }))
      : order.decide(order.initial, create({ lines: [oudLine(1)], offers, now }));
  const [event] = decision.ok ? decision.events : [];
  if (event?.type === 'ItemAdded') return event.data.price;
  return event?.type === 'OrderCreated' ? event.data.lines[0]?.unitPrice : undefined;
};

test('the price history gives at any time the price that carts and orders used then', () =>
  fc.assert(
    fc.property(deeds, (all) => {
      const events: ProductEvent[] = [];
      const asked: { readonly at: Instant; readonly price: Paise | undefined }[] = [];
      const offered = (): OfferedProduct => events.reduce(product.evolve, product.initial) as OfferedProduct;
      const decide = (command: ProductCommand): void => {
        const decision = product.decide(events.reduce(product.evolve, product.initial), command);
        if (decision.ok) events.push(...decision.events);
      };
      decide(add({ now: day(0) }));
      for (const [index, deed] of all.entries()) {
        const now = day(index + 1);
        if (deed.what === 'price') {
          decide(revise({ price: deed.price, now }));
          continue;
        }
        const offers: Offers = new Map([
          [oudSaffronMajlis, { product: toView(oudSaffronMajlis, offered()), price: offered().price, removed: false, available: null }],
        ]);
        asked.push({ at: now, price: priceAskedOf(deed.what, offers, now) });
      }
      const history = priceHistory(recorded('product-x', events));
      for (const { at, price } of asked) expect(priceAt(history, at)?.price).toBe(price);
    }),
  ));
