import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, enter, moveOrder, PASSWORD, placeOrder, signUp } from './customers.ts';
import { lookAt } from './faults.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

const ADDRESS = { 'Address line 1': '14 Marine Drive', City: 'Kochi', 'Postal code': '682031' } as const;
const CONTACT = { Name: 'Meera Nair', Phone: '+91 98470 00000', Email: 'meera@example.com' } as const;

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const summary = (page: Page, name = 'Order Summary') => page.getByRole('complementary', { name });
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByRole('textbox', { name: label, exact: true }).fill(value);
  await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Kerala');
};

/** Fills the cart over the API, because `cart.test.ts` tests the pages for it, and goes to the checkout. */
const goToCheckout = async (page: Page, ...products: readonly string[]): Promise<void> => {
  for (const _id of products) await answered(await page.request.post('/api/cart/add-to-cart', { data: { _id } }));
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await title(page, 'Complete Your Order').waitFor();
};
const pay = async (page: Page): Promise<void> => {
  await button(page, 'Complete Payment').click();
  await title(page, 'Review Your Order').waitFor();
  await summary(page).waitFor();
};
const place = async (page: Page): Promise<void> => {
  await button(page, 'Place Order').click();
  await title(page, 'Order Confirmed').waitFor();
};
const numberOn = async (page: Page): Promise<string> =>
  (await page
    .getByText(/^RH-[2-9A-Z]{8}$/)
    .first()
    .textContent()) ?? '';

test('a visitor can buy, from the empty form to the confirmation', async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await goToCheckout(page, 'oud-saffron-majlis', 'mogra-at-dusk');
  await button(page, 'Complete Payment').click();
  await expect.poll(() => page.getByText('Required', { exact: true }).count()).toBe(7);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await lookAt(page, 'checkout-errors');

  await fill(page, { ...CONTACT, ...ADDRESS });
  await page.getByText('Gift wrap', { exact: true }).click();
  await page.getByRole('textbox', { name: /^Gift message/ }).fill('For Amma, who taught me what rain smells like.');
  await summary(page).getByText('₹6,647.00').waitFor();
  await pay(page);
  await page.getByText('For Amma, who taught me what rain smells like.').waitFor();

  await place(page);
  await expect.poll(() => numberOn(page)).toMatch(/^RH-/);
  await page.getByText('An e-mail was sent to meera@example.com').waitFor();
  await summary(page, 'Summary').getByText('₹6,647.00').waitFor();
  await page.getByRole('link', { name: 'Track your order' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('timeline');

  // The order is no longer in the cart, Back does not place it again, and a reload still shows it.
  await page.goto('/cart');
  await page.getByText('Your cart is empty, please click below button to continue shopping...').waitFor();
  await page.goBack();
  await title(page, 'Order Confirmed').waitFor();
  await page.reload();
  await title(page, 'Order Confirmed').waitFor();
  expect(problems).toEqual([]);
});

test('a visitor who signs in keeps cart and form, sees the order in My Orders, can cancel it, and keeps the address', async () => {
  const email = 'anita@example.com';
  const { page, problems } = await shop.open('phone', '/about');
  await signUp(shop, page, email);
  await page.context().clearCookies();

  await goToCheckout(page, 'ruh-gulab', 'oud-saffron-majlis', 'mogra-at-dusk');
  await fill(page, { ...CONTACT, ...ADDRESS });
  await button(page, 'Menu').click();
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await title(page, 'Welcome back').waitFor();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign In').click();
  await page.waitForURL(`${shop.url}/`);
  await goToCheckout(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  await pay(page);
  await page.getByRole('radio', { name: 'Prepaid' }).check({ force: true });
  await place(page);
  await page.getByText('Payment: Prepaid').waitFor();
  const number = await numberOn(page);

  await page.getByRole('link', { name: 'View Order History' }).click();
  await page.getByRole('heading', { level: 2, name: number }).waitFor();
  await page.getByText('+ 1 more items').waitFor();
  await page.getByText('Pending', { exact: true }).waitFor();

  await page.getByRole('link', { name: /^View Details →/ }).click();
  await button(page, 'Cancel order').click();
  await page.getByRole('dialog', { name: 'Cancel this order?' }).waitFor();
  await lookAt(page, 'cancel');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel order');
  await button(page, 'Cancel order').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await title(page, 'Order Cancelled').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Order Cancelled');

  await goToCheckout(page, 'ruh-gulab');
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  expect(problems).toEqual([]);
});

test('a delivered order can be returned by the rules of the policy', async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { _id } = await placeOrder(page);
  const desk = await shop.visit('desktop');
  await enter(desk.page, admin);
  await moveOrder(desk.page, { _id }, 'confirmed', 'shipped', 'delivered');
  await page.goto(`/order-confirmed/${_id}`);
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await button(page, 'Return order').click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not for me');
  await page.getByRole('dialog').getByText('Yes, at least one', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await page.getByRole('alert').getByText('You may return an unopened bottle within 14 days of delivery.').waitFor();
  await page.getByRole('dialog').getByText('No, all are sealed', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await title(page, 'Order Returned').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Order Returned');
  await page.getByRole('link', { name: /^Credit note RC/ }).waitFor();
  await lookAt(page, 'order-returned');
  expect(problems).toEqual([expect.stringContaining('status of 409 ')]);
});
