import { describe, expect, test } from 'vitest';

import { anotherOrder, anOrder, noon } from '../testing/carts.ts';
import { given } from '../testing/given.ts';
import { laterEvent } from '../testing/later-release.ts';
import {
  counted,
  countingEnded,
  received,
  release,
  released,
  reserve,
  reserved,
  restocked,
  shipped,
  stockAfter,
} from '../testing/stocks.ts';
import { MOST_BOTTLES, openReservations, findReservation, stock } from './stock.ts';
import { fewLeft, viewStock } from './view.ts';

const ship = { type: 'ShipStock', order: anOrder, now: noon } as const;
const count = (quantity: number) => ({ type: 'CountStock', quantity, now: noon }) as const;
const remove = (quantity: number) => ({ type: 'RemoveStock', quantity, reason: 'Broken', now: noon }) as const;

describe('counting', () => {
  test('begins with a count', () =>
    given(stock)
      .when(count(48))
      .thenHappened({ type: 'StockCounted', data: { quantity: 48, countedAt: noon } }));
  test('again with the same result changes nothing', () => given(stock, counted(3)).when(count(3)).thenNothing());
  test('may result in none', () =>
    given(stock)
      .when(count(0))
      .thenHappened({ type: 'StockCounted', data: { quantity: 0, countedAt: noon } }));
  test('fewer bottles than are reserved is refused', () =>
    given(stock, counted(), reserved(2)).when(count(1)).thenRejected({ code: 'stock_below_reserved', reserved: 2 }));
  test('ends once', () => {
    given(stock, counted()).when({ type: 'EndCounting', now: noon }).thenHappened(countingEnded());
    given(stock).when({ type: 'EndCounting', now: noon }).thenNothing();
  });
  test('anew after it ended leaves open orders without reservations', () => {
    given(stock, counted(), reserved(), countingEnded(), counted(5)).when(ship).thenNothing();
    expect(viewStock(stockAfter(counted(), reserved(), countingEnded(), counted(5)))).toMatchObject({ onHand: 5, reserved: 0 });
  });
});

describe('bottles', () => {
  test('are received, and removed with a reason', () => {
    given(stock, counted()).when({ type: 'ReceiveStock', quantity: 2, now: noon }).thenHappened(received(2));
    given(stock, counted())
      .when(remove(3))
      .thenHappened({ type: 'StockRemoved', data: { quantity: 3, reason: 'Broken', removedAt: noon } });
  });
  test('are received up to a maximum for each product, which only returns may exceed', () => {
    const receive = (quantity: number) => ({ type: 'ReceiveStock', quantity, now: noon }) as const;
    given(stock, counted(MOST_BOTTLES - 2))
      .when(receive(2))
      .thenHappened(received(2));
    given(stock, counted(MOST_BOTTLES - 2))
      .when(receive(3))
      .thenRejected({ code: 'stock_too_high', most: MOST_BOTTLES });
    given(stock, counted(MOST_BOTTLES)).when({ type: 'RestockStock', order: anOrder, quantity: 1, now: noon }).thenHappened(restocked(1));
  });
  test('that are returned can be sold again if the product is still counted', () => {
    const restock = { type: 'RestockStock', order: anOrder, quantity: 2, now: noon } as const;
    given(stock, counted(3), reserved(2), shipped(2)).when(restock).thenHappened(restocked(2));
    expect(viewStock(stockAfter(counted(3), reserved(2), shipped(2), restocked(2)))).toMatchObject({ onHand: 3, available: 3 });
    given(stock, counted(3), countingEnded()).when(restock).thenNothing();
  });
  test('that are reserved cannot be removed', () =>
    given(stock, counted(), reserved(2)).when(remove(2)).thenRejected({ code: 'stock_too_low', available: 1 }));
  test('of a product that is not counted can be neither received nor removed', () => {
    given(stock).when({ type: 'ReceiveStock', quantity: 2, now: noon }).thenRejected({ code: 'stock_not_counted' });
    given(stock, counted(), countingEnded()).when(remove(1)).thenRejected({ code: 'stock_not_counted' });
  });
});

describe('a reservation', () => {
  test('takes at most what is available', () => {
    given(stock, counted(3), reserved(1, anotherOrder)).when(reserve(2)).thenHappened(reserved(2));
    given(stock, counted(3), reserved(2, anotherOrder)).when(reserve(2)).thenRejected({ code: 'stock_too_low', available: 1 });
  });
  test('is made once, however often it is requested', () => given(stock, counted(), reserved(3)).when(reserve(3)).thenNothing());
  test('is not made when the product is not counted', () => given(stock).when(reserve()).thenNothing());
  test('is replaced by that of a later revision of its order, which keeps its bottles', () => {
    given(stock, counted(3), reserved(3))
      .when(reserve(2, anOrder, 1))
      .thenHappened(reserved(2, anOrder, 1, 3));
    expect(viewStock(stockAfter(counted(3), reserved(3), reserved(2, anOrder, 1)))).toMatchObject({ reserved: 2 });
    given(stock, counted(3), reserved(3))
      .when(reserve(4, anOrder, 1))
      .thenRejected({ code: 'stock_too_low', available: 3 });
  });
  test('is not replaced by that of an earlier revision', () =>
    given(stock, counted(3), reserved(2, anOrder, 5))
      .when(reserve(1, anOrder, 4))
      .thenNothing());
  test('is released once', () => {
    given(stock, counted(), reserved(2)).when(release(1)).thenHappened(released(2));
    given(stock, counted(), reserved(2), released(2)).when(release(1)).thenNothing();
  });
  test('that was made for a placing after its release was decided stays', () =>
    given(stock, counted(), reserved(1, anOrder, 3))
      .when(release(3))
      .thenNothing());
  test('is shipped once', () => {
    given(stock, counted(), reserved(2)).when(ship).thenHappened(shipped(2));
    given(stock, counted(), reserved(2), shipped(2)).when(ship).thenNothing();
    expect(viewStock(stockAfter(counted(3), reserved(2), shipped(2)))).toEqual({ onHand: 1, reserved: 0, available: 1, lowAt: null });
  });
  test('can be found by its order', () => {
    const state = stockAfter(counted(), reserved(1), reserved(1, anotherOrder));
    expect(findReservation(state, anOrder)).toEqual({ quantity: 1, orderRevision: 0, at: noon });
    expect(openReservations(state).map(({ order }) => order)).toEqual(expect.arrayContaining([anOrder, anotherOrder]));
  });
});

test('an event of a later release changes nothing', () =>
  expect(stockAfter(counted(), laterEvent('StockBlessed'))).toEqual(stockAfter(counted())));

test.each([
  [null, undefined],
  [0, undefined],
  [1, 1],
  [5, 5],
  [6, undefined],
])('shoppers see of %s available bottles: %s', (available, left) => expect(fewLeft(available)).toBe(left));

test('the low mark is set once, and none takes it away', () => {
  const setTo = (lowAt: number | null) => ({ type: 'SetLowMark', lowAt, now: noon }) as const;
  const marked = (lowAt: number | null) => ({ type: 'StockLowMarkSet', data: { lowAt, setAt: noon } }) as const;
  given(stock, counted()).when(setTo(2)).thenHappened(marked(2));
  given(stock, counted(), marked(2)).when(setTo(2)).thenNothing();
  given(stock, counted(), marked(2)).when(setTo(null)).thenHappened(marked(null));
  expect(stockAfter(counted(), marked(2)).lowAt).toBe(2);
});
