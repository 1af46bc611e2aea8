import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderLine } from '../order/events.ts';
import { computeTotals } from '../order/totals.ts';
import { taxDocumentNumber } from '../invoice/tax-document-numbers.ts';
import { HIGHEST_PRICE } from '../shared/money.ts';
import { soldLines } from '../testing/orders.ts';
import { parseEvents, readOrder, readPaper } from './receipt-contents.ts';

const metadata = '{"recordedAt":"2026-11-14T12:00:01.000Z"}';
const event = (type: string, data: object) => ({
  stream: 'order-1',
  revision: 0,
  eventId: '1',
  type,
  data: JSON.stringify(data),
  metadata,
});
const placed = event('OrderPlaced', { number: 'RH-4WPDX9CT', method: 'COD' });
const read = (lines: unknown, giftWrap: unknown = false) => readOrder([event('OrderCreated', { lines, giftWrap }), placed]);

describe('the order of a receipt', () => {
  test('costs what the shop computed', () => {
    const line = fc.record({
      unitPrice: fc.nat({ max: HIGHEST_PRICE }),
      quantity: fc.integer({ min: 1, max: 99 }),
      rate: fc.constantFrom(undefined, 0, 5, 12, 18, 28, 0.25, 12.35),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), fc.boolean(), (changes, giftWrap) => {
        const lines = changes.map(({ rate, ...change }) => {
          const { rate: _, ...sold } = soldLines[0];
          return { ...sold, ...change, ...(rate === undefined ? {} : { rate }) };
        });
        const { subtotal, tax, total } = computeTotals({ lines: lines as unknown as readonly OrderLine[], giftWrap });
        const order = read(lines, giftWrap);
        expect([order.subtotal, order.taxes.reduce((sum, each) => sum + each.tax, 0), order.total]).toEqual([subtotal, tax, total]);
      }),
    );
  });

  test('is that of the newest checkout before it was placed', () => {
    const created = event('OrderCreated', { lines: [], giftWrap: true });
    const revised = event('OrderRevised', { lines: [soldLines[1]], giftWrap: false });
    expect(readOrder([created, revised, placed])).toMatchObject({ giftWrap: 0, lines: [{ name: 'Ruh Gulab', quantity: 1 }] });
  });

  test.each<[string, unknown, unknown?]>([
    ['no list', {}],
    ['a price below nothing', [{ ...soldLines[0], unitPrice: -1 }]],
    ['half a bottle', [{ ...soldLines[0], quantity: 0.5 }]],
    ['a price that is text', [{ ...soldLines[0], unitPrice: '345000' }]],
    ['a rate beyond 100', [{ ...soldLines[0], rate: 101 }]],
    ['amounts beyond exact numbers', [{ ...soldLines[0], unitPrice: Number.MAX_SAFE_INTEGER }]],
    ['nothing as a line', [null]],
    ['a gift wrap that is text', [], 'yes'],
  ])('with %s is refused', (_, lines, giftWrap = false) => {
    expect(() => read(lines, giftWrap)).toThrow('This is not a complete receipt');
  });

  test('has events without lone surrogates, which have no bytes of their own', () => {
    const line = (eventId: string) => `${JSON.stringify({ ...placed, eventId })}\n`;
    expect(parseEvents(line('\ufffd'))).toHaveLength(1);
    expect(() => parseEvents(line('\ud800'))).toThrow('not written as the shop writes them');
  });
});

test('an invoice is numbered as the shop numbers it', () => {
  for (const stream of ['invoices-2026-2027', 'credit-notes-2099-2100'] as const)
    for (const revision of [0, 41, 999_999, 1_000_000])
      expect(readPaper({ stream, revision: String(revision), hash: '' }).number).toBe(taxDocumentNumber(stream, revision));
  // Of streams that would give the same numbers, one alone has them.
  for (const stream of ['order-1', 'invoices-1926-1927', 'invoices-2026-1927', 'invoices-2026-2026', 'credit-notes-2026-2028'])
    expect(() => readPaper({ stream, revision: '0', hash: '' })).toThrow('it is not the proof of an invoice');
});
