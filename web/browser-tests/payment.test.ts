import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtBoth } from './faults.ts';
import { home, openBrowserShop, type BrowserShop } from './harness.ts';
import { call, getCookies } from './order-journeys.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const PAY = /^Pay ₹[\d,.]+ for order/;
const payButton = (page: Page) => page.getByRole('button', { name: PAY });
const said = (page: Page, text: RegExp | string) => page.getByRole('region', { name: 'Payment' }).getByText(text).waitFor();
const gatewayPage = (page: Page) => page.getByRole('heading', { level: 1, name: /^Pay for order RH-/ }).waitFor();

const placePrepaid = async (page: Page): Promise<string> => {
  const product: unknown = await (await fetch(`${shop.url}/api/product/oud-saffron-majlis`)).json();
  const cookie = getCookies(await call(shop, '/cart/add-to-cart', 'POST', '', product));
  const form = { shipping: home, giftWrap: false, giftMessage: '' };
  const created: { order: { _id: string } } = await (await call(shop, '/order/create-order', 'POST', cookie, form)).json();
  const id = created.order._id;
  await call(shop, `/order/place-order/${id}`, 'PUT', cookie, { method: 'Prepaid' });
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url: shop.url };
  });
  await page.context().addCookies(cookies);
  return `/order-confirmed/${id}`;
};

test.each([
  ['phone', 'UPI'],
  ['desktop', 'card'],
] as const)('on a %s a visitor can pay by %s, and sees on return that the order is paid', async (screen, method) => {
  const { page, problems } = await shop.open(screen, '/');
  await page.goto(await placePrepaid(page));
  await said(page, /not yet confirmed by the bank/);
  await lookAtBoth(shop, page, `payment-due-${method}`, { narrow: true });
  await payButton(page).click();
  await gatewayPage(page);
  await page.getByRole('button', { name: `Pay by ${method}` }).click();
  await said(page, new RegExp(`^Paid ₹[\\d,.]+ by ${method} on `));
  expect(await payButton(page).count()).toBe(0);
  await lookAtBoth(shop, page, `payment-paid-${method}`, { narrow: true });

  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByText('The money that you paid goes back the way it came.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('heading', { level: 1, name: 'Order Cancelled' }).waitFor();
  await page.getByRole('region', { name: 'Payment' }).getByText('The order was cancelled').waitFor();
  expect(problems).toEqual([]);
});

const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  for (let step = 0; step < 60 && !name.test(await focused()); step++) await page.keyboard.press('Tab');
  expect(await focused()).toMatch(name);
};

test.each(['phone', 'desktop'] as const)('by keyboard on a %s, a failed payment is shown and the next one succeeds', async (screen) => {
  const { page, problems } = await shop.open(screen, '/');
  await page.goto(await placePrepaid(page));
  await said(page, /not yet confirmed by the bank/);
  await tabTo(page, PAY);
  await page.keyboard.press('Enter');
  await gatewayPage(page);
  await tabTo(page, /^Fail the payment$/);
  await page.keyboard.press('Enter');
  await page.getByText('The payment failed. Nothing was taken.').waitFor();
  await tabTo(page, /^Back to the shop without paying$/);
  await page.keyboard.press('Enter');
  await said(page, /^Your payment did not go through: ./);
  await lookAtBoth(shop, page, 'payment-failed', { narrow: true });
  await tabTo(page, PAY);
  await page.keyboard.press('Enter');
  await gatewayPage(page);
  await tabTo(page, /^Pay by card$/);
  await page.keyboard.press('Enter');
  await said(page, /^Paid ₹[\d,.]+ by card on /);
  expect(problems).toEqual([]);
});

test('payment parameters in the URL are ignored', async () => {
  const { page, problems } = await shop.open('desktop', '/');
  await page.goto(`${await placePrepaid(page)}?razorpay_payment_link_status=paid&razorpay_signature=0f`);
  await said(page, /not yet confirmed by the bank/);
  await payButton(page).waitFor();
  expect(problems).toEqual([]);
});
