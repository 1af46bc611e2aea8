import { describe, expect, test } from 'vitest';

import { paise } from '../shared/money.ts';
import { cartAfter, cartClosed, offersOf, gulabLine, itemAdded, oudLine, standardRates } from '../testing/carts.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import { viewCart } from './view.ts';

const both = cartAfter(itemAdded(oudLine(2)), itemAdded(gulabLine()));
const productOf = (productId: typeof oudSaffronMajlis, offers = offersOf()) => offers.get(productId)?.product;

describe("a cart's view", () => {
  test('has each line with its product, and the total in rupees', () =>
    expect(viewCart(both, offersOf(), standardRates)).toEqual({
      items: [
        { productId: oudSaffronMajlis, quantity: 2, product: productOf(oudSaffronMajlis), rate: 18 },
        { productId: ruhGulab, quantity: 1, product: productOf(ruhGulab), rate: 18 },
      ],
      totalCartValue: 9350,
    }));
  test('an empty cart is worth nothing', () =>
    expect(viewCart(cartAfter(), offersOf(), standardRates)).toEqual({ items: [], totalCartValue: 0 }));
  test('uses the current price, and the line shows the former one', () => {
    const { items, totalCartValue } = viewCart(both, offersOf({ oud: { price: paise(3_500_50) } }), standardRates);
    expect(items.map((item) => item.priceChangedFrom)).toEqual(['₹3,450.00', undefined]);
    expect(totalCartValue).toBe(9451);
  });
  test.each([
    ['sold out', { inStock: false }],
    ['removed', { removed: true }],
    ['without a price', { price: paise(0) }],
  ])('a perfume that is %s stays, unavailable and not counted', (_, oud) => {
    const offers = offersOf({ oud });
    expect(viewCart(both, offers, standardRates)).toEqual({
      items: [
        { productId: oudSaffronMajlis, quantity: 2, product: productOf(oudSaffronMajlis, offers), rate: 18, unavailable: true },
        { productId: ruhGulab, quantity: 1, product: productOf(ruhGulab), rate: 18 },
      ],
      totalCartValue: 2450,
    });
  });
  test('a perfume that is not in the catalogue keeps its name', () => {
    const [item] = viewCart(cartAfter(itemAdded()), new Map(), standardRates).items;
    expect(item).toMatchObject({ unavailable: true, product: { _id: oudSaffronMajlis, name: 'Oud Saffron Majlis', inStock: false } });
  });
  test('a closed cart is empty', () =>
    expect(viewCart(cartAfter(itemAdded(), cartClosed()), offersOf(), standardRates)).toEqual({ items: [], totalCartValue: 0 }));
});
