import { describe, expect, test } from 'vitest';

import { anotherOrder, anOrder, noon } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import * as the from '../testing/stocks.ts';
import { MOST_BOTTLES, openReservations, findReservation, stock } from './stock.ts';
import { fewLeft, viewStock } from './view.ts';

const { counted, countingEnded, received, release, released, reserve, reserved, restocked, shipped, stockAfter } = the;

const ship = { type: 'ShipStock', order: anOrder, now: noon } as const;
const endCounting = { type: 'EndCounting', now: noon } as const;
const receive = (quantity: number) => ({ type: 'ReceiveStock', quantity, now: noon }) as const;
const restock = (quantity: number) => ({ type: 'RestockStock', order: anOrder, quantity, return: 1, now: noon }) as const;
const count = (quantity: number) => ({ type: 'CountStock', quantity, now: noon }) as const;
const remove = (quantity: number) => ({ type: 'RemoveStock', quantity, reason: 'Broken', now: noon }) as const;
const removed = (quantity: number) => ({ type: 'StockRemoved', data: { quantity, reason: 'Broken', removedAt: noon } }) as const;

describe('counting', () => {
  testDecisions(stock, [
    ['begins with a count', [], count(48), [{ type: 'StockCounted', data: { quantity: 48, countedAt: noon } }]],
    ['again with the same result changes nothing', [counted(3)], count(3), []],
    ['again with another result is recorded', [counted(3)], count(4), [{ type: 'StockCounted', data: { quantity: 4, countedAt: noon } }]],
    ['of what was received since changes nothing', [counted(3), received(2)], count(5), []],
    ['of what was left after a removal changes nothing', [counted(3), removed(2)], count(1), []],
    ['may result in none', [], count(0), [{ type: 'StockCounted', data: { quantity: 0, countedAt: noon } }]],
    ['fewer bottles than are reserved is refused', [counted(), reserved(2)], count(1), { code: 'stock_below_reserved', reserved: 2 }],
    ['ends', [counted()], endCounting, [countingEnded()]],
    ['ends once', [], endCounting, []],
  ]);
  test('anew after it ended leaves open orders without reservations', () => {
    expectDecision(stock, [counted(), reserved(), countingEnded(), counted(5)], ship, []);
    expect(viewStock(stockAfter(counted(), reserved(), countingEnded(), counted(5)))).toMatchObject({ onHand: 5, reserved: 0 });
  });
});

describe('bottles', () => {
  const notCounted = { code: 'stock_not_counted' } as const;
  testDecisions(stock, [
    ['are received', [counted()], receive(2), [received(2)]],
    ['are removed with a reason', [counted()], remove(3), [removed(3)]],
    ['are received up to a maximum', [counted(MOST_BOTTLES - 2)], receive(2), [received(2)]],
    ['are not received beyond it', [counted(MOST_BOTTLES - 2)], receive(3), { code: 'stock_too_high', most: MOST_BOTTLES }],
    ['that are returned may exceed it', [counted(MOST_BOTTLES)], restock(1), [restocked(1)]],
    ['that are returned can be sold again', [counted(3), reserved(2), shipped(2)], restock(2), [restocked(2)]],
    ['that are returned are not counted any more', [counted(3), countingEnded()], restock(2), []],
    ['that are reserved cannot be removed', [counted(), reserved(2)], remove(2), { code: 'stock_too_low', available: 1 }],
    ['of a product that is not counted cannot be received', [], receive(2), notCounted],
    ['of a product that is not counted cannot be removed', [counted(), countingEnded()], remove(1), notCounted],
  ]);
  test('that were returned are on hand and available', () =>
    expect(viewStock(stockAfter(counted(3), reserved(2), shipped(2), restocked(2)))).toMatchObject({ onHand: 3, available: 3 }));
});

describe('a reservation', () => {
  testDecisions(stock, [
    ['takes what is available', [counted(3), reserved(1, anotherOrder)], reserve(2), [reserved(2)]],
    ['takes no more', [counted(3), reserved(2, anotherOrder)], reserve(2), { code: 'stock_too_low', available: 1 }],
    ['is made once, however often it is requested', [counted(), reserved(3)], reserve(3), []],
    ['is not made when the product is not counted', [], reserve(), []],
    ['is not replaced by that of an earlier revision', [counted(3), reserved(2, anOrder, 5)], reserve(1, anOrder, 4), []],
    ['that was made for a placing after its release was decided stays', [counted(), reserved(1, anOrder, 3)], release(3), []],
    ['is replaced by a later revision of its order', [counted(3), reserved(3)], reserve(2, anOrder, 1), [reserved(2, anOrder, 1, 3)]],
    ['keeps its bottles for it', [counted(3), reserved(3)], reserve(4, anOrder, 1), { code: 'stock_too_low', available: 3 }],
    ['is released', [counted(), reserved(2)], release(1), [released(2)]],
    ['is released once', [counted(), reserved(2), released(2)], release(1), []],
    ['is shipped', [counted(), reserved(2)], ship, [shipped(2)]],
    ['is shipped once', [counted(), reserved(2), shipped(2)], ship, []],
  ]);
  test('is replaced or shipped in the view too', () => {
    expect(viewStock(stockAfter(counted(3), reserved(3), reserved(2, anOrder, 1)))).toMatchObject({ reserved: 2 });
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

describe('the low mark', () => {
  const setTo = (lowAt: number | null) => ({ type: 'SetLowMark', lowAt, now: noon }) as const;
  const marked = (lowAt: number | null) => ({ type: 'StockLowMarkSet', data: { lowAt, setAt: noon } }) as const;
  testDecisions(stock, [
    ['is set', [counted()], setTo(2), [marked(2)]],
    ['is set once', [counted(), marked(2)], setTo(2), []],
    ['is taken away by none', [counted(), marked(2)], setTo(null), [marked(null)]],
  ]);
  test('is part of the stock', () => expect(stockAfter(counted(), marked(2)).lowAt).toBe(2));
});
