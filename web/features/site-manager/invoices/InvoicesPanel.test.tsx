import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ERASED } from '#domain/event-store.ts';
import { ASSUMED_PLACE } from '#domain/invoice/view.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { getHref, getTexts } from '../../../testing/interactions.ts';
import { at, openSiteManager, type Server } from '../testing/open-site-manager.tsx';
import { invoice } from '../testing/shop-data.ts';

const creditNote = (nth: number) =>
  invoice(nth, {
    number: 'RC/26-27/000002',
    invoiceNumber: `RH/26-27/00000${nth}`,
    nth: 2,
    date: '2026-11-23',
    taxableValue: -2542.37,
    igst: -457.63,
    total: -3000,
  });
const lucknow = { placeOfSupply: 'Uttar Pradesh', cgst: 803.97, sgst: 803.98, igst: 0 };

const sums = (state: string, rate: number, changes: object) => ({ state, rate, cgst: 0, sgst: 0, igst: 0, ...changes });

const open = (changes: Partial<Server>, panel = 'invoices') => {
  const opened = openSiteManager(panel, changes);
  const lastAsked = (path: string) => {
    const { limit: _, ...params } = opened.asked.findLast(({ url }) => url === path)?.params ?? {};
    return params;
  };
  return { ...opened, lastAsked };
};

const LIST = '/admin/invoices';
const rows = () => screen.getAllByRole('row').slice(1);
const rowAt = (place: number) => within(rows()[place] ?? expect.fail('no row'));
const cellOf = (place: number, text: string | RegExp) => rowAt(place).getByText(text).closest('td, th')?.textContent;
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test("the invoices panel shows an invoice's amounts, and links to its order and its PDF; a credit note is a row below 0 that links to both PDFs", async () => {
  const erased = { buyer: { name: ERASED, address: ERASED, state: 'uttar pradesh' } };
  open({
    invoices: [invoice(2), invoice(1, { ...lucknow, ...erased }), invoice(3, { igst: 0, placeOfSupplyAssumed: true }), creditNote(4)],
  });
  await screen.findByRole('table', { name: /Invoices/ });
  for (const text of ['21 Nov 2026', 'Ananya Mehta', 'Maharashtra', '₹8,933.05', '₹10,541.00'])
    expect(rowAt(0).getByText(text)).toBeInstanceOf(HTMLElement);
  expect(cellOf(0, '₹1,607.95')).toBe('₹1,607.95IGST');
  for (const text of ['23 Nov 2026', '−₹2,542.37', '−₹457.63', '−₹3,000.00']) expect(rowAt(3).getByText(text)).toBeInstanceOf(HTMLElement);
  expect(cellOf(3, /Credit note for/)).toContain('RH/26-27/000004');
  expect(cellOf(1, '₹1,607.95')).toBe('₹1,607.95CGST\u00a0+\u00a0SGST');
  expect(cellOf(1, ERASED)).toBe(`${ERASED}Uttar Pradesh`);
  expect(cellOf(2, '₹0.00')).toBe('₹0.00IGST');
  expect(rows().map((row) => row.textContent.includes(ASSUMED_PLACE))).toEqual([false, false, true, false]);
  expect(getHref('RH-AAAAAA2')).toBe('/admin/site-manager?panel=orders&q=RH-AAAAAA2');
  expect(getHref('Invoice RH/26-27/000002, opens in a new tab')).toBe('/api/order/0b8c-2/invoice.pdf');
  expect(getHref('Credit note RC/26-27/000002, opens in a new tab')).toBe('/api/order/0b8c-4/credit-notes/2.pdf');
  expect(getHref('Invoice RH/26-27/000004, opens in a new tab')).toBe('/api/order/0b8c-4/invoice.pdf');
});

test('the invoices panel shows the same data as cards on a phone', async () => {
  open({ invoices: [invoice(1), creditNote(2), invoice(3, { placeOfSupplyAssumed: true })] });
  act(() => mediaThatHold());
  const link = await screen.findByRole('link', { name: /Invoice RH\S+1,/ });
  const card = within(link.closest('[data-row]') ?? expect.fail('no row'));
  expect(card.getByText('Ananya Mehta, Maharashtra')).toBeInstanceOf(HTMLElement);
  expect(card.getByText('21 Nov 2026 · ₹8,933.05 and ₹1,607.95 IGST')).toBeInstanceOf(HTMLElement);
  expect(card.queryByText('Credit note for')).toBeNull();
  expect(screen.getByText('23 Nov 2026 · −₹2,542.37 and −₹457.63 IGST')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(ASSUMED_PLACE).closest('p')?.textContent).toBe(`Ananya Mehta, Maharashtra${ASSUMED_PLACE}`);
});

const file = () => {
  const panel = within(screen.getByRole('region', { name: 'Invoices' }));
  return panel.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
};
const day = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(day(label), { target: { value } });

test('the days of the invoices are chosen one by one, and apply to list, file and summary', async () => {
  const { lastAsked } = open({ invoices: [invoice(1)] });
  await screen.findByRole('table');
  expect(file()).toBe('/api/admin/invoices.csv');
  type('First day', '2026-11-01');
  type('Last day', '2026-11-30');
  await waitFor(() => expect(lastAsked(LIST)).toEqual({ from: '2026-11-01', to: '2026-11-30' }));
  expect(file()).toBe('/api/admin/invoices.csv?from=2026-11-01&to=2026-11-30');
  await press('By state and rate');
  await waitFor(() => expect(lastAsked('/admin/invoices/summary')).toEqual({ from: '2026-11-01', to: '2026-11-30' }));
  type('Last day', '');
  await waitFor(() => expect(lastAsked('/admin/invoices/summary')).toEqual({ from: '2026-11-01' }));
});

test('the days of the invoices can be set to a month or a financial year with one click', async () => {
  const { lastAsked } = open({ invoices: [invoice(1)] });
  const now = dateInIndia(instant(new Date().toISOString()));
  const first = now.slice(5, 7) >= '04' ? Number(now.slice(0, 4)) : Number(now.slice(0, 4)) - 1;
  await press('This financial year');
  await waitFor(() => expect(lastAsked(LIST)).toEqual({ from: `${first}-04-01`, to: `${first + 1}-03-31` }));
  expect([day('First day').value, day('Last day').value]).toEqual([`${first}-04-01`, `${first + 1}-03-31`]);
  await press('Last financial year');
  await waitFor(() => expect(lastAsked(LIST)).toEqual({ from: `${first - 1}-04-01`, to: `${first}-03-31` }));
  await press('This month');
  await waitFor(() => expect(lastAsked(LIST)['from']).toBe(`${now.slice(0, 7)}-01`));
  expect(screen.getByRole('button', { name: 'This month' }).getAttribute('aria-pressed')).toBe('true');
  await press('All');
  await waitFor(() => expect(lastAsked(LIST)).toEqual({}));
});

test('the days of the invoices apply once the year is complete, and show an error in the wrong order', async () => {
  const { lastAsked } = open({ invoices: [invoice(1)] }, 'invoices&from=2026-11-10');
  await screen.findByRole('table');
  type('First day', '0202-11-10');
  expect(day('First day').value).toBe('0202-11-10');
  fireEvent.blur(day('First day'));
  expect(day('First day').value).toBe('2026-11-10');
  expect(lastAsked(LIST)).toEqual({ from: '2026-11-10' });
  type('Last day', '2026-11-09');
  expect(await screen.findByText('Before the first day')).toBeInstanceOf(HTMLElement);
  expect(lastAsked(LIST)).toEqual({ from: '2026-11-10' });
  expect(day('Last day').value).toBe('2026-11-09');
});

test('the days of the invoices are ignored when they are invalid, beside a search', async () => {
  const { lastAsked } = open({ invoices: [invoice(1)] }, 'invoices&from=2026-02-30&to=soon&q=000007');
  await screen.findByRole('table');
  expect(lastAsked(LIST)).toEqual({ q: '000007' });
});

const summary = [
  sums('Kerala', 18, { taxableValue: -100.1, igst: -18.02 }),
  sums('Uttar Pradesh', 18, { taxableValue: 500.2, cgst: 45.01, sgst: 45.02 }),
  sums('Uttar Pradesh', 5, { taxableValue: 0.1, sgst: 0.01 }),
];
const cellsOf = (row: HTMLElement) => getTexts([...row.querySelectorAll('th, td')]);

test('the summary for the tax return has a row for each state and rate, and the sums', async () => {
  const { router } = open({ taxed: summary });
  await press('By state and rate');
  await screen.findByRole('table', { name: 'Tax by state and rate' });
  expect(rows().map(cellsOf)).toEqual([
    ['Kerala', '18%', '−₹100.10', '₹0.00', '₹0.00', '−₹18.02'],
    ['Uttar Pradesh', '18%', '₹500.20', '₹45.01', '₹45.02', '₹0.00'],
    ['Uttar Pradesh', '5%', '₹0.10', '₹0.00', '₹0.01', '₹0.00'],
    ['All', '₹400.20', '₹45.01', '₹45.03', '−₹18.02'],
  ]);
  expect(screen.queryByRole('searchbox', { name: /Invoice/ })).toBeNull();
  expect(router.state.location.search).toBe('?panel=invoices&view=tax');
});

test('the summary for the tax return is shown as cards on a phone, the sums first', async () => {
  open({ taxed: summary }, 'invoices&view=tax');
  act(() => mediaThatHold());
  const panel = within(await screen.findByRole('region', { name: 'Invoices' }));
  const [all, kerala] = getTexts(await panel.findAllByRole('listitem'));
  expect(all).toBe('AllTaxable value₹400.20CGST₹45.01SGST₹45.03IGST−₹18.02');
  expect(kerala).toBe('Kerala · 18%Taxable value−₹100.10IGST−₹18.02');
});

test('the summary for the tax return shows when nothing was taxed, and when it could not be loaded', async () => {
  const { server } = open({ instead: at('/admin/invoices/summary', { status: 502, data: {} }) }, 'invoices&view=tax');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The summary could not be loaded');
  server.instead = () => undefined;
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Nothing was taxed' })).toBeInstanceOf(HTMLElement);
});
