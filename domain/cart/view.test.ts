import { describe, expect, test } from 'vitest';

import { paise } from '../shared/money.ts';
import { cartAfter, cartClosed, createOffers, gulabLine, itemAdded, oudLine, standardRates } from '../testing/carts.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import { viewCart } from './view.ts';

const both = cartAfter(itemAdded(oudLine(2)), itemAdded(gulabLine()));
const productOf = (productId: typeof oudSaffronMajlis, offers = createOffers()) => offers.get(productId)?.product;

describe("a cart's view", () => {
  test('has each line with its product, and the total in rupees', () =>
    expect(viewCart(both, createOffers(), standardRates)).toEqual({
      items: [
        { productId: oudSaffronMajlis, quantity: 2, product: productOf(oudSaffronMajlis), rate: 18 },
        { productId: ruhGulab, quantity: 1, product: productOf(ruhGulab), rate: 18 },
      ],
      totalCartValue: 9350,
    }));
  test('of an empty cart has the total 0', () =>
    expect(viewCart(cartAfter(), createOffers(), standardRates)).toEqual({ items: [], totalCartValue: 0 }));
  test('has the current price, and each line shows its former price', () => {
    const { items, totalCartValue } = viewCart(both, createOffers({ oud: { price: paise(3_500_50) } }), standardRates);
    expect(items.map((item) => item.priceChangedFrom)).toEqual(['₹3,450.00', undefined]);
    expect(totalCartValue).toBe(9451);
  });
  test.each([
    ['sold out', { inStock: false }],
    ['removed', { removed: true }],
    ['without a price', { price: paise(0) }],
  ])('keeps a perfume that is %s as unavailable and does not count it', (_, oud) => {
    const offers = createOffers({ oud });
    expect(viewCart(both, offers, standardRates)).toEqual({
      items: [
        { productId: oudSaffronMajlis, quantity: 2, product: productOf(oudSaffronMajlis, offers), rate: 18, unavailable: true },
        { productId: ruhGulab, quantity: 1, product: productOf(ruhGulab), rate: 18 },
      ],
      totalCartValue: 2450,
    });
  });
  test('shows a perfume that is not in the catalogue by its name in the cart', () => {
    const [item] = viewCart(cartAfter(itemAdded()), new Map(), standardRates).items;
    const flags = { inStock: false, bestsellers: false, isFeatured: false, isTrending: false };
    const texts = { details: '', category: '', productDescription: '', description: '', tag: '' };
    const empty = { ...flags, ...texts, ratingStar: 0, reviewsCount: 0, productImageUrl: [], productDetails: [], hsn: '3303', revision: 0 };
    const product = { ...empty, _id: oudSaffronMajlis, name: 'Oud Saffron Majlis', price: '₹3,450.00' };
    expect(item).toEqual({ productId: oudSaffronMajlis, quantity: 1, product, unavailable: true });
  });
  test.each([
    [3, undefined],
    [2, undefined],
    [1, 1],
    [0, 0],
    [-1, 0],
  ])('two bottles of which %i are left are short by the difference', (available, onlyLeft) => {
    const [item] = viewCart(both, createOffers({ oud: { available } }), new Map()).items;
    expect(item?.onlyLeft).toBe(onlyLeft);
    expect(item).not.toHaveProperty('rate');
    expect(viewCart(both, createOffers({ oud: { available, removed: true } }), new Map()).items[0]).not.toHaveProperty('onlyLeft');
  });
  test('of a closed cart is empty', () =>
    expect(viewCart(cartAfter(itemAdded(), cartClosed()), createOffers(), standardRates)).toEqual({ items: [], totalCartValue: 0 }));
});
