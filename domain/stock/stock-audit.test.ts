import { describe, expect, test } from 'vitest';

import { anotherOrder, anOrder, noon } from '../testing/carts.ts';
import { laterEvent } from '../testing/later-release.ts';
import { counted, countingEnded, received, released, reserved, restocked, shipped, stockAfter } from '../testing/stocks.ts';
import { explainStock, impossibleStockEvent } from './stock-audit.ts';
import type { StockEvent } from './events.ts';

const removed = (quantity: number): StockEvent => ({ type: 'StockRemoved', data: { quantity, reason: 'Broken', removedAt: noon } });
const explained = (...events: readonly StockEvent[]) => explainStock(events.map((event, revision) => ({ ...event, revision })));

test('the bottles of a product are explained by the events since the latest count', () =>
  expect(explained(counted(9), counted(5), received(2), removed(1), reserved(2), shipped(2), reserved(1, anotherOrder))).toEqual([
    {
      name: 'onHand',
      amount: 4,
      formula: 'counted + received + came back − removed − shipped',
      parts: [
        { label: 'Counted', amount: 5, revision: 1, type: 'StockCounted' },
        { label: 'Received', amount: 2, revision: 2, type: 'StockReceived' },
        { label: 'Removed: Broken', amount: -1, revision: 3, type: 'StockRemoved' },
        { label: 'Shipped', amount: -2, revision: 5, type: 'StockShipped', order: anOrder },
      ],
    },
    {
      name: 'reserved',
      amount: 1,
      formula: 'reservations of open orders',
      parts: [{ label: 'Reserved', amount: 1, revision: 6, type: 'StockReserved', order: anotherOrder }],
    },
    expect.objectContaining({ name: 'available', amount: 3 }),
  ]));

test('events before the end of counting explain nothing', () =>
  expect(explained(counted(9), reserved(2), countingEnded()).map(({ amount, parts }) => [amount, parts])).toEqual([
    [0, []],
    [0, []],
    [0, []],
  ]));

test('a release and what came back are explained, and a low mark is no part', () => {
  const lowMark: StockEvent = { type: 'StockLowMarkSet', data: { lowAt: 2, setAt: noon } };
  const amounts = explained(counted(9), reserved(2), released(2), restocked(1), lowMark);
  expect(amounts.map(({ formula, parts }) => [formula, parts.map(({ label, amount }) => [label, amount])])).toEqual([
    [
      'counted + received + came back − removed − shipped',
      [
        ['Counted', 9],
        ['Came back', 1],
      ],
    ],
    ['reservations of open orders', []],
    [
      'on hand − reserved',
      [
        ['Counted', 9],
        ['Came back', 1],
      ],
    ],
  ]);
});

test.each<[string, StockEvent[], StockEvent]>([
  ['all available bottles are removed', [counted(3), reserved(2)], removed(1)],
  ['all available bottles are reserved', [counted(3), reserved(2)], reserved(1, anotherOrder)],
  ['an order reserves again for a later placing', [counted(3), reserved(2)], reserved(3, anOrder, 1, 2)],
  ['what is held is released', [counted(3), reserved(2)], released(2)],
  ['what is held is shipped', [counted(3), reserved(2)], shipped(2)],
  ['a low mark is set', [], { type: 'StockLowMarkSet', data: { lowAt: 2, setAt: noon } }],
])('it is possible that %s', (_, before, event) => expect(impossibleStockEvent(stockAfter(...before), event)).toBeUndefined());

describe('an event is found as impossible:', () => {
  test.each<[string, StockEvent[], StockEvent]>([
    ['2 were counted while 3 were reserved', [counted(3), reserved(3)], counted(2)],
    ['the product was not counted', [], received(1)],
    ['the product was not counted', [], countingEnded()],
    ['the product was not counted', [], restocked(1)],
    ['2 were removed of 1 available', [counted(3), reserved(2)], removed(2)],
    ['2 were reserved of 1 available', [counted(3), reserved(2)], reserved(2, anotherOrder)],
    ['1 were reserved of 0 available', [], reserved(1)],
    ['-5 is no number of bottles', [counted(9)], received(-5)],
    ['1.5 is no number of bottles', [], counted(1.5)],
    ['-1 is no number of bottles', [counted(9)], reserved(-1)],
    ['the order held 0, not 1', [counted(3)], reserved(1, anOrder, 0, 1)],
    ['the order held bottles for a later placing', [counted(3), reserved(1, anOrder, 5)], reserved(1, anOrder, 4, 1)],
    ['the order held 1, not 2', [counted(3), reserved(1)], released(2)],
    ['the order held bottles for a later placing', [counted(3), reserved(1, anOrder, 5)], reserved(1, anOrder, 5, 1)],
    ['the order held 0, not 1', [counted(3)], shipped(1)],
    ['StockBlessed does not happen to stock', [counted(3)], laterEvent('StockBlessed')],
  ])('%s', (why, before, event) => expect(impossibleStockEvent(stockAfter(...before), event)).toBe(why));
});
