import { expect, test } from 'vitest';

import { logPosition, type EventMetadata } from '../event-store.ts';
import { paise } from '../shared/money.ts';
import { NO_TEXT } from '../shared/text.ts';
import { creditNote, invoice, seller } from '../testing/tax-documents.ts';
import type { InvoiceEvent } from './events.ts';
import { isWithinState, NOBODY, createTaxRows } from './invoice.ts';
import { listTaxRows, viewInvoice } from './view.ts';

const place = { revision: 6, position: logPosition(1n), metadata: {} as EventMetadata } as const;
const recorded = (changes = {}) => ({ ...invoice(changes), ...place, stream: 'invoices-2026-2027' as const });
const line = { hsn: '3303', rate: 18, cgst: 0, sgst: 0 };

const lines = [
  { ...line, name: 'Oud Saffron Majlis', quantity: 2, unitPrice: 3450, taxableValue: 6900, igst: 1242 },
  { ...line, name: 'Ruh Gulab', hsn: '3301', quantity: 1, unitPrice: 2450, taxableValue: 2450, igst: 441 },
];
const sums = { taxableValue: 9350, cgst: 0, sgst: 0, igst: 1683, giftWrap: 0, total: 11_033 };

test("an invoice's view has its amounts in rupees, and its credit notes", () => {
  const note = { ...creditNote(), ...place, stream: 'credit-notes-2026-2027' as const };
  expect(viewInvoice(recorded(), [note])).toEqual({
    number: 'RH/26-27/000007',
    date: '2026-11-14',
    seller,
    buyer: { name: 'Meera Nair', address: '14 Marine Drive, Kochi 682031, India', state: 'Kerala' },
    placeOfSupply: 'Kerala',
    lines,
    ...sums,
    creditNotes: [{ number: 'RC/26-27/000007', date: note.data.date, lines, ...sums }],
  });
  const unwrapped = { ...note, data: { ...note.data, giftWrap: paise(39_00) } };
  expect(viewInvoice(recorded(), [unwrapped]).creditNotes).toMatchObject([{ giftWrap: 39, total: 11_072 }]);
});

test('the buyer of an erased invoice reads as erased, with the state if it is known', () => {
  const { buyerState: _, ...data } = invoice().data;
  const view = (changes: object) => viewInvoice({ ...recorded(), data: { ...data, ...changes } as InvoiceEvent['data'] }).buyer;
  expect(view({ buyer: NOBODY })).toEqual({ name: 'erased', address: 'erased', state: '' });
  expect(view({ buyer: { ...NOBODY, state: 'Atlantis' } })).toEqual({ name: 'erased', address: 'erased', state: 'Atlantis' });
  expect(view({ buyer: { name: NO_TEXT, address: 'Kochi' }, buyerState: 'Goa' })).toEqual({
    name: 'erased',
    address: 'Kochi',
    state: 'Goa',
  });
});

test('the tax rows are one for each rate, the highest first, and two within the state', () => {
  const taxed = (rate: 5 | 18, taxableValue: number, igst: number) => ({
    rate,
    taxableValue: paise(taxableValue),
    cgst: paise(igst / 2),
    sgst: paise(igst / 2),
    igst: paise(igst),
  });
  const some = [taxed(5, 100_00, 5_00), taxed(18, 200_00, 36_00), taxed(18, 100_00, 18_00)];
  expect(createTaxRows(some as never, false)).toEqual([
    ['IGST 18% on ₹300.00', 54_00],
    ['IGST 5% on ₹100.00', 5_00],
  ]);
  expect(createTaxRows(some as never, true)).toEqual([
    ['CGST 9% on ₹300.00', 27_00],
    ['SGST 9% on ₹300.00', 27_00],
    ['CGST 2.5% on ₹100.00', 2_50],
    ['SGST 2.5% on ₹100.00', 2_50],
  ]);
  expect(listTaxRows(viewInvoice(recorded()))).toEqual([['IGST 18% on ₹9,350.00', 1683_00]]);
  expect([isWithinState({ placeOfSupply: 'Goa', seller: { state: 'Goa' } }), isWithinState({ placeOfSupply: 'Goa', seller })]).toEqual([
    true,
    false,
  ]);
});
