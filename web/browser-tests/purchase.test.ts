import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, enter, moveOrder, receiveReturn, PASSWORD, placeOrder, signUp } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton, findTitle } from './find.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

const ADDRESS = { 'Address line 1': '14 Marine Drive', City: 'Kochi', 'Postal code': '682031' } as const;
const CONTACT = { Name: 'Meera Nair', Phone: '+91 98470 00000', Email: 'meera@example.com' } as const;

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
  await findTitle(page, 'Complete Your Order').waitFor();
};
const pay = async (page: Page): Promise<void> => {
  await findButton(page, 'Complete Payment').click();
  await findTitle(page, 'Review Your Order').waitFor();
  await summary(page).waitFor();
};
const place = async (page: Page, then = 'Order Confirmed'): Promise<void> => {
  await findButton(page, 'Place Order').click();
  await findTitle(page, then).waitFor();
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
  await findButton(page, 'Complete Payment').click();
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
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('steps');

  // The order is no longer in the cart, Back does not place it again, and a reload still shows it.
  await page.goto('/cart');
  await page.getByText('Your cart is empty, please click below button to continue shopping...').waitFor();
  await page.goBack();
  await findTitle(page, 'Order Confirmed').waitFor();
  await page.reload();
  await findTitle(page, 'Order Confirmed').waitFor();
  expect(problems).toEqual([]);
});

test('a visitor who signs in keeps cart and form, sees the order in My Orders, can cancel it, and keeps the address', async () => {
  const email = 'anita@example.com';
  const { page, problems } = await shop.open('phone', '/about');
  await signUp(shop, page, email);
  await page.context().clearCookies();

  await goToCheckout(page, 'ruh-gulab', 'oud-saffron-majlis', 'mogra-at-dusk');
  await fill(page, { ...CONTACT, ...ADDRESS });
  await findButton(page, 'Menu').click();
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await findTitle(page, 'Welcome back').waitFor();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await findButton(page, 'Sign In').click();
  await page.waitForURL(`${shop.url}/`);
  await goToCheckout(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  await pay(page);
  await page.getByRole('radio', { name: 'Prepaid' }).check({ force: true });
  await place(page, 'One step left');
  await page.getByText('Payment: Prepaid').waitFor();
  const number = await numberOn(page);

  await page.getByRole('link', { name: 'View Order History' }).click();
  await page.getByRole('heading', { level: 2, name: number }).waitFor();
  await page.getByText('+ 1 more items').waitFor();
  await page.getByText('Pending', { exact: true }).waitFor();

  await page.getByRole('link', { name: /^View Details →/ }).click();
  await findButton(page, 'Cancel order').click();
  await page.getByRole('dialog', { name: 'Cancel this order?' }).waitFor();
  await lookAt(page, 'cancel');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel order');
  await findButton(page, 'Cancel order').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await findTitle(page, 'Cancelled').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancelled');

  await goToCheckout(page, 'ruh-gulab');
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  expect(problems).toEqual([]);
});

test('an open page follows its order, which is bought again in one click, and returned by the rules of the policy', async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { _id } = await placeOrder(page);
  const desk = await shop.visit('desktop');
  await enter(desk.page, admin);
  await page.goto(`/order-confirmed/${_id}`);
  await findTitle(page, 'Order Confirmed').waitFor();
  // The open page moves by itself.
  for (const [status, then] of [
    ['confirmed', 'Being packed'],
    ['shipped', 'On its way'],
    ['delivered', 'Delivered'],
  ] as const) {
    await moveOrder(desk.page, { _id }, status);
    await findTitle(page, then).waitFor();
  }
  await lookAt(page, 'order-delivered');

  let clicks = 0;
  await page.exposeFunction('clicked', () => (clicks += 1));
  await page.evaluate(() => addEventListener('click', () => void Reflect.get(globalThis, 'clicked')(), true));
  await page.getByRole('button', { name: /^Buy again/ }).click();
  await page.getByText('1 perfume is in your cart.').waitFor();
  await page.getByRole('link', { name: 'Cart, 2 items' }).first().waitFor();
  expect(clicks).toBe(1);

  await findButton(page, 'Return order').click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('2');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not for me');
  await page.getByRole('dialog').getByText('Yes, at least one', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await page.getByRole('alert').getByText('You may return an unopened bottle within 14 days of delivery.').waitFor();
  await page.getByRole('dialog').getByText('No, all are sealed', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await findTitle(page, 'We have your wish').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('We have your wish');
  await receiveReturn(desk.page, { _id });
  await findTitle(page, 'Your return has come').waitFor();
  await page.getByRole('link', { name: /^Credit note RC/ }).waitFor();
  await lookAt(page, 'order-returned');
  expect(problems).toEqual([expect.stringContaining('status of 409 ')]);
});
