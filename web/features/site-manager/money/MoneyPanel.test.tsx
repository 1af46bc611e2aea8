import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { instant } from '#domain/shared/time.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { mediaThatHold } from '../../../testing/in-view.ts';
import { at, FakeLive, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { health, moneyRow } from '../testing/shop-data.ts';

const rows = () => screen.getAllByRole('row').slice(1);
const choose = async (list: string) => userEvent.click(await screen.findByRole('button', { name: list }));

test.each([
  ['Due', 'due', 'Nothing is due'],
  ['Paid today', 'paid_today', 'Nothing was paid today yet'],
  ['With couriers', 'with_couriers', 'No cash with couriers'],
  ['Refunds under way', 'refunding', 'No refunds under way'],
  ['Mismatches', 'mismatch', 'Everything adds up'],
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
  await choose('Paid today');
  await choose('All that are paid');
  await waitFor(() => expect(rows()).toHaveLength(1));
  const row = within(rows()[0] ?? expect.fail('no row'));
  for (const text of ['Paid', 'UPI', '21 Nov 2026, 12:00']) expect(row.getByText(text)).toBeInstanceOf(HTMLElement);
  expect(row.getAllByText('₹10,541.00')).toHaveLength(2);
  const order = row.getByRole('link', { name: 'RH-AAAAAAA2' });
  expect(order.getAttribute('href')).toBe('/admin/site-manager?panel=orders&q=RH-AAAAAAA2');
  expect(row.getByRole('link', { name: 'Events of RH-AAAAAAA2' }).getAttribute('href')).toBe('/audit?order=RH-AAAAAAA2');
});

test('the payments panel begins with the sums of its lists', async () => {
  const payments = {
    due: [moneyRow('RH-AAAAAAA2'), moneyRow('RH-BBBBBBB3')],
    mismatch: [moneyRow('RH-AAAAAAA2', { mismatch: 'Paid ₹1.00' })],
  };
  openSiteManager('money', { payments });
  await screen.findByRole('region', { name: 'Does not add up' });
  await waitFor(() =>
    expect([...screen.getByRole('group', { name: 'Sums' }).children].map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Due₹21,082\.002 orders, the oldest /),
      'Paid today₹0.000 orders',
      'With couriers₹0.000 orders',
      'Refunds under way₹0.000 refunds',
      'Mismatches10 without an order',
    ]),
  );
  expect(within(screen.getByRole('region', { name: 'Does not add up' })).getByText('Paid ₹1.00')).toBeInstanceOf(HTMLElement);
});

test('the payments panel shows what each courier owes, and books cash that arrived', async () => {
  const parcel = (courier: string, deliveredAt: string | null) => ({
    parcel: { courier, to: 'Anil, Nashik', deliveredAt: deliveredAt === null ? null : instant(deliveredAt) },
  });
  const withCouriers = [
    moneyRow('RH-AAAAAAA2', parcel('Delhivery', '2026-11-01T06:30:00.000Z')),
    moneyRow('RH-BBBBBBB3', parcel('Blue Dart', null)),
    moneyRow('RH-CCCCCCC4', parcel('delhivery ', null)),
  ];
  const { server, asked } = openSiteManager('money', { payments: { with_couriers: withCouriers } });
  await choose('With couriers');
  const list = within(await screen.findByRole('region', { name: 'With couriers' }));
  await waitFor(() => expect(getTexts(list.getAllByRole('rowheader'))).toEqual(['Delhivery3 orders', 'Blue Dart']));
  expect(getTexts(list.getAllByRole('row').slice(1))).toEqual([
    'Delhivery3 orders₹31,623.00',
    expect.stringMatching(/^RH-AAAAAAA2Anil, NashikDelivered 1 Nov\d+ days₹10,541.00Cash arrived$/),
    'RH-CCCCCCC4Anil, NashikOn its way₹10,541.00',
    'Blue Dart',
    'RH-BBBBBBB3Anil, NashikOn its way₹10,541.00',
  ]);
  server.instead = toCommands({ data: {} });
  await userEvent.click(list.getByRole('button', { name: 'Cash arrived of RH-AAAAAAA2' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Book ₹/ }));
  await waitFor(() => expect(asked.findLast(({ body }) => body !== undefined)?.body).toEqual({ amount: 10_541 }));
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
  const none = within(
    screen.getAllByRole('listitem').find(({ textContent }) => textContent?.startsWith('No order')) ?? expect.fail('no row'),
  );
  expect(none.getByText('No order')).toBeInstanceOf(HTMLElement);
  expect(none.getByRole('link', { name: 'Events of all payments' }).getAttribute('href')).toBe('/audit?category=payment');
});

test('the sidebar counts what does not add up, and refunds whose transfer has no reference', async () => {
  const next = at('/admin/orders/next', { data: { confirm: 0, pack: 0, ship: 0, refund: 2 } });
  openSiteManager('', { payments: { mismatch: [moneyRow('RH-AAAAAAA2', { mismatch: 'Paid ₹1.00' })] }, instead: next });
  expect(await screen.findByRole('link', { name: 'Money 2 refunds to name 1 mismatch' })).toBeInstanceOf(HTMLElement);
});

test('the payments panel shows the same data as cards on a phone', async () => {
  openSiteManager('money', { payments: { due: [moneyRow('RH-AAAAAAA2')] } });
  act(() => mediaThatHold());
  await userEvent.click(await screen.findByRole('link', { name: 'Money' }));
  const card = within((await screen.findByRole('link', { name: 'RH-AAAAAAA2' })).closest('[data-row]') ?? expect.fail('no row'));
  expect(card.getByText('Not paid yet')).toBeInstanceOf(HTMLElement);
  expect(card.getByText('₹0.00 received · 21 Nov 2026, 12:00')).toBeInstanceOf(HTMLElement);
});

test('the payments panel offers a file with all payments, and shows when the payment gateway does not answer', async () => {
  openSiteManager('money', { health: { ...health, isGatewayAvailable: false } });
  const panel = within(await screen.findByRole('region', { name: 'Money' }));
  expect(await panel.findByText(/payment gateway does not answer/)).toBeInstanceOf(HTMLElement);
  expect(panel.getByRole('link', { name: 'Download all payments as CSV' }).getAttribute('href')).toBe('/api/admin/payments.csv');
});
