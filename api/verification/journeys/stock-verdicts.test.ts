import { describe, expect, test } from 'vitest';

import type { DomainEvent } from '#domain/shared/decider.ts';
import { instant } from '#domain/shared/time.ts';
import { anOrder, anotherOrder, noon } from '#domain/testing/carts.ts';
import { cancelled, confirmed, created, placed, shipped as orderShipped, soldLines } from '#domain/testing/orders.ts';
import { counted, countingEnded, received, released, reserved, shipped } from '#domain/testing/stocks.ts';
import { orderStream } from '#domain/order/order.ts';

import { eventCodec } from '../../event-store/codec/codec.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { memoryEventStore } from '../../event-store/testing/memory-event-store.ts';
import { memorySubjectKeys } from '../../event-store/testing/memory-subject-keys.ts';
import { command } from '../../event-store/testing/writing.ts';
import { stockStream } from '#domain/stock/stock.ts';
import { readLog } from './log-book.ts';
import { storeWith, type Appended } from './testing/store-with.ts';
import {
  availableIsNeverNegative,
  nobodyElseHolds,
  neverOversold,
  placedHasItsBottles,
  refusedWhatWasShort,
  reservedIsHeld,
} from './stock-verdicts.ts';

const VERDICTS = { availableIsNeverNegative, reservedIsHeld, placedHasItsBottles, nobodyElseHolds, neverOversold };

const [{ productId: oud }] = soldLines;
const STOCK = stockStream(oud);
const ORDER = orderStream(anOrder);

/** An order of two bottles of the oud and of a perfume that is not counted. */
const checkedOut: Appended = [ORDER, created()];
const orderPlaced: Appended = [ORDER, placed()];
const toStock = (...events: readonly DomainEvent[]): Appended => [STOCK, ...events];

/** Returns the names of the verdicts that these events violate. */
const broken = async (...all: readonly Appended[]): Promise<readonly string[]> => {
  const log = await readLog(await storeWith(...all));
  return Object.entries(VERDICTS).flatMap(([name, judge]) => (judge(log).broken.length > 0 ? [name] : []));
};

test.each<[string, readonly Appended[]]>([
  ['is placed', [toStock(counted()), checkedOut, toStock(reserved(2)), orderPlaced]],
  ['is shipped', [toStock(counted(), reserved(2)), checkedOut, orderPlaced, [ORDER, confirmed(), orderShipped()], toStock(shipped(2))]],
  ['is cancelled', [toStock(counted(), reserved(2)), checkedOut, orderPlaced, [ORDER, cancelled()], toStock(released(2))]],
  ['was given up, and then reserved anew', [checkedOut, toStock(counted(), reserved(1), reserved(2, anOrder, 1, 1)), orderPlaced]],
  ['was placed before counting began', [checkedOut, orderPlaced, toStock(counted(0))]],
  ['was placed before counting ended', [toStock(counted(), reserved(2)), checkedOut, orderPlaced, toStock(countingEnded(), counted(1))]],
])('the drill reports nothing about an order that %s', async (_, events) => expect(await broken(...events)).toEqual([]));

describe('the drill checks stock and reports', () => {
  test('a reservation of more than the stock', async () => {
    expect(await broken(toStock(counted(1)), checkedOut, toStock(reserved(2)), orderPlaced)).toEqual([
      'availableIsNeverNegative',
      'neverOversold',
    ]);
    // The reservation is reported even if the bottles are received later.
    expect(await broken(toStock(counted(1)), checkedOut, toStock(reserved(2)), orderPlaced, toStock(received(1)))).toEqual([
      'availableIsNeverNegative',
    ]);
  });

  test('a reservation that ignores what the order held before', async () =>
    expect(await broken(toStock(counted()), checkedOut, toStock(reserved(1), reserved(2, anOrder, 1)), orderPlaced)).toEqual([
      'reservedIsHeld',
    ]));

  test('a release of bottles that nobody held', async () =>
    expect(await broken(toStock(counted(), reserved(2)), checkedOut, orderPlaced, toStock(released(2, anotherOrder)))).toEqual([
      'reservedIsHeld',
    ]));

  test.each<[string, readonly Appended[]]>([
    ['without its bottles', [toStock(counted()), checkedOut, orderPlaced]],
    ['whose bottles were released', [toStock(counted()), checkedOut, toStock(reserved(2)), orderPlaced, toStock(released(2))]],
    ['with too few bottles', [toStock(counted()), checkedOut, toStock(reserved(1)), orderPlaced]],
    ['whose bottles left before it', [toStock(counted()), checkedOut, toStock(reserved(2), shipped(2)), orderPlaced]],
    ['that was shipped without them', [toStock(counted(), reserved(2)), checkedOut, orderPlaced, [ORDER, confirmed(), orderShipped()]]],
    [
      'that was shipped twice',
      [
        toStock(counted(8)),
        checkedOut,
        toStock(reserved(2), shipped(2), reserved(2, anOrder, 1), shipped(2)),
        [ORDER, placed(), confirmed(), orderShipped()],
      ],
    ],
  ])('a placed order %s', async (_, events) => expect(await broken(...events)).toEqual(['placedHasItsBottles']));

  test.each<[string, readonly Appended[]]>([
    ['a draft', [toStock(counted()), checkedOut, toStock(reserved(2))]],
    ['a cancelled order', [toStock(counted()), checkedOut, toStock(reserved(2)), orderPlaced, [ORDER, cancelled()]]],
    ['an order that does not exist', [toStock(counted(), reserved(1, anotherOrder))]],
  ])('bottles that stay reserved for %s', async (_, events) => expect(await broken(...events)).toEqual(['nobodyElseHolds']));

  test('more bottles sold than were in stock', async () => {
    const other = orderStream(anotherOrder);
    const sold = [toStock(counted(), reserved(2)), checkedOut, orderPlaced, toStock(released(2), reserved(2, anotherOrder))] as const;
    expect(await broken(...sold, [other, created(), placed()])).toEqual(['placedHasItsBottles', 'neverOversold']);
    const lost: DomainEvent = { type: 'StockRemoved', data: { quantity: 2, reason: 'Broken', removedAt: noon } };
    expect(await broken(toStock(counted(), reserved(2)), checkedOut, orderPlaced, toStock(lost))).toContain('neverOversold');
  });
});

test.each<[string, string | undefined, number, [from: number, to: number], boolean]>([
  ['while nothing was left', undefined, 0, [3, 4], true],
  ['while it was released', undefined, 0, [4, 6], true],
  ['after it was released', undefined, 0, [6, 7], false],
  ['before it was reserved', anotherOrder, 0, [0, 1], false],
  ['though two were left', anotherOrder, 1, [6, 7], false],
  ['with what others hold', anotherOrder, 2, [3, 4], false],
  ['with what it holds itself', anOrder, 2, [3, 4], true],
  ['without what it holds itself', anOrder, 0, [3, 4], false],
])('a refusal %s is compared with the stock at that time', async (_, order, left, [from, to], isTrue) => {
  let second = 0;
  const moment = (at: number) => instant(`2026-11-14T12:00:0${at}.000Z`);
  const codec = eventCodec({ schemas, keys: memorySubjectKeys(), now: () => moment(second) });
  const store = memoryEventStore({ codec });
  for (const [at, event] of [
    [0, counted(2)],
    [2, reserved(2)],
    [5, released(2)],
  ] as const) {
    second = at;
    await store.append(STOCK, (await store.read(STOCK)).head, [event], command());
  }
  const refusal = { order, left: { [oud]: left }, askedAt: moment(from), heardAt: moment(to) };
  const { broken } = refusedWhatWasShort([refusal], await readLog(store));
  expect(broken).toHaveLength(isTrue ? 0 : 1);
});
