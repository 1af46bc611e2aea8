import { describe, expect, test } from 'vitest';

import { orderId, productId } from '../shared/ids.ts';
import { instant } from '../shared/time.ts';
import { paise } from '../shared/money.ts';
import {
  addItem,
  anOrder,
  anotherOrder,
  cartAfter,
  cartClosed,
  cartsMerged,
  createOffers,
  changeQuantity,
  closeCart,
  evening,
  gulabLine,
  itemAdded,
  itemRemoved,
  mergeCarts,
  morning,
  noon,
  orderedItemsTaken,
  oudLine,
  quantityChanged,
  ravi,
  removeItem,
  takeOrderedItems,
} from '../testing/carts.ts';
import { given, testDecisions } from '../testing/given.ts';
import { laterEvent } from '../testing/later-release.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import { cart, hasTaken, type Cart } from './cart.ts';
import type { CartEvent, CartLine } from './events.ts';

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
    given(cart, itemAdded(oudLine(2)))
      .when(addItem({ quantity: 3 }))
      .thenHappened(itemAdded(oudLine(3)));
    expect(cartAfter(itemAdded(oudLine(2)), itemAdded(oudLine(3))).lines).toEqual([oudLine(5)]);
  });
  test.each([0, -1, 1.5, 100, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e308])('the quantity %d is refused', (quantity) =>
    given(cart).when(addItem({ quantity })).thenRejected(outOfRange),
  );
  test('more of a line can be added to a full cart', () => {
    const held = fillers(99).map((line) => itemAdded(line));
    given(cart, ...held, itemAdded(oudLine()))
      .when(addItem())
      .thenHappened(itemAdded(oudLine()));
  });
});

describe('changing a quantity', () => {
  testDecisions(cart, [
    ["sets the line's quantity", [itemAdded(oudLine(2))], changeQuantity(oudSaffronMajlis, 7), [quantityChanged(oudSaffronMajlis, 7)]],
    ['to its current value changes nothing', [itemAdded(oudLine(2))], changeQuantity(oudSaffronMajlis, 2), []],
    ['of an unknown line is refused', [itemAdded()], changeQuantity(ruhGulab, 2), { code: 'product_not_in_cart' }],
  ]);
  test.each([0, 100, 1.5, Number.NaN])('to %d is refused', (quantity) =>
    given(cart, itemAdded()).when(changeQuantity(oudSaffronMajlis, quantity)).thenRejected(outOfRange),
  );
});

describe('removing from the cart', () => {
  test('removes the line', () => {
    given(cart, itemAdded(), itemAdded(gulabLine())).when(removeItem(ruhGulab)).thenHappened(itemRemoved(ruhGulab));
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
    ['a merge that changes no line is recorded', [itemAdded(oudLine(99))], mergeCarts([oudLine(5)]), [cartsMerged([])]],
    ['a repeated merge changes nothing', [cartsMerged([oudLine(2)])], mergeCarts([oudLine(2)]), []],
    ['merging an empty cart changes nothing', [itemAdded()], mergeCarts([]), []],
  ]);
  test.each([addItem(), changeQuantity(oudSaffronMajlis, 3), removeItem(oudSaffronMajlis), takeOrderedItems([oudLine()])])(
    'a closed cart refuses the command and names the user: $type',
    (command) => given(cart, itemAdded(), cartClosed()).when(command).thenRejected({ code: 'cart_closed', into: closeCart().into }),
  );
  test('quantities add up in the user’s cart', () => {
    const merged = cartsMerged([oudLine(2), gulabLine(1)]);
    given(cart, itemAdded(oudLine(1)))
      .when(mergeCarts([oudLine(2), gulabLine(1)]))
      .thenHappened(merged);
    expect(cartAfter(itemAdded(oudLine(1)), merged).lines).toEqual([oudLine(3), gulabLine(1)]);
  });
  test('a line stops at 99, and the rest is dropped', () =>
    given(cart, itemAdded(oudLine(98)))
      .when(mergeCarts([oudLine(5), gulabLine(1)]))
      .thenHappened(cartsMerged([oudLine(1), gulabLine(1)])));
  test('a full cart takes no new lines', () =>
    given(cart, ...fillers(98).map((line) => itemAdded(line)), itemAdded(oudLine()))
      .when(mergeCarts([gulabLine(), { ...gulabLine(), productId: unknown }, oudLine()]))
      .thenHappened(cartsMerged([oudLine(), gulabLine()])));
});

describe("a placed order's lines leave the cart", () => {
  test('an unchanged cart is empty afterwards', () => {
    const taken = orderedItemsTaken([
      { productId: oudSaffronMajlis, quantity: 2 },
      { productId: ruhGulab, quantity: 1 },
    ]);
    given(cart, itemAdded(oudLine(2)), itemAdded(gulabLine()))
      .when(takeOrderedItems([oudLine(2), gulabLine()]))
      .thenHappened(taken);
    expect(cartAfter(itemAdded(oudLine(2)), itemAdded(gulabLine()), taken).lines).toEqual([]);
  });
  test('lines added since stay', () => {
    const taken = orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 2 }]);
    given(cart, itemAdded(oudLine(2)), itemAdded(oudLine(1)), itemAdded(gulabLine()))
      .when(takeOrderedItems([oudLine(2)]))
      .thenHappened(taken);
    expect(cartAfter(itemAdded(oudLine(3)), itemAdded(gulabLine()), taken).lines).toEqual([oudLine(1), gulabLine()]);
  });
  test('lines removed since are ignored', () =>
    given(cart, itemAdded(oudLine(1)))
      .when(takeOrderedItems([oudLine(2), gulabLine()]))
      .thenHappened(orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 1 }])));
  testDecisions(cart, [
    ['an order is recorded even when none of its lines is left in the cart', [], takeOrderedItems([oudLine()]), [orderedItemsTaken([])]],
    ['the same order does not remove the same perfume twice', [orderedItemsTaken([]), itemAdded()], takeOrderedItems([oudLine()]), []],
  ]);
  test('the same order removes nothing after the cart was merged into another', () =>
    given(cart, itemAdded(), orderedItemsTaken([]), cartClosed())
      .when(takeOrderedItems([oudLine()]))
      .thenNothing());
  test('another order removes its lines', () =>
    given(cart, orderedItemsTaken([]), itemAdded())
      .when(takeOrderedItems([oudLine()], { order: anotherOrder }))
      .thenHappened(orderedItemsTaken([{ productId: oudSaffronMajlis, quantity: 1 }], anotherOrder)));
  test('a repeated order changes nothing, even after more later orders than the cart remembers', () => {
    const later = Array.from({ length: 24 }, (_, order) => taken(order));
    given(cart, orderedItemsTaken([]), ...later, itemAdded())
      .when(takeOrderedItems([oudLine()]))
      .thenNothing();
  });
});

test("an event of a later release does not change a cart's state", () => {
  expect(cartAfter(itemAdded(), laterEvent('CartGiftWrapped'), itemAdded(gulabLine()))).toEqual(
    cartAfter(itemAdded(), itemAdded(gulabLine())),
  );
  given(cart, laterEvent('CartGiftWrapped')).when(addItem()).thenHappened(itemAdded());
});

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
