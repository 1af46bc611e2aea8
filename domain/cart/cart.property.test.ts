import { standardRates } from '../testing/carts.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { orderId, productId, type ProductId } from '../shared/ids.ts';
import { instant, type Instant } from '../shared/time.ts';
import * as the from '../testing/carts.ts';
import { oudSaffronMajlis } from '../testing/products.ts';
import { cart, MOST_LINES, QUANTITY, type Cart, type CartCommand } from './cart.ts';
import { viewCart } from './view.ts';

const { addItem, createOffers, changeQuantity, closeCart, mergeCarts, oudLine, removeItem, takeOrderedItems, visitor } = the;

const shelf = Array.from({ length: 120 }, (_, index) => productId(`perfume-${index}`));
const offer = createOffers().get(oudSaffronMajlis);
const offers = { get: () => offer };

/** `moment` returns the n-th millisecond after a fixed time; `orderOf` returns the n-th order id. */
const moment = (n: number): Instant => instant(`2026-11-14T06:00:00.${String(n).padStart(3, '0')}Z`);
const orderOf = (n: number) => orderId(`0b8c4f1e-52aa-8d3c-9b1f-${String(n).padStart(12, '0')}`);
const visitorOf = (n: number) => `${visitor}-${n}` as typeof visitor;

// Most commands use a few perfumes, so that they concern the same lines; some use many, so that the cart fills up.
const perfume = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...shelf.slice(0, 4)) },
  { weight: 1, arbitrary: fc.constantFrom(...shelf) },
);
const quantity = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 100, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53) },
);
const lines = fc
  .uniqueArray(fc.record({ productId: perfume, quantity: fc.integer({ min: 1, max: 99 }) }), {
    selector: (line) => line.productId,
    maxLength: 8,
  })
  .map((some) => some.map(({ productId, quantity }) => Object.assign(oudLine(quantity), { productId })));
/** A cart remembers more causes than these, so that each of them can be repeated. */
const cause = fc.integer({ min: 0, max: 9 });

const command: fc.Arbitrary<CartCommand> = fc.oneof(
  fc.record({ productId: perfume, quantity }).map((changes) => addItem({ ...changes, offers })),
  fc.tuple(perfume, quantity).map(([productId, quantity]) => changeQuantity(productId, quantity)),
  perfume.map(removeItem),
  fc.tuple(lines, cause).map(([some, n]) => mergeCarts(some, { from: visitorOf(n), closedAt: moment(n) })),
  fc.tuple(lines, cause).map(([some, n]) => takeOrderedItems(some, { order: orderOf(n), placedAt: moment(n) })),
);

/** The cart is compared with this simple model. */
type Model = { readonly held: Map<ProductId, number>; readonly done: Set<string> };

const put = ({ held }: Model, productId: ProductId, more: number): void => {
  const had = held.get(productId);
  if (had !== undefined || held.size < MOST_LINES) held.set(productId, Math.min(QUANTITY.most, (had ?? 0) + more));
};

const firstTime = ({ done }: Model, what: string): boolean => !done.has(what) && done.add(what).size > 0;

const tell = (model: Model, told: CartCommand): void => {
  if ('quantity' in told && !(Number.isInteger(told.quantity) && told.quantity >= 1 && told.quantity <= 99)) return;
  switch (told.type) {
    case 'AddItem':
      return put(model, told.productId, told.quantity);
    case 'ChangeQuantity':
      if (model.held.has(told.productId)) model.held.set(told.productId, told.quantity);
      return;
    case 'RemoveItem':
      model.held.delete(told.productId);
      return;
    case 'MergeCarts':
      if (told.lines.length > 0 && firstTime(model, told.from)) for (const line of told.lines) put(model, line.productId, line.quantity);
      return;
    case 'TakeOrderedItems':
      if (!firstTime(model, told.order)) return;
      for (const { productId, quantity } of told.lines) {
        const left = (model.held.get(productId) ?? 0) - quantity;
        if (left > 0) model.held.set(productId, left);
        else model.held.delete(productId);
      }
  }
};

const run = (state: Cart, told: CartCommand): Cart => {
  const decision = cart.decide(state, told);
  return decision.ok ? decision.events.reduce(cart.evolve, state) : state;
};
const heldIn = (state: Cart) => state.lines.map(({ productId, quantity }) => [productId, quantity]);

describe('any sequence of commands', () => {
  test('gives the cart the same lines as a simple model, within its limits', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200, size: 'max' }), (commands) => {
        const model: Model = { held: new Map(), done: new Set() };
        let state = cart.initial;
        for (const told of commands) {
          state = run(state, told);
          tell(model, told);
          expect(heldIn(state)).toEqual([...model.held]);
        }
        expect(state.lines.length).toBeLessThanOrEqual(MOST_LINES);
        expect(viewCart(state, offers, standardRates).totalCartValue).toBe(
          [...model.held.values()].reduce((total, quantity) => total + 3450 * quantity, 0),
        );
      }),
      { numRuns: 25 },
    ));

  test('has the same result when a command other than an addition is repeated', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
        const once = commands.reduce(run, cart.initial);
        const twice = commands
          .flatMap((told): readonly CartCommand[] => (told.type === 'AddItem' ? [told] : [told, told]))
          .reduce(run, cart.initial);
        expect(twice).toEqual(once);
      }),
    ));

  test('has the same result when merges and orders are repeated, in any order', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), fc.infiniteStream(fc.nat()), (commands, random) => {
        const state = commands.reduce(run, cart.initial);
        const again = commands
          .filter(({ type }) => type === 'MergeCarts' || type === 'TakeOrderedItems')
          // The cart does not record a merge of an empty cart, so a later merge of that visitor is not a repetition.
          .filter((told) => told.type !== 'MergeCarts' || state.merged.some(({ id }) => id === told.from))
          .map((told) => ({ told, place: random.next().value }))
          .toSorted((a, b) => a.place - b.place);
        expect(again.map(({ told }) => told).reduce(run, state)).toEqual(state);
      }),
    ));

  test('does not change a closed cart', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
        const closed = [addItem({ productId: shelf[0] ?? oudSaffronMajlis, offers }), closeCart()].reduce(run, cart.initial);
        expect(commands.reduce(run, closed)).toEqual(closed);
      }),
    ));
});
