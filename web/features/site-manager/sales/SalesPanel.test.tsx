import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { at, openSiteManager } from '../testing/open-site-manager.tsx';
import { getTexts } from '../../../testing/interactions.ts';
import { axisText, ticksUpTo } from './scale.ts';

const chart = () => screen.findByRole('slider', { name: 'Daily sales and orders, day by day' });
const told = async () => (await chart()).getAttribute('aria-valuetext');

test('the sales summary shows the totals of the shop and of the period', async () => {
  openSiteManager('sales');
  await chart();
  const sums = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(sums).toEqual([
    'Total sales₹61,48,310.40ever',
    'Last month sales₹5,21,940.2030 times 24 hours',
    'Sales in 30 days₹4,35,217.50₹2,17,608.75 before+100.0%',
    'Average order₹4,788.44₹4,755.29 before+0.7%',
    'Orders in 30 days435435 before+0.0%',
    'Came back in 30 days₹8,083.00₹6,962.00 before+16.1%',
  ]);
  const bestsellers = within(screen.getByRole('region', { name: 'Best sellers' }));
  expect(getTexts(bestsellers.getAllByRole('listitem'))).toEqual(['Mogra at Dusk41 bottles, 36 before₹88,150.00']);
});

test('the sales summary shows neither an average nor bestsellers before the first sale', async () => {
  const days = [{ day: '2026-11-21', orders: 0, sales: 0 }];
  const none = { days, daysBefore: days, average: null, averageBefore: null, cameBack: 0, cameBackBefore: 0, bestsellers: [] };
  openSiteManager('sales', { instead: at('/admin/sales', { data: none }) });
  expect(await screen.findByText('None yet')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Nothing was sold in these days.')).toBeInstanceOf(HTMLElement);
});

test('the sales summary has a chart whose arrow keys select a day, which is described in words', async () => {
  openSiteManager('sales');
  expect(await told()).toBe('21 Nov: ₹29,014.50, 29 orders, ₹14,507.25 on 22 Oct');
  fireEvent.keyDown(await chart(), { key: 'ArrowLeft' });
  expect(await told()).toMatch(/^20 Nov: ₹28,014.00, 28 orders/);
  fireEvent.keyDown(await chart(), { key: 'Home' });
  expect(await told()).toBe('23 Oct: ₹0.00, 0 orders, ₹0.00 on 23 Sep');
  fireEvent.keyDown(await chart(), { key: 'ArrowLeft' });
  expect(await told()).toBe('23 Oct: ₹0.00, 0 orders, ₹0.00 on 23 Sep');
  fireEvent.keyDown(await chart(), { key: 'ArrowRight' });
  expect(await told()).toMatch(/^24 Oct: ₹1,000.50, 1 order,/);
  fireEvent.keyDown(await chart(), { key: 'PageUp' });
  expect(await told()).toMatch(/^31 Oct: /);
  fireEvent.keyDown(await chart(), { key: 'PageDown' });
  expect(await told()).toMatch(/^24 Oct: /);
});

test.each([90, 365])('the sales summary can cover the last %d days', async (days) => {
  openSiteManager('sales');
  await userEvent.click(await screen.findByRole('button', { name: `${days} days` }));
  expect(await screen.findByText(`Orders in ${days} days`)).toBeInstanceOf(HTMLElement);
  expect((await chart()).getAttribute('aria-valuemax')).toBe(String(days - 1));
});

test('the URL names the period and the view of the sales summary', async () => {
  const { router, view } = openSiteManager('sales');
  await userEvent.click(await screen.findByRole('button', { name: '90 days' }));
  await chart();
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  expect(router.state.location.search).toBe('?panel=sales&days=90&view=table');
  view.unmount();
  openSiteManager('sales&days=90&view=table');
  await screen.findByText('Orders in 90 days');
  expect(await screen.findAllByRole('row')).toHaveLength(91);
  await userEvent.click(screen.getByRole('button', { name: 'Chart' }));
  await chart();
});

test('the sales summary shows the same figures as a table, newest day first', async () => {
  openSiteManager('sales');
  await chart();
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows).toHaveLength(31);
  expect(rows.slice(0, 2)).toEqual(['DayOrdersSalesBefore', '21 Nov 202629₹29,014.50₹14,507.25']);
});

test.each([
  [45_814, [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
  [50_000, [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
  [7, [0, 2, 4, 6, 8]],
  [1, [0, 1]],
  [0, [0, 1]],
])('the axis of the chart has round tick values up to %d', (largest, ticks) => expect(ticksUpTo(largest)).toEqual(ticks));
test.each([
  [0, '0'],
  [500, '₹500'],
  [2500, '₹2.5k'],
  [200_000, '₹2L'],
  [15_000_000, '₹1.5Cr'],
])('the axis of the chart writes %d as %s', (rupees, text) => expect(axisText(rupees)).toBe(text));
