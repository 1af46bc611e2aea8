import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cart, type Cart, type CartCommand } from '../cart/cart.ts';
import { isForSale } from '../product/offer.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import { instant, type Instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { addItem, createOffers, changeQuantity, meera, ravi, removeItem, takeOrderedItems } from '../testing/carts.ts';
import { cancel, create, decideReturn, giveBack, home, moveTo, orderAfter, place, receiveReturn } from '../testing/orders.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import type { OrderEvent } from './events.ts';
import { deriveOrderId } from './checkout.ts';
import { order, type OrderCommand } from './order.ts';
import { type Order, canBecome, nextForStaff, orderStatuses } from './rules.ts';
import { viewOrder } from './view.ts';

const keyedHash = (text: string): string => createHmac('sha256', 'a key of the shop').update(text).digest('hex');

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the n-th quarter of an hour of a month. A few hundred of them are several days, so that checkouts expire. */
const quarter = (n: number): Instant =>
  instant(`2026-11-${two(1 + Math.floor(n / 96))}T${two(Math.floor(n / 4) % 24)}:${two((n % 4) * 15)}:00.000Z`);

type Prices = { readonly oud: Paise; readonly gulab: Paise };
type Step =
  | { readonly do: 'cart'; readonly command: CartCommand }
  | { readonly do: 'reprice'; readonly prices: Prices }
  /** Checks out the cart as it was `back` versions ago, as a tab with an older cart does. */
  | { readonly do: 'check out'; readonly back: number; readonly giftWrap: boolean }
  | { readonly do: 'order'; readonly which: number; readonly command: OrderCommand }
  | { readonly do: 'move on'; readonly which: number };

const price = fc.constantFrom(0, 2_450_00, 3_450_00, 3_450_01).map(paise);
const perfume = fc.constantFrom(oudSaffronMajlis, ruhGulab);
const quantity = fc.integer({ min: 1, max: 99 });
const shopper = fc.constantFrom(meera, meera, meera, ravi);
const which = fc.nat({ max: 3 });
const orderCommand: fc.Arbitrary<OrderCommand> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ by: shopper, method: fc.constantFrom('COD' as const, 'Prepaid' as const) }).map(place) },
  { weight: 1, arbitrary: shopper.map((by) => cancel({ by })) },
  { weight: 3, arbitrary: fc.record({ by: shopper, opened: fc.boolean() }).map(giveBack) },
  { weight: 3, arbitrary: fc.constantFrom(decideReturn(), decideReturn('refused'), receiveReturn()) },
  { weight: 1, arbitrary: fc.constantFrom(...orderStatuses).map((to) => moveTo(to)) },
);
const cartCommand: fc.Arbitrary<CartCommand> = fc.oneof(
  fc.record({ productId: perfume, quantity }).map(addItem),
  fc.tuple(perfume, quantity).map(([productId, quantity]) => changeQuantity(productId, quantity)),
  perfume.map(removeItem),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('cart' as const), command: cartCommand }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reprice' as const), prices: fc.record({ oud: price, gulab: price }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('check out' as const), back: fc.constantFrom(0, 0, 0, 1, 2), giftWrap: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('order' as const), which, command: orderCommand }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('move on' as const), which }) },
);

class Shop {
  readonly carts: Cart[] = [cart.initial];
  readonly orders = new Map<OrderId, { state: Order; readonly events: OrderEvent[]; readonly version: number }>();
  offers = createOffers();

  act(step: Step, now: Instant): void {
    switch (step.do) {
      case 'cart':
        return this.toCart(step.command.type === 'AddItem' ? { ...step.command, offers: this.offers } : step.command);
      case 'reprice':
        this.offers = createOffers({ oud: { price: step.prices.oud }, gulab: { price: step.prices.gulab } });
        return;
      case 'check out': {
        const version = Math.max(0, this.carts.length - 1 - step.back);
        const lines = this.carts[version]?.lines ?? [];
        const id = deriveOrderId(meera, version, keyedHash);
        return this.toOrder(id, version, create({ lines, offers: this.offers, giftWrap: step.giftWrap, now }));
      }
      case 'order':
        return this.toNewest(step.which, step.command, now);
      case 'move on': {
        const { state } = [...this.orders.values()].at(-1 - step.which) ?? { state: order.initial };
        const [next] = state.status === 'none' || state.placement === null ? [] : nextForStaff(state.status);
        if (next !== undefined) this.toNewest(step.which, moveTo(next), now);
      }
    }
  }

  private toNewest(which: number, command: OrderCommand, now: Instant): void {
    const [id, found] = [...this.orders].at(-1 - which) ?? [];
    if (id === undefined || found === undefined) return;
    this.toOrder(id, found.version, command.type === 'PlaceOrder' ? { ...command, offers: this.offers, now } : { ...command, now });
  }

  private toCart(command: CartCommand): void {
    const state = this.carts.at(-1) ?? cart.initial;
    const decision = cart.decide(state, command);
    if (decision.ok && decision.events.length > 0) this.carts.push(decision.events.reduce(cart.evolve, state));
  }

  private toOrder(id: OrderId, version: number, command: OrderCommand): void {
    const { state, events } = this.orders.get(id) ?? { state: order.initial, events: [] };
    const decision = order.decide(state, command);
    if (!decision.ok || decision.events.length === 0) return;
    const after = decision.events.reduce(order.evolve, state);
    expect(isPossibleChange(state, after)).toBe(true);
    this.orders.set(id, { state: after, events: [...events, ...decision.events], version });
    for (const event of decision.events) if (event.type === 'OrderPlaced') this.placed(id, after);
  }

  /** Checks that the order has the catalogue's current prices, and removes its lines from the cart. */
  private placed(id: OrderId, state: Order): void {
    if (state.status === 'none' || state.placement === null) return expect.fail('placed without an order');
    for (const line of state.lines) {
      const offer = this.offers.get(line.productId);
      expect(offer && isForSale(offer) && offer.price).toBe(line.unitPrice);
    }
    const { placedAt } = state.placement;
    for (let delivery = 0; delivery < 2; delivery++) this.toCart(takeOrderedItems(state.lines, { order: id, placedAt, now: placedAt }));
  }
}

/** Checks a transition. A repeated checkout is none: it revises a draft or restarts a cancelled order; nor is a step of a return. */
const isPossibleChange = (before: Order, after: Order): boolean =>
  after.status !== 'none' &&
  (before.status === 'none' || after.status === 'created'
    ? after.status === 'created'
    : canBecome(before.status, after.status) || (before.status === 'delivered' && after.returns !== before.returns));

const run = (steps: readonly Step[]): Shop => {
  const shop = new Shop();
  steps.forEach((step, index) => shop.act(step, quarter(index)));
  return shop;
};
const quantities = (lines: readonly { readonly productId: ProductId; readonly quantity: number }[] = []) =>
  lines.map(({ productId, quantity }) => [productId, quantity]);
const worth = (lines: readonly { readonly unitPrice: Paise; readonly quantity: number }[]): number =>
  lines.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0);

describe('any sequence of actions by shopper and staff', () => {
  const steps = fc.array(step, { maxLength: 250, size: 'max' });

  test('makes at most one order of each version of a cart and places it at most once', () =>
    fc.assert(
      fc.property(steps, (all) => {
        const orders = [...run(all).orders.values()];
        expect(new Set(orders.map(({ version }) => version)).size).toBe(orders.length);
        for (const { events } of orders) expect(events.filter(({ type }) => type === 'OrderPlaced').length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 25 },
    ));

  test('leaves totals that are exact sums of their lines', () =>
    fc.assert(
      fc.property(steps, (all) => {
        for (const [id, { events }] of run(all).orders) {
          const state = orderAfter(...events);
          const view = viewOrder(id, state);
          const { subtotal, tax, shipping, discount, total } = view;
          for (const amount of [subtotal, tax, shipping, discount, total]) expect(Number.isFinite(amount) && amount >= 0).toBe(true);
          expect(Math.round(subtotal * 100)).toBe(worth(state.lines));
          expect(Math.round(total * 100)).toBe(Math.round(subtotal * 100) + Math.round(tax * 100) + (view.giftWrap ? 39_00 : 0));
          expect(view.history.at(-1)?.status).toBe(view.status);
          expect((view.orderNumber === null) === (view.placedAt === null)).toBe(true);
        }
      }),
      { numRuns: 25 },
    ));

  test('leaves each order with the quantities of its cart version', () =>
    fc.assert(
      fc.property(steps, (all) => {
        const shop = run(all);
        for (const { events, version } of shop.orders.values()) {
          expect(quantities(orderAfter(...events).lines)).toEqual(quantities(shop.carts[version]?.lines));
          expect(orderAfter(...events).shippingAddress).toEqual(home);
        }
      }),
      { numRuns: 25 },
    ));
});
