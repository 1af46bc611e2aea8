import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ERASED } from '../event-store.ts';
import type { OrderLine, Placement } from '../order/events.ts';
import { orderId, productId } from '../shared/ids.ts';
import { HIGHEST_PRICE, paise, sum } from '../shared/money.ts';
import { calendarDate, instant } from '../shared/time.ts';
import { ESSENTIAL_OILS, taxRate } from '../tax/rates.ts';
import { evening } from '../testing/carts.ts';
import { confirmed, created, deliveryDay, home, orderAfter, placed, shipped, soldLines, type CheckoutChanges } from '../testing/orders.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import type { CreditNoteEvent, InvoiceEvent, Seller } from './events.ts';
import { split } from '../tax/line-taxes.ts';
import { creditNotes, creditTotal, invoices, invoiceTotal, addUp, type IssueCreditNote, type IssueInvoice } from './invoice.ts';
import { financialYear, taxDocumentNumber, taxDocumentStream } from './tax-document-numbers.ts';
import { states } from '../shared/states.ts';
import { viewBuyer } from './view.ts';

const seller: Seller = { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state: 'Uttar Pradesh', gstin: '09AAACR1234A1Z5' };
const invoicedOrder = orderId('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4');

/** Makes the command for an order with this checkout, shipped in the evening of 14 November 2026. */
const issueInvoice = (checkout: CheckoutChanges = {}, changes: Partial<IssueInvoice> = {}): IssueInvoice => {
  const order = orderAfter(created(checkout), placed());
  // The order looks as if it was placed before `deliveryState` was kept.
  const { deliveryState: _, ...placement } = order.placement as Placement;
  return {
    type: 'IssueInvoice',
    id: invoicedOrder,
    order: { ...order, placement },
    seller,
    isErased: false,
    shippedAt: evening,
    now: evening,
    ...changes,
  };
};

type Invoice = InvoiceEvent['data'];
type Note = CreditNoteEvent['data'];

const onlyOne = <Event>(decision: { ok: boolean; events?: readonly Event[] }): Event => {
  const [event, ...more] = decision.events ?? [];
  if (!event || more.length > 0) throw new Error('Not one event');
  return event;
};
const invoiceOf = (...given: Parameters<typeof issueInvoice>): Invoice =>
  onlyOne(invoices.decide(invoices.initial, issueInvoice(...given))).data;
const inUttarPradesh = { shippingAddress: { ...home, state: '  uttar  PRADESH ' } };

describe('an invoice', () => {
  test('has the lines, sums and places of its order', () => {
    const { lines, ...rest } = invoiceOf({ giftWrap: true });
    expect(rest).toEqual({
      order: invoicedOrder,
      orderNumber: 'RH-4WPDX9CT',
      shopper: expect.any(String),
      seller,
      buyer: { name: 'Meera Nair', address: '14 Marine Drive, Kochi 682031, India' },
      buyerState: 'Kerala',
      placeOfSupply: 'Kerala',
      giftWrap: 39_00,
      shipping: 0,
      discount: 0,
      date: '2026-11-14',
      issuedAt: evening,
    });
    const [oud, gulab] = soldLines.map(({ productId, name, hsn, quantity, unitPrice }) => ({ productId, name, hsn, quantity, unitPrice }));
    expect(lines).toEqual([
      { ...oud, taxableValue: 6_900_00, rate: 18, cgst: 0, sgst: 0, igst: 1_242_00 },
      { ...gulab, taxableValue: 2_450_00, rate: 18, cgst: 0, sgst: 0, igst: 441_00 },
    ]);
    expect(invoiceTotal({ ...rest, lines })).toBe(11_072_00);
  });

  test("halves the tax in the seller's own state and rounds the first half down", () => {
    const line: OrderLine = { ...soldLines[0], unitPrice: paise(25), quantity: 1 };
    // 18% of 25 paise is 4.5, rounded to 5 paise.
    expect(addUp(invoiceOf({ ...inUttarPradesh, lines: [line] }).lines)).toEqual({ taxableValue: 25, cgst: 2, sgst: 3, igst: 0 });
  });

  test.each([
    [' KERALA ', 'India', 'Kerala', 'Kerala'],
    ['Tamil Naidu', 'IN', 'Tamil Nadu', 'Tamil Nadu'],
    ['Uttar Pradesh', 'Nepal', 'Other Country', 'Uttar Pradesh'],
    ['California', 'US', 'Other Country', 'California'],
    ['Utopia', 'India', 'Uttar Pradesh', 'Utopia', true],
    ['', '', 'Uttar Pradesh', '', true],
  ])("for %j in %j has the place of supply %s, and the buyer's state %j", (state, country, placeOfSupply, shown, isAssumed = false) => {
    const data = invoiceOf({ shippingAddress: { ...home, state, country } });
    expect({ isAssumed, ...data }).toMatchObject({ placeOfSupply, ...(isAssumed && { placeOfSupplyAssumed: true }) });
    expect('placeOfSupplyAssumed' in data).toBe(isAssumed);
    expect(viewBuyer(data).state).toBe(shown);
    const isOwn = placeOfSupply === seller.state;
    expect(addUp(data.lines)).toMatchObject(isOwn ? { cgst: 841_50, sgst: 841_50, igst: 0 } : { cgst: 0, sgst: 0, igst: 1_683_00 });
  });

  test('has the state that staff named at shipping', () => {
    const checkout = created({ shippingAddress: { ...home, state: 'Utopia' } });
    const { placement, ...order } = orderAfter(checkout, placed(), confirmed(), shipped('', evening, { placeOfSupply: 'Goa' }));
    const data = invoiceOf({}, { order: { ...order, placement: placement ?? expect.fail() } });
    expect(data).toMatchObject({ placeOfSupply: 'Goa', buyerState: 'Goa' });
    expect(data).not.toHaveProperty('placeOfSupplyAssumed');
  });

  test('keeps a typed state that is no state of India among the personal texts', () => {
    const { buyer, ...readable } = invoiceOf({ shippingAddress: { ...home, state: 'Ring 98470 00000' } });
    expect(buyer.state).toBe('Ring 98470 00000');
    expect(JSON.stringify(readable)).not.toContain('98470');
  });

  test('has an address without blanks where parts are missing', () =>
    expect(invoiceOf({ shippingAddress: { ...home, postalCode: '' } }).buyer.address).toBe('14 Marine Drive, Kochi, India'));

  test('has no name or address after an erasure', () => expect(invoiceOf({}, { isErased: true }).buyer).toEqual({ name: '', address: '' }));

  test('is taxed after an erasure by the state that was kept when the order was placed', () => {
    const { order } = issueInvoice();
    const shippingAddress = { ...order.shippingAddress, state: ERASED, country: ERASED };
    for (const deliveryState of ['Kerala', 'Other Country'] as const) {
      const erased = { ...order, shippingAddress, placement: { ...order.placement, deliveryState } };
      expect(invoiceOf({}, { isErased: true, order: erased })).toMatchObject({ buyerState: deliveryState, placeOfSupply: deliveryState });
    }
  });

  test('is issued once', () => {
    const given = onlyOne(invoices.decide(invoices.initial, issueInvoice()));
    expect(invoices.decide(invoices.evolve(invoices.initial, given), issueInvoice())).toEqual({ ok: true, events: [] });
    const another = issueInvoice({}, { id: orderId('1b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4') });
    expect(invoices.decide(invoices.evolve(invoices.initial, given), another)).toMatchObject({ events: [{ type: 'InvoiceIssued' }] });
  });

  test('has the standard rate for old orders, which kept no rate', () => {
    const { hsn: _, rate: __, ...old } = soldLines[0];
    expect(invoiceOf({ lines: [old] }).lines).toMatchObject([{ hsn: '3303', rate: 18, igst: 1_242_00 }]);
  });
});

describe('the number of a paper', () => {
  test.each([
    ['2026-03-31', '2025-2026'],
    ['2026-04-01', '2026-2027'],
    ['2026-12-31', '2026-2027'],
    ['2027-01-01', '2026-2027'],
  ])('on %s belongs to the financial year %s', (date, year) => expect(financialYear(calendarDate(date))).toBe(year));

  test('is its position in the stream', () => {
    expect(taxDocumentNumber(taxDocumentStream('invoices', calendarDate('2026-11-14')), 0)).toBe('RH/26-27/000001');
    expect(taxDocumentNumber('credit-notes-2099-2100', 1_234_567)).toBe('RC/99-00/1234568');
    for (const stream of ['order-1', 'invoices-2026-20277'] as const)
      expect(() => taxDocumentNumber(stream, 0)).toThrow(`No papers are in ${stream}`);
  });
});

const noteOf = (invoice: Invoice, earlier: readonly Note[], changes: Partial<IssueCreditNote> = {}) =>
  creditNotes.decide(
    { notes: earlier },
    {
      type: 'IssueCreditNote',
      invoice,
      invoiceNumber: 'RH/26-27/000001',
      orderRevision: 5 + earlier.length,
      isErased: false,
      returnedAt: deliveryDay,
      now: deliveryDay,
      ...changes,
    },
  );

describe('a credit note', () => {
  const invoice = invoiceOf({ giftWrap: true });

  test("says like its invoice that the seller's state was taken", () => {
    const assumed = invoiceOf({ shippingAddress: { ...home, state: 'Utopia' } });
    const notes = [assumed, invoice].map((of) => onlyOne(noteOf(of, [])).data);
    expect(notes.map((note) => 'placeOfSupplyAssumed' in note)).toEqual([true, false]);
  });

  test('credits all that is left, and names its invoice', () => {
    const note = onlyOne(noteOf(invoice, [])).data;
    expect(note).toMatchObject({
      order: invoicedOrder,
      invoice: { number: 'RH/26-27/000001', date: '2026-11-14' },
      lines: invoice.lines,
      date: '2026-11-17',
      placeOfSupply: 'Kerala',
    });
    expect(creditTotal(note)).toBe(invoiceTotal(invoice));
    expect(onlyOne(noteOf(invoiceOf(), [])).data).not.toHaveProperty('giftWrap');
  });

  test('is issued once for a return, even if the read model does not have it yet', () => {
    const note = onlyOne(noteOf(invoice, []));
    expect(noteOf(invoice, [note.data], { orderRevision: 5 })).toEqual({ ok: true, events: [] });
    const command = { type: 'IssueCreditNote', invoice, invoiceNumber: 'x', orderRevision: 5, isErased: false } as const;
    const again = { ...command, returnedAt: deliveryDay, now: deliveryDay };
    expect(creditNotes.decide(creditNotes.evolve(creditNotes.initial, note), again)).toEqual({ ok: true, events: [] });
    const part = { orderRevision: 5, returned: [{ productId: oudSaffronMajlis, quantity: 1 }] };
    expect(noteOf(invoice, [onlyOne(noteOf(invoice, [], part)).data], part)).toEqual({ ok: true, events: [] });
  });

  test('credits the returned bottles of each perfume, at most as many as were left', () => {
    const first = onlyOne(noteOf(invoice, [], { returned: [{ productId: oudSaffronMajlis, quantity: 1 }] })).data;
    expect(first.lines).toMatchObject([{ productId: oudSaffronMajlis, quantity: 1, taxableValue: 3_450_00, igst: 621_00 }]);
    const second = onlyOne(noteOf(invoice, [first], { returned: [{ productId: oudSaffronMajlis, quantity: 9 }] })).data;
    expect(second.lines).toMatchObject([{ productId: oudSaffronMajlis, quantity: 1 }]);
    expect([first, second]).toEqual([expect.not.objectContaining({ giftWrap: 39_00 }), expect.not.objectContaining({ giftWrap: 39_00 })]);
    expect(onlyOne(noteOf(invoice, [first, second])).data).toMatchObject({ giftWrap: 39_00 });
    expect(noteOf(invoice, [first, second], { returned: [{ productId: oudSaffronMajlis, quantity: 1 }] })).toEqual({
      ok: true,
      events: [],
    });
  });
});

const rate = fc.constantFrom(0, 5, 12, 18, 28.25).map(taxRate);
const line = fc.record({
  unitPrice: fc.integer({ min: 1, max: HIGHEST_PRICE }).map(paise),
  quantity: fc.integer({ min: 1, max: 99 }),
  rate,
});
const anyOrder = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 100 }),
  giftWrap: fc.boolean(),
  state: fc.constantFrom(...states, 'nowhere'),
});
const checkoutOf = ({
  lines,
  giftWrap,
  state,
}: {
  lines: readonly Pick<OrderLine, 'unitPrice' | 'quantity' | 'rate'>[];
  giftWrap: boolean;
  state: string;
}) => ({
  lines: lines.map((each, index): OrderLine => ({
    ...soldLines[0],
    hsn: ESSENTIAL_OILS,
    productId: productId(`perfume-${index}`),
    ...each,
  })),
  giftWrap,
  shippingAddress: { ...home, state },
});

describe('for any order', () => {
  test('each tax of each line differs from the exact tax by less than a paisa', () => {
    fc.assert(
      fc.property(anyOrder, (given) => {
        for (const each of invoiceOf(checkoutOf(given)).lines) {
          const exact = (each.taxableValue * each.rate) / 100;
          expect(Math.abs(each.cgst + each.sgst + each.igst - exact)).toBeLessThan(3);
        }
      }),
    );
  });

  test('partial returns together credit all that it cost, and never more', () => {
    const part = fc.record({ index: fc.nat(99), quantity: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(anyOrder, fc.array(part, { maxLength: 8 }), (given, parts) => {
        const invoice = invoiceOf(checkoutOf(given));
        const most = invoiceTotal(invoice);
        const notes: Note[] = [];
        const credit = (changes: Partial<IssueCreditNote>) => {
          for (const event of (noteOf(invoice, notes, changes) as { events: readonly CreditNoteEvent[] }).events) notes.push(event.data);
          expect(sum(notes.map(creditTotal))).toBeLessThanOrEqual(most);
        };
        for (const { index, quantity } of parts) {
          const { productId: of } = invoice.lines[index % invoice.lines.length] ?? invoice.lines[0] ?? { productId: ruhGulab };
          credit({ returned: [{ productId: of, quantity }] });
        }
        credit({});
        expect(sum(notes.map(creditTotal))).toBe(most);
      }),
    );
  });
});

test('splitting by largest remainder gives parts that add up, each an exact share rounded up or down', () => {
  const shares = fc.array(fc.integer({ min: 0, max: HIGHEST_PRICE }).map(paise), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: HIGHEST_PRICE }).map(paise), shares, (amount, of) => {
      fc.pre(sum(of) > 0);
      const parts = split(amount, of);
      expect(sum(parts)).toBe(amount);
      for (const [index, share] of of.entries()) {
        const floor = (BigInt(amount) * BigInt(share)) / BigInt(sum(of));
        expect([floor, floor + 1n]).toContain(BigInt(parts[index] ?? -1));
      }
    }),
  );
});

test.each([
  [2, [1, 1, 1], [1, 1, 0]],
  [1, [1, 2], [0, 1]],
  [1, [2, 1], [1, 0]],
  [2, [2, 1], [1, 1]],
  [7, [0, 0], [0, 0]],
])('%i split over %j is %j: the rest goes to the parts that lost most', (amount, shares, parts) =>
  expect(split(paise(amount), shares.map(paise))).toEqual(parts),
);

test('the total of an invoice adds gift wrap and shipping, and subtracts the discount', () =>
  expect(invoiceTotal({ lines: [], giftWrap: paise(39_00), shipping: paise(80_00), discount: paise(5_00) })).toBe(114_00));

test('a paper written a year later has the date on which the order shipped', () =>
  expect(invoiceOf({}, { shippedAt: instant('2027-03-31T18:30:00.000Z'), now: instant('2027-05-01T00:00:00.000Z') }).date).toBe(
    '2027-04-01',
  ));
