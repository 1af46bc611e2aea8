import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ASSUMED_PLACE } from '#domain/invoice/view.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { ID } from '../testing/sample-orders.ts';
import { findTitle, getHref, getTexts, press } from '../../../testing/interactions.ts';
import { NO_ANSWER } from '../../../testing/shop.tsx';

const PATH = `/invoice/${ID}`;

const line = (name: string, more: object = {}) => ({
  name,
  hsn: '3303',
  quantity: 2,
  unitPrice: 3450,
  taxableValue: 6900,
  rate: 18,
  cgst: 0,
  sgst: 0,
  igst: 1242,
  ...more,
});
const invoice = {
  number: 'RH/26-27/000001',
  date: '2026-11-24',
  seller: { name: 'RUHANI', address: 'Lane 1, Kannauj 209725, India', state: 'Uttar Pradesh', gstin: '09AAACR1234A1Z5' },
  buyer: { name: 'Meera Nair', address: '14 Marine Drive, Kochi 682031, India', state: 'kerala' },
  placeOfSupply: 'Kerala',
  lines: [line('Oud Saffron Majlis'), line('Agarbatti', { hsn: '3307', taxableValue: 100, rate: 5, igst: 5 })],
  giftWrap: 39,
  taxableValue: 7000,
  cgst: 0,
  sgst: 0,
  igst: 1247,
  total: 8286,
  totalInWords: 'Eight Thousand Two Hundred Eighty Six Rupees Only',
  creditNotes: [],
};
const open = (answer: Answers[string], answers: Answers = {}) => openOrderPage(PATH, { [`${ID}/invoice`]: answer, ...answers });
const openWith = async (changes: object = {}) => {
  open({ data: { ...invoice, ...changes } });
  return within(await screen.findByRole('article'));
};
const sumsOf = (sheet: ReturnType<typeof within>) =>
  sheet.getAllByRole('term').map((term: Element) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);

test('the invoice page shows the same content as the PDF', async () => {
  const sheet = await openWith();
  expect(sheet.getByRole('heading', { level: 1, name: 'Tax invoice' })).toBeInstanceOf(HTMLElement);
  for (const text of [
    'RH/26-27/000001',
    'Original for recipient',
    'Date 24 Nov 2026',
    'GSTIN 09AAACR1234A1Z5',
    'Meera Nair',
    invoice.totalInWords,
  ])
    expect(sheet.getByText(text)).toBeInstanceOf(HTMLElement);
  expect(sheet.getByText('Uttar Pradesh (state code 09)')).toBeInstanceOf(HTMLElement);
  expect(sheet.getByText('Place of supply: Kerala (state code 32)')).toBeInstanceOf(HTMLElement);
  expect(sheet.getByText(/Tax is not payable on reverse charge/)).toBeInstanceOf(HTMLElement);
  for (const text of ['SAMPLE', /odd paisa/]) expect(sheet.queryByText(text)).toBeNull();
  expect(sumsOf(sheet)).toEqual([
    'Taxable value: ₹7,000.00',
    'IGST 18% on ₹6,900.00: ₹1,242.00',
    'IGST 5% on ₹100.00: ₹5.00',
    'Gift wrap, untaxed: ₹39.00',
    'Total: ₹8,286.00',
  ]);
  const [oud] = sheet.getAllByRole('row').slice(1);
  for (const text of ['Oud Saffron Majlis', '3303', '₹3,450.00', '₹6,900.00', '18%', '₹1,242.00']) expect(oud?.textContent).toContain(text);
  await expect.poll(() => document.title).toBe('Invoice RH/26-27/000001 · RUHANI');
});

test("the invoice page splits the tax into CGST and SGST within the seller's state, and is marked as a sample without a GSTIN", async () => {
  const { gstin, ...seller } = invoice.seller;
  const lines = [line('Ruh Gulab', { igst: 0, cgst: 621, sgst: 621.01 })];
  const sheet = await openWith({ seller, placeOfSupply: 'Uttar Pradesh', lines, giftWrap: 0 });
  expect(sumsOf(sheet).slice(1, 3)).toEqual(['CGST 9% on ₹6,900.00: ₹621.00', 'SGST 9% on ₹6,900.00: ₹621.01']);
  expect(sheet.getByText(/odd paisa of tax/)).toBeInstanceOf(HTMLElement);
  expect(getTexts(sheet.getAllByRole('columnheader')).slice(-2)).toEqual(['CGST', 'SGST']);
  expect(sheet.getByText('SAMPLE')).toBeInstanceOf(HTMLElement);
  expect(sheet.queryByText(new RegExp(gstin))).toBeNull();
});

test.each([
  [{ placeOfSupply: 'Other Country' }, 'California', ['California', 'Place of supply: Other Country (state code 96)']],
  [{ placeOfSupply: 'Other Country' }, 'Goa', ['Goa', 'Place of supply: Other Country (state code 96)']],
  [
    { placeOfSupply: 'Uttar Pradesh', placeOfSupplyAssumed: true },
    'Utopia',
    ['Utopia', 'Place of supply: Uttar Pradesh (state code 09)', ASSUMED_PLACE],
  ],
])('the invoice page with %j and a buyer in %s says where the place of supply comes from', async (changes, state, said) => {
  const sheet = await openWith({ ...changes, buyer: { ...invoice.buyer, state } });
  for (const text of said) expect(sheet.getByText(text)).toBeInstanceOf(HTMLElement);
});

test('the invoice page lists the credit notes, and shows an erased buyer as one word', async () => {
  const buyer = { name: 'erased', address: 'erased', state: 'Kerala' };
  const sheet = await openWith({ buyer, creditNotes: [{ number: 'RC/26-27/000007', date: '2026-12-01', total: 8247 }] });
  const note = sheet.getByRole('link', { name: 'Credit note RC/26-27/000007, opens in a new tab' });
  expect(note.getAttribute('href')).toBe(`/api/order/${ID}/credit-notes/1.pdf`);
  expect(sheet.getByText('1 Dec 2026: ₹8,247.00')).toBeInstanceOf(HTMLElement);
  expect(sheet.getAllByText('erased')).toHaveLength(1);
});

test('the invoice page prints, offers the PDF, and links to the order', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await openWith();
  press('Print');
  expect(print).toHaveBeenCalledOnce();
  const pdf = screen.getByRole('link', { name: 'Download PDF' });
  expect(pdf.getAttribute('href')).toBe(`/api/order/${ID}/invoice.pdf`);
  expect(pdf.hasAttribute('download')).toBe(true);
  expect(getHref('To the order')).toBe(`/order-confirmed/${ID}`);
});

test('the invoice page shows that the invoice is loading', async () => {
  open(NO_ANSWER);
  expect((await screen.findByText('Loading the invoice...')).getAttribute('role')).toBe('status');
});

test('the invoice page shows that there is no invoice before the order ships, and can retry', async () => {
  const answers: Answers = { [`${ID}/invoice`]: { status: 404, data: { message: 'No invoice yet', code: 'not_found' } } };
  openOrderPage(PATH, answers);
  await findTitle('No invoice yet');
  answers[`${ID}/invoice`] = { data: invoice };
  press('Try again');
  expect(await screen.findByText('RH/26-27/000001')).toBeInstanceOf(HTMLElement);
});

test("the invoice page shows 'No order found' for another shopper's order", async () => {
  open({ status: 404, data: { message: 'Order not found', code: 'order_not_found' } });
  await findTitle('No order found');
});

test('the invoice page tells a member of the staff that others read invoices, and offers no retry', async () => {
  open({ status: 403, data: { message: 'You are not authorised to do this', code: 'not_allowed' } });
  await findTitle('Not for your role');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('the invoice page offers a retry when there was no response', async () => {
  open('gone');
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('alert').textContent).not.toBe('');
});
