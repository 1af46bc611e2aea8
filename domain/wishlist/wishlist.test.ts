import { describe, expect, test } from 'vitest';

import { productId, shopperId } from '../shared/ids.ts';
import { instant } from '../shared/time.ts';
import { testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import type { WishlistEvent } from './events.ts';
import { MOST_WISHES, wishlist, type WishlistCommand } from './wishlist.ts';

const now = instant('2026-11-14T12:00:00.000Z');
const [rose, oud, musk] = [productId('ruh-gulab'), productId('oud-saffron-majlis'), productId('musk-mallow')];
const visitor = shopperId('7c9e6679-7425-40de-944b-e07fc1f90ae7');

const added = (product = rose): WishlistEvent => ({ type: 'WishAdded', data: { productId: product, addedAt: now } });
const removed: WishlistEvent = { type: 'WishRemoved', data: { productId: rose, removedAt: now } };
const merged = (...products: (typeof rose)[]): WishlistEvent => ({
  type: 'WishesMerged',
  data: { from: visitor, products, mergedAt: now },
});
const add = (product = rose): WishlistCommand => ({ type: 'AddWish', productId: product, now });
const remove: WishlistCommand = { type: 'RemoveWish', productId: rose, now };
const merge = (...products: (typeof rose)[]): WishlistCommand => ({ type: 'MergeWishes', from: visitor, products, now });
const many = Array.from({ length: MOST_WISHES - 1 }, (_, index) => added(productId(`perfume-${index}`)));

describe('a wishlist', () =>
  testDecisions(wishlist, [
    ['gets a perfume', [], add(), [added()]],
    ['gets a perfume once', [added()], add(), []],
    ['gets a removed perfume again', [added(), removed], add(), [added()]],
    ['loses a perfume', [added(), added(oud)], remove, [removed]],
    ['loses nothing that it does not have', [added(oud)], remove, []],
    ['holds so many perfumes', [...many, added()], add(oud), { code: 'wishlist_full', most: MOST_WISHES }],
    ["gets what is new of a visitor's, in its order", [added()], merge(oud, rose, musk), [merged(oud, musk)]],
    ["gets nothing of a visitor's that it has", [merged(oud, musk)], merge(oud, musk), []],
    ['leaves out what it has no room for', many, merge(oud, musk), [merged(oud)]],
  ]));

test('its perfumes are in the order in which they were added', () => {
  const { products } = [added(), merged(oud, musk), removed, added()].reduce(wishlist.evolve, wishlist.initial);
  expect(products).toEqual([oud, musk, rose]);
});

test('an event of a later release changes nothing', () =>
  expect(wishlist.evolve(wishlist.initial, laterEvent('WishShared'))).toEqual(wishlist.initial));
