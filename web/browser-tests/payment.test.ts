import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { placeOrder } from './customers.ts';
import { lookAt } from './faults.ts';
import { shop, type Screen } from './harness.ts';

const payButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay ₹[\d,.]+ for order/ });
const said = (page: Page, text: RegExp | string) => page.getByText(text).first().waitFor();
const gatewayPage = (page: Page) => page.getByRole('heading', { level: 1, name: /^Pay for order RH-/ }).waitFor();

const openOrder = async (screen: Screen, query = '') => {
  const visit = await shop.visit(screen);
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  const { _id } = await placeOrder(visit.page, { method: 'Prepaid' });
  await visit.page.goto(`/order-confirmed/${_id}${query}`);
  await said(visit.page, /not yet confirmed by the bank/);
  return visit;
};

test('a visitor pays, sees on return that the order is paid, and may cancel it; the URL alone pays nothing', async () => {
  const { page, problems } = await openOrder('phone', '?razorpay_payment_link_status=paid&razorpay_signature=0f');
  await lookAt(page, 'payment-due');
  await payButton(page).click();
  await gatewayPage(page);
  await page.getByRole('button', { name: 'Pay by UPI' }).click();
  await said(page, /^Paid ₹[\d,.]+ by UPI on /);
  expect(await payButton(page).count()).toBe(0);

  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByText(/^₹[\d,.]+ goes back the way it came/).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cancel and refund ₹/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Cancelled' }).waitFor();
  await page.getByRole('region', { name: 'Payment' }).getByText('The order was cancelled').waitFor();
  expect(problems).toEqual([]);
});

const tabTo = async (page: Page, control: Locator): Promise<void> => {
  await control.waitFor();
  const isFocused = () => control.evaluate((each) => each === document.activeElement);
  for (let step = 0; step < 60 && !(await isFocused()); step++) await page.keyboard.press('Tab');
  expect(await isFocused()).toBe(true);
};

test('by keyboard, a failed payment is shown and the next one succeeds', async () => {
  const { page, problems } = await openOrder('desktop');
  const press = async (control: Locator): Promise<void> => {
    await tabTo(page, control);
    await page.keyboard.press('Enter');
  };
  await press(payButton(page));
  await gatewayPage(page);
  await press(page.getByRole('button', { name: 'Fail the payment' }));
  await page.getByText('The payment failed. Nothing was taken.').waitFor();
  await press(page.getByText('Back to the shop without paying'));
  await said(page, /^Your payment did not go through: ./);
  await lookAt(page, 'payment-failed');
  await press(payButton(page));
  await gatewayPage(page);
  await press(page.getByRole('button', { name: 'Pay by card' }));
  await said(page, /^Paid ₹[\d,.]+ by card on /);
  expect(problems).toEqual([]);
});

const opener = (within: Page): Locator => within.locator('summary', { hasText: /^How the amounts/ });
const amount = (within: Page, name: string): Locator => within.locator('summary', { hasText: new RegExp(`^${name}`) });

test('the amounts of an order open by keyboard to show formula and events, which are fetched only then', async () => {
  const { page, problems } = await shop.visit('phone');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { _id } = await placeOrder(page, { products: { 'ruh-gulab': 2, 'oud-saffron-majlis': 1 }, giftMessage: 'For Amma' });
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/explain') && asked.push(request.url()));
  await page.goto(`/order-confirmed/${_id}`);
  await opener(page).waitFor();
  expect(asked).toEqual([]);
  await tabTo(page, opener(page));
  await page.keyboard.press('Enter');
  await tabTo(page, amount(page, 'Total'));
  expect(asked).toHaveLength(1);
  await page.keyboard.press('Enter');
  await page.getByText('Subtotal + tax + gift wrap').waitFor();
  await page.getByText('From your checkout').filter({ visible: true }).waitFor();
  for (const name of ['Subtotal', 'Tax', 'Gift wrap']) await amount(page, name).click();
  await lookAt(page, 'explain-order');
  expect(problems).toEqual([]);
});
