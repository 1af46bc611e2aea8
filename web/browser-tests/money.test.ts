import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { enter, payOrder, placeOrder } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton } from './find.ts';
import { shop } from './harness.ts';
import { admin, auditor } from './servers.ts';

const DESK = '/admin/site-manager?panel=money';
const openAs = async (person: typeof admin | typeof auditor, address: string): Promise<Page> => {
  const { page } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('desk-orders-view', 'cards'));
  await enter(page, person);
  await page.goto(address);
  return page;
};
const link = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('link', { name, exact: true }).filter({ visible: true });
const openAmounts = async (within: Page | Locator): Promise<void> => {
  await within.locator('summary', { hasText: /^How the amounts/ }).click();
  for (const name of ['Subtotal', 'Paid']) await within.locator('summary', { hasText: new RegExp(`^${name}`) }).click();
};

test('a prepaid order is listed as due, paid and then refunding; its amounts link to their events in the audit', async () => {
  const { page: shopper } = await shop.visit('phone');
  const order = await placeOrder(shopper, { method: 'Prepaid' });
  const number = order.orderNumber;
  const page = await openAs(admin, DESK);
  await link(page, number).waitFor();
  await lookAt(page, 'money-due');

  await payOrder(shopper, order);
  // The server announces the change to the page.
  await expect.poll(() => link(page, number).count()).toBe(0);
  await findButton(page, 'Paid today').click();
  await link(page, number).click();
  await findButton(page, `Refund ${number}`).click();
  const dialog = page.getByRole('dialog', { name: `Refund: ${number}` });
  await dialog.getByLabel('Amount in rupees').fill('99999');
  await dialog.getByLabel('Reason').fill('A broken bottle');
  await findButton(dialog, 'Refund ₹99,999.00').click();
  await dialog.getByText('More than was paid').waitFor();
  await lookAt(page, 'money-refund', 'dialog');
  await dialog.getByLabel('Amount in rupees').fill('100');
  await findButton(dialog, 'Refund ₹100.00').click();
  await page.getByText(/Partly refunded · .* · ₹100\.00 refunded/).waitFor();

  const card = page.getByRole('article', { name: `Order ${number}` });
  await openAmounts(card);
  await link(card, 'The checkout').waitFor();
  await link(card, 'The payment that the gateway took').waitFor();
  await lookAt(page, 'explain-desk');

  const books = await openAs(auditor, `/audit?order=${number}`);
  await openAmounts(books);
  await lookAt(books, 'explain-audit');
  await link(books, 'OrderCreated, revision 0').click();
  await expect.poll(() => books.url()).toContain('at=0');
  await expect.poll(() => books.evaluate(() => document.activeElement?.id)).toBe('event-0');
  await link(books, 'Events of its payment').click();
  await books.getByRole('heading', { name: 'One payment' }).waitFor();
  await books.getByText('₹100.00: A broken bottle').filter({ visible: true }).first().waitFor();
});
