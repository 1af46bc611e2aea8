import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { instant } from '#domain/shared/time.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { FakeLive, openSiteManager } from '../testing/open-site-manager.tsx';
import { health, moneyRow } from '../testing/shop-data.ts';

const rows = () => screen.getAllByRole('row').slice(1);
const choose = async (list: string) => userEvent.click(await screen.findByRole('button', { name: list }));

test.each([
  ['Due', 'due', 'Nothing is due'],
  ['Paid', 'paid', 'Nothing is paid yet'],
  ['With couriers', 'with_couriers', 'No cash with couriers'],
  ['Refunds under way', 'refunding', 'No refunds under way'],
  ['Mismatches', 'mismatch', 'No mismatches'],
] as const)('the payments panel has the list %s, which shows a message when it is empty', async (name, status, sentence) => {
  const { server, asked } = openSiteManager('money', { payments: { [status]: [moneyRow('RH-AAAAAAA2')] } });
  await choose(name);
  expect(await screen.findByRole('link', { name: 'RH-AAAAAAA2' })).toBeInstanceOf(HTMLElement);
  expect(asked.some(({ url, params }) => url === '/admin/payments' && params['status'] === status)).toBe(true);
  server.payments = {};
  act(() => FakeLive.latest?.push('orders'));
  expect(await screen.findByRole('heading', { name: sentence })).toBeInstanceOf(HTMLElement);
});

test("the payments panel shows a payment's amount, method and time, and links to its order and its events", async () => {
  const paid = moneyRow('RH-AAAAAAA2', { status: 'paid', received: 10_541, method: 'upi' });
  openSiteManager('money', { payments: { paid: [paid] } });
  await choose('Paid');
  await waitFor(() => expect(rows()).toHaveLength(1));
  const row = within(rows()[0] ?? expect.fail('no row'));
  for (const text of ['Paid', 'UPI', '21 Nov 2026, 12:00']) expect(row.getByText(text)).toBeInstanceOf(HTMLElement);
  expect(row.getAllByText('₹10,541.00')).toHaveLength(2);
  const order = row.getByRole('link', { name: 'RH-AAAAAAA2' });
  expect(order.getAttribute('href')).toBe('/admin/site-manager?panel=orders&q=RH-AAAAAAA2');
  expect(row.getByRole('link', { name: 'Events of RH-AAAAAAA2' }).getAttribute('href')).toBe('/audit?order=RH-AAAAAAA2');
});

test('the payments panel shows what couriers owe in all', async () => {
  openSiteManager('money', { payments: { with_couriers: [moneyRow('RH-AAAAAAA2'), moneyRow('RH-BBBBBBB3')] } });
  await choose('With couriers');
  expect((await screen.findByText(/Couriers owe/)).textContent).toBe('Couriers owe ₹21,082.00 in all.');
  await choose('Due');
  expect(screen.queryByText(/Couriers owe/)).toBeNull();
});

test('the payments panel shows mismatches, also of payments without an order', async () => {
  const mismatch = '₹500.00 came for no order of this shop';
  const ofNone = (at: string) =>
    moneyRow('RH-BBBBBBB3', { orderId: null, orderNumber: null, status: 'mismatch', received: 500, at: instant(at), mismatch });
  const short = moneyRow('RH-AAAAAAA2', { received: 10_000, mismatch: 'Paid ₹10,000.00 of ₹10,541.00' });
  openSiteManager('money', { payments: { mismatch: [short, ofNone('2026-11-21T06:30:00.000Z'), ofNone('2026-11-21T06:31:00.000Z')] } });
  await choose('Mismatches');
  expect(await screen.findByText('Paid ₹10,000.00 of ₹10,541.00')).toBeInstanceOf(HTMLElement);
  expect(screen.getAllByText(mismatch)).toHaveLength(2);
  const none = within(rows()[1] ?? expect.fail('no row'));
  expect(none.getByText('No order')).toBeInstanceOf(HTMLElement);
  expect(none.getByRole('link', { name: 'Events of all payments' }).getAttribute('href')).toBe('/audit?category=payment');
});

test('the payments panel shows the same data as cards on a phone', async () => {
  openSiteManager('money', { payments: { due: [moneyRow('RH-AAAAAAA2')] } });
  act(() => mediaThatHold());
  await choose('Money');
  const card = within((await screen.findByRole('link', { name: 'RH-AAAAAAA2' })).closest('[data-row]') ?? expect.fail('no row'));
  expect(card.getByText('Not paid yet')).toBeInstanceOf(HTMLElement);
  expect(card.getByText('₹0.00 received · 21 Nov 2026, 12:00')).toBeInstanceOf(HTMLElement);
});

test('the payments panel offers a file with all payments, and shows when the payment gateway does not answer', async () => {
  openSiteManager('money', { health: { ...health, isGatewayAvailable: false } });
  const panel = within(await screen.findByRole('region', { name: 'Money' }));
  expect(await panel.findByText(/payment gateway does not answer/)).toBeInstanceOf(HTMLElement);
  expect(panel.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe('/api/admin/payments.csv');
});
