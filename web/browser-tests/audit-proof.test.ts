import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtBoth } from './faults.ts';
import { auditor, openBrowserShop, type BrowserShop } from './harness.ts';
import { placeOrder } from './order-journeys.ts';
import { enter } from './customers.ts';

let shop: BrowserShop;
let page: Page;
let problems: readonly string[];
let number: string;

beforeAll(async () => {
  shop = await openBrowserShop();
  ({ number } = await placeOrder(shop));
  ({ page, problems } = await shop.visit('desktop'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, auditor);
}, 60_000);
afterAll(() => shop.close());

const heading = (name: string) => page.getByRole('heading', { name, exact: true });

test('an order shows in words that its hash chain is broken and that a table differs', async () => {
  const hashes = { stored: `e5d2048b${'0'.repeat(56)}`, recomputed: `90c1aaf3${'0'.repeat(56)}` };
  const difference = { model: 'my-orders', field: 'my_order_contents.contents.total', inLog: 4_071, inTable: 1 };
  const counts = { events: 2, savedHeads: 0, compared: 23, unlawful: [] };
  const verdict = { chain: 'broken', brokenAt: 1, fault: 'altered', hashes, readModel: 'differs', differences: [difference], ...counts };
  await page.route('**/verify', (route) => route.fulfill({ json: verdict }), { times: 1 });
  await page.goto(`/audit?order=${number}`);
  await page.getByText('Chain broken at revision 1').waitFor();
  await page.getByText('stored e5d2048b, recomputed 90c1aaf3').waitFor();
  await page.getByText('Read model differs').waitFor();
  await lookAtBoth(shop, page, 'audit-broken');
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByText('Chain intact').waitFor();
  expect(problems).toEqual([]);
});

test('an order links to its mail, to its cart and back, and to the prices at the time', async () => {
  const facts = page.getByRole('region', { name: 'Who and when' });
  await page.goto(`/audit?order=${number}&at=1`);
  const mail = async () => {
    await page.reload();
    await page.getByText('Chain intact').waitFor();
    return facts.getByRole('link', { name: /^Mail sent/ }).getAttribute('href', { timeout: 1_000 });
  };
  await expect.poll(() => mail().catch(() => null), { timeout: 20_000 }).toMatch(/^\/dev\/mailbox\?message=\d+$/);
  await page.getByRole('link', { name: 'The cart it was checked out from' }).click();
  await heading('One cart').waitFor();
  await page.getByRole('link', { name: 'The order', exact: true }).filter({ visible: true }).click();
  await page.getByText('Chain intact').waitFor();
  await page.getByRole('link', { name: /^Checked out/ }).click();
  await facts.getByRole('link', { name: 'Oud Saffron Majlis' }).click();
  await heading('What Oud Saffron Majlis cost').waitFor();
  await page.getByText('₹3,450.00, since').waitFor();
  await lookAtBoth(shop, page, 'audit-prices');
  expect(problems).toEqual([]);
});

test('the price of a perfume at a time can be looked up, and the books can be checked to the last row', async () => {
  await page.goto('/audit');
  await page.getByRole('button', { name: 'Check the books' }).click();
  await page.getByText('The orders of Site Manager: every row matches').waitFor();
  const prices = page.getByRole('region', { name: 'What a perfume cost' });
  await prices.getByRole('button', { name: 'Show' }).click();
  await prices.getByText('Pick a day and a time').waitFor();
  await lookAtBoth(shop, page, 'audit-whole');
  await prices.getByLabel('Perfume').fill('oud saffron');
  await prices.locator('option', { hasText: 'Oud Saffron Majlis' }).waitFor({ state: 'attached' });
  await prices.getByLabel('Perfume').fill('Oud Saffron Majlis');
  await prices.getByLabel('At (time in India)').fill('2001-01-01T00:00:00');
  await prices.getByRole('button', { name: 'Show' }).click();
  await page.getByText('the shop did not have it yet').waitFor();
  expect(problems).toEqual([]);
});
