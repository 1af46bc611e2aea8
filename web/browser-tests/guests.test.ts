import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { linkMailedTo, mailTo, placeOrder } from './customers.ts';
import { lookAt } from './faults.ts';
import { findTitle } from './find.ts';
import { shop, type Screen } from './harness.ts';

const secondDevice = async (screen: Screen) => {
  const visit = await shop.visit(screen, 'newcomer');
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  return visit;
};

test('a guest pays on a second device, from the mail to paid, without the link in address bar, history or any request after', async () => {
  const email = 'farah.q@example.com';
  const { page: laptop } = await shop.visit('desktop');
  const { _id } = await placeOrder(laptop, { method: 'Prepaid', shipping: { email } });
  const link = await linkMailedTo(shop, email, '/order/', /is placed$/);

  const { page, problems } = await secondDevice('phone');
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  await page.goto('/about');
  await page.goto(link);
  await page.getByRole('button', { name: /^Pay ₹/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/order-confirmed/${_id}`);
  await lookAt(page, 'guest-order');
  await page.getByRole('button', { name: /^Pay ₹/ }).click();
  await page.getByRole('button', { name: 'Pay by UPI' }).click();
  await page
    .getByText(/^Paid ₹[\d,.]+ by UPI on /)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'Erase my personal data' }).count()).toBe(0);
  const referrers = await Promise.all(requests.map((request) => request.headerValue('referer')));
  expect(referrers).toContain(`${shop.url}/about`);
  expect(referrers.filter((referrer) => referrer?.includes('/order/'))).toEqual([]);
  // The link is not in the history: Back leads past it.
  await page.goto('/shop');
  await page.goBack();
  await findTitle(page, 'Order Confirmed').waitFor();
  expect(problems).toEqual([]);
});

test('a guest finds the order by number and e-mail, and opens it with the mailed link', async () => {
  const email = 'noor.b@example.com';
  const { page: laptop } = await shop.visit('desktop');
  const { _id, orderNumber } = await placeOrder(laptop, { shipping: { email } });
  await mailTo(shop, email, /is placed$/);

  const { page, problems } = await secondDevice('desktop');
  await page.goto('/signin');
  await page.getByRole('main').getByRole('link', { name: 'Find your order' }).click();
  await findTitle(page, 'Find your order').waitFor();
  await lookAt(page, 'find-order');
  await page.getByRole('textbox', { name: 'Order number' }).fill(orderNumber);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.keyboard.press('Enter');
  await findTitle(page, 'Look into your mail').waitFor();
  await lookAt(page, 'find-order-sent');
  const link = await linkMailedTo(shop, email, '/order/', /opens here$/);
  await page.goto(link);
  await page.getByText(orderNumber).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/order-confirmed/${_id}`);
  expect(problems).toEqual([]);
});

test('a link with a letter changed opens nothing, and leads to a new one', async () => {
  const { page } = await secondDevice('phone');
  await page.goto(`/order/${'A'.repeat(48)}`);
  await findTitle(page, 'This link opens no order').waitFor();
  await lookAt(page, 'guest-bad-link');
  await page.getByRole('main').getByRole('link', { name: 'Find your order' }).click();
  await findTitle(page, 'Find your order').waitFor();
});
