import { describe, expect, test } from 'vitest';

import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { instant } from '#domain/shared/time.ts';
import { anOrder, anotherOrder, evening } from '#domain/testing/carts.ts';
import { deliveryDay, historyOf } from '#domain/testing/orders.ts';
import { creditNote, invoice } from '#domain/testing/tax-documents.ts';
import { orderStream } from '#domain/order/order.ts';

import { readLog, type LogBook } from './log-book.ts';
import { storeWith, type Appended } from './testing/store-with.ts';
import { taxDocumentVerdicts } from './tax-document-verdicts.ts';

const ORDER = orderStream(anOrder);
const INVOICES = 'invoices-2026-2027';
const CREDIT_NOTES = 'credit-notes-2026-2027';

const logOf = async (...all: readonly Appended[]): Promise<LogBook> => readLog(await storeWith(...all));
const brokenIn = (log: LogBook, quietAt = deliveryDay): readonly string[] =>
  taxDocumentVerdicts(log, quietAt).flatMap(({ broken }) => broken);
const broken = async (...all: readonly Appended[]): Promise<readonly string[]> => brokenIn(await logOf(...all));

const wasShipped: Appended = [ORDER, ...historyOf.shipped];
const cameBack: Appended = [ORDER, ...historyOf.returned];
const another = { order: anotherOrder };

test.each<[string, readonly Appended[]]>([
  ['has not shipped', [[ORDER, ...historyOf.confirmed]]],
  ['has shipped', [wasShipped, [INVOICES, invoice()]]],
  ['came back', [cameBack, [INVOICES, invoice()], [CREDIT_NOTES, creditNote()]]],
])('nothing is wrong with an order that %s', async (_, events) => expect(await broken(...events)).toEqual([]));

describe('of papers, the drill reports', () => {
  test('a missing one', async () => {
    expect(await broken(wasShipped)).toEqual([`${anOrder} was shipped and has none`]);
    expect(await broken(cameBack, [INVOICES, invoice()])).toEqual([`${anOrder} was returned and has none`]);
  });

  test('a twin', async () => {
    expect(await broken(wasShipped, [INVOICES, invoice(), invoice()])).toEqual([
      `${anOrder} was shipped and has RH/26-27/000001 and RH/26-27/000002`,
    ]);
    expect(await broken(cameBack, [INVOICES, invoice()], [CREDIT_NOTES, creditNote(), creditNote()])).toEqual([
      `${anOrder} was returned and has RC/26-27/000001 and RC/26-27/000002`,
      '2206600 paise of RH/26-27/000001 are credited, which is of 1103300',
    ]);
  });

  test('one of an order that did not ship, or did not come back', async () => {
    expect(await broken([ORDER, ...historyOf.confirmed], [INVOICES, invoice()])).toEqual([
      `${anOrder} was never shipped and has RH/26-27/000001`,
    ]);
    expect(await broken(wasShipped, [INVOICES, invoice()], [CREDIT_NOTES, creditNote()])).toEqual([
      `${anOrder} was never returned and has RC/26-27/000001`,
    ]);
    expect(await broken([INVOICES, invoice()])).toContain(`${anOrder} was never shipped and has RH/26-27/000001`);
  });

  test('a hole', async () => {
    const log = await logOf(wasShipped, [INVOICES, invoice(another), invoice()]);
    expect(brokenIn({ ...log, invoices: log.invoices.slice(1) })).toEqual(['RH/26-27/000002 is where RH/26-27/000001 belongs']);
  });

  test('one of another year', async () =>
    expect(await broken(wasShipped, ['invoices-2025-2026', invoice()])).toEqual(['RH/25-26/000001 is of 2026-11-14']));

  test('a sum that is not that of its order', async () =>
    expect(await broken(wasShipped, [INVOICES, invoice({ giftWrap: GIFT_WRAP_FEE })])).toEqual([
      'RH/26-27/000001 is of 1107200 paise, its order of 1103300',
    ]));

  test('a credit note of no invoice, or of that of another order', async () => {
    const ofNone = creditNote({ invoice: { number: 'RH/26-27/000009', date: creditNote().data.date } });
    expect(await broken(cameBack, [INVOICES, invoice()], [CREDIT_NOTES, ofNone])).toEqual([
      "RH/26-27/000009 is credited and is not the order's invoice",
    ]);
    expect(await broken(cameBack, [INVOICES, invoice()], [CREDIT_NOTES, creditNote(another)])).toContain(
      "RH/26-27/000001 is credited and is not the order's invoice",
    );
  });

  test('one that came late', async () => {
    const late = instant('2026-11-14T18:00:00.000Z');
    const log = await logOf(wasShipped, [INVOICES, invoice({ issuedAt: late })]);
    expect(brokenIn(log, evening)).toEqual(['RH/26-27/000001 was issued after 18000 s']);
    expect(brokenIn(log, late)).toEqual([]);
  });
});
