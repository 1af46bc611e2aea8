import { describe, expect, test } from 'vitest';

import { orderId, productId } from '../shared/ids.ts';
import { instant } from '../shared/time.ts';
import { paise } from '../shared/money.ts';
import * as the from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import { cart, cartStream, findLinesWithoutRoom, hasTaken, type Cart } from './cart.ts';
import type { CartEvent, CartLine } from './events.ts';

const { addItem, anOrder, anotherOrder, cartAfter, cartClosed, cartsMerged, createOffers, changeQuantity, closeCart, evening } = the;
const { gulabLine, itemAdded, itemRemoved, mergeCarts, morning, noon, orderedItemsTaken, oudLine, quantityChanged, ravi, removeItem } = the;
const { takeOrderedItems, visitor } = the;

const unknown = productId('nothing-of-the-kind');
const outOfRange = { code: 'quantity_out_of_range', least: 1, most: 99 } as const;

const fillers = (count: number): readonly CartLine[] =>
  Array.from({ length: count }, (_, index) => ({ ...oudLine(), productId: productId(`filler-${index}`) }));
const fullCart: readonly CartEvent[] = fillers(100).map((line) => itemAdded(line));

/** Takes the n-th order of the shopper after `anOrder`, of two Oud Saffron Majlis, out of the cart. */
const taken = (n: number): CartEvent =>
  orderedItemsTaken(
    [{ productId: oudSaffronMajlis, quantity: 2 }],
    orderId(anOrder.slice(0, -3) + String(n).padStart(3, '0')),
    instant(`2026-11-15T05:00:00.${String(n).padStart(3, '0')}Z`),
  );

describe('adding to the cart', () => {
  testDecisions(cart, [
    ["a perfume is added at the catalogue's price", [], addItem({ quantity: 2 }), [itemAdded(oudLine(2))]],
    ['a line stops at 99', [itemAdded(oudLine(98))], addItem({ quantity: 5 }), [itemAdded(oudLine(1))]],
    ['at 99, further additions change nothing', [itemAdded(oudLine(99))], addItem(), []],
    ['an unknown perfume is not found', [], addItem({ productId: unknown }), { code: 'product_not_found' }],
    ['a removed perfume is not found', [], addItem({ offers: createOffers({ oud: { removed: true } }) }), { code: 'product_not_found' }],
    ['a sold-out perfume is refused', [], addItem({ offers: createOffers({ oud: { inStock: false } }) }), { code: 'product_out_of_stock' }],
    [
      'one without a price is refused',
      [],
      addItem({ offers: createOffers({ oud: { price: paise(0) } }) }),
      { code: 'product_not_purchasable' },
    ],
    ['a cart has at most a hundred lines', fullCart, addItem(), { code: 'cart_full', most: 100 }],
  ]);
  test("adding the same perfume again increases its line's quantity", () => {
    expectDecision(cart, [itemAdded(oudLine(2))], addItem({ quantity: 3 }), [itemAdded(oudLine(3))]);
    expect(cartAfter(itemAdded(oudLine(2)), itemAdded(oudLine(3))).lines).toEqual([oudLine(5)]);
  });
  test.each([0, -1, 1.5, 100, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e308])('the quantity %d is refused', (quantity) =>
    expectDecision(cart, [], addItem({ quantity }), outOfRange),
  );
  test('more of a line can be added to a full cart', () => {
    const held = fillers(99).map((line) => itemAdded(line));
    expectDecision(cart, [...held, itemAdded(oudLine())], addItem(), [itemAdded(oudLine())]);
  });
});

describe('changing a quantity', () => {
  testDecisions(cart, [
    ["sets the line's quantity", [itemAdded(oudLine(2))], changeQuantity(oudSaffronMajlis, 7), [quantityChanged(oudSaffronMajlis, 7)]],
    ['to its current value changes nothing', [itemAdded(oudLine(2))], changeQuantity(oudSaffronMajlis, 2), []],
    ['of an unknown line is refused', [itemAdded()], changeQuantity(ruhGulab, 2), { code: 'product_not_in_cart' }],
  ]);
  test.each([0, 100, 1.5, Number.NaN])('to %d is refused', (quantity) =>
    expectDecision(cart, [itemAdded()], changeQuantity(oudSaffronMajlis, quantity), outOfRange),
  );
});

describe('removing from the cart', () => {
  test('removes the line', () => {
    expectDecision(cart, [itemAdded(), itemAdded(gulabLine())], removeItem(ruhGulab), [itemRemoved(ruhGulab)]);
    expect(cartAfter(itemAdded(), itemAdded(gulabLine()), itemRemoved(ruhGulab)).lines).toEqual([oudLine()]);
  });
  testDecisions(cart, [
    ['an unknown line changes nothing', [itemAdded()], removeItem(ruhGulab), []],
    ['twice has the same effect as once', [itemAdded(), itemRemoved(oudSaffronMajlis)], removeItem(oudSaffronMajlis), []],
  ]);
});

describe('signing in with a cart', () => {
  testDecisions(cart, [
    ['the visitor’s cart is closed', [itemAdded()], closeCart(), [cartClosed()]],
    ['an empty cart is not closed', [], closeCart(), []],
    ['a closed cart is not closed again, not even for another user', [itemAdded(), cartClosed()], closeCart(ravi), []],
    ['a merge that changes no line is recorded', [itemAdded(oudLine(99))], mergeCarts([oudLine(5)]), [cartsMerged([], [oudLine(5)])]],
    ['a repeated merge changes nothing', [cartsMerged([oudLine(2)])], mergeCarts([oudLine(2)]), []],
    ['merging an empty cart changes nothing', [itemAdded()], mergeCarts([]), []],
  ]);
  test.each([addItem(), changeQuantity(oudSaffronMajlis, 3), removeItem(oudSaffronMajlis), takeOrderedItems([oudLine()])])(
    'a closed cart refuses the command and names the user: $type',
    (command) => expectDecision(cart, [itemAdded(), cartClosed()], command, { code: 'cart_closed', into: closeCart().into }),
  );
  test('quantities add up in the user’s cart', () => {
    const merged = cartsMerged([oudLine(2), gulabLine(1)]);
    expectDecision(cart, [itemAdded(oudLine(1))], mergeCarts([oudLine(2), gulabLine(1)]), [merged]);
    expect(cartAfter(itemAdded(oudLine(1)), merged).lines).toEqual([oudLine(3), gulabLine(1)]);
  });
  test('a line stops at 99, and the rest is recorded as left out', () =>
    expectDecision(cart, [itemAdded(oudLine(98))], mergeCarts([oudLine(5), gulabLine(1)]), [
      cartsMerged([oudLine(1), gulabLine(1)], [oudLine(4)]),
    ]));
  test('a full cart takes no new lines, and records which they are', () =>
    expectDecision(
      cart,
      [...fillers(98).map((line) => itemAdded(line)), itemAdded(oudLine())],
      mergeCarts([gulabLine(), { ...gulabLine(2), productId: unknown }, oudLine()]),
      [cartsMerged([oudLine(), gulabLine()], [{ ...gulabLine(2), productId: unknown }])],
    ));
  test('the cart knows afterwards what a merge had no room for', () => {
    const { productId, name } = oudLine();
    const after = cartAfter(itemAdded(oudLine(98)), cartsMerged([oudLine(1)], [oudLine(4)]), itemRemoved(oudSaffronMajlis));
    expect(findLinesWithoutRoom(after, visitor)).toEqual([{ productId, name, quantity: 4 }]);
    expect(findLinesWithoutRoom(after, ravi)).toEqual([]);
    expect(findLinesWithoutRoom(cartAfter(cartsMerged([oudLine()])), visitor)).toEqual([]);
  });
});

describe("a placed order's lines leave the cart", () => {
  test('an unchanged cart is empty afterwards', () => {
    const taken = orderedItemsTaken([
      { productId: oudSaffronMajlis, quantity: 2 },
      { productId: ruhGulab, quantity: 1 },
    ]);
    expectDecision(cart, [itemAdded(oudLine(2)), itemAdded(gulabLine())], takeOrderedItems([oudLine(2), gulabLine()]), [taken]);
    expect(cartAfter(itemAdded(oudLine(2)), itemAdded(gulabLine()), taken).lines).toEqual([]);
  });
  test('lines added since stay', () => {
    const taken = orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 2 }]);
    expectDecision(cart, [itemAdded(oudLine(2)), itemAdded(oudLine(1)), itemAdded(gulabLine())], takeOrderedItems([oudLine(2)]), [taken]);
    expect(cartAfter(itemAdded(oudLine(3)), itemAdded(gulabLine()), taken).lines).toEqual([oudLine(1), gulabLine()]);
  });
  test('lines removed since are ignored', () =>
    expectDecision(cart, [itemAdded(oudLine(1))], takeOrderedItems([oudLine(2), gulabLine()]), [
      orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 1 }]),
    ]));
  testDecisions(cart, [
    ['an order is recorded even when none of its lines is left in the cart', [], takeOrderedItems([oudLine()]), [orderedItemsTaken([])]],
    ['the same order does not remove the same perfume twice', [orderedItemsTaken([]), itemAdded()], takeOrderedItems([oudLine()]), []],
  ]);
  test('the same order removes nothing after the cart was merged into another', () =>
    expectDecision(cart, [itemAdded(), orderedItemsTaken([]), cartClosed()], takeOrderedItems([oudLine()]), []));
  test('another order removes its lines', () =>
    expectDecision(cart, [orderedItemsTaken([]), itemAdded()], takeOrderedItems([oudLine()], { order: anotherOrder }), [
      orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 1 }], anotherOrder),
    ]));
  test('a repeated order changes nothing, even after more later orders than the cart remembers, and a newer one removes its lines', () => {
    const later = Array.from({ length: 24 }, (_, order) => taken(order));
    expectDecision(cart, [orderedItemsTaken([]), ...later, itemAdded()], takeOrderedItems([oudLine()]), []);
    const newer = { order: anotherOrder, placedAt: instant('2026-11-16T05:00:00.000Z') };
    const left = orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 1 }], newer.order, newer.placedAt);
    expectDecision(cart, [...later, itemAdded()], takeOrderedItems([oudLine()], newer), [left]);
  });
});

test("an event of a later release does not change a cart's state", () => {
  expect(cartAfter(itemAdded(), laterEvent('CartGiftWrapped'), itemAdded(gulabLine()))).toEqual(
    cartAfter(itemAdded(), itemAdded(gulabLine())),
  );
  expectDecision(cart, [laterEvent('CartGiftWrapped')], addItem(), [itemAdded()]);
});

test('a cart has the stream of its shopper', () => expect(cartStream(ravi)).toBe('cart-ravi'));

describe("a cart's state", () => {
  const history = [itemAdded(oudLine(2)), itemAdded(gulabLine()), orderedItemsTaken([oudLine()]), cartsMerged([gulabLine(3)])];

  test('survives writing and reading it as JSON', () => {
    const state = cartAfter(...history);
    const read: Cart = JSON.parse(JSON.stringify(state));
    expect(read).toEqual(state);
  });
  test("does not grow with the cart's history", () => {
    const years = Array.from({ length: 300 }, (_, order) => [itemAdded(oudLine(2)), taken(order)]).flat();
    expect(JSON.stringify(cartAfter(...years))).toHaveLength(JSON.stringify(cartAfter(...years.slice(0, 60))).length);
  });
  test("keeps a line's position, with the name and price of the last addition", () => {
    const dearer = { ...oudLine(1), price: paise(3_950_00) };
    expect(cartAfter(itemAdded(oudLine(2), morning), itemAdded(gulabLine(), noon), itemAdded(dearer, evening)).lines).toEqual([
      { ...dearer, quantity: 3 },
      gulabLine(),
    ]);
  });
});

test('orders that were taken are kept in the order of their placing, the newest twenty', () => {
  const numbers = [3, 1, 2, ...Array.from({ length: 20 }, (_, index) => 23 - index)];
  const { taken: kept } = cartAfter(...numbers.map(taken));
  expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).toSorted());
  expect(kept).toHaveLength(20);
  const last = kept.at(-1)?.id;
  const after = cartAfter(...numbers.map(taken));
  expect([hasTaken(after, last ?? anOrder), hasTaken(after, anOrder), hasTaken(cart.initial, anOrder)]).toEqual([true, false, false]);
});
