import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt, lookAtBoth } from './faults.ts';
import { admin, openBrowserShop, type BrowserShop } from './harness.ts';
import { PASSWORD, signUp } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const ADDRESS = {
  'Address line 1': '14 Marine Drive',
  City: 'Kochi',
  State: 'Kerala',
  'Postal code': '682031',
  Country: 'India',
} as const;
const CONTACT = { Name: 'Meera Nair', Phone: '+91 98470 00000', Email: 'meera@example.com' } as const;

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const summary = (page: Page, name = 'Order Summary') => page.getByRole('complementary', { name });
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByRole('textbox', { name: label, exact: true }).fill(value);
};

/** Adds the products on their pages, waits until the server has confirmed them, and opens the checkout. */
const fillCart = async (page: Page, ...products: readonly string[]): Promise<void> => {
  for (const product of products) {
    await page.goto(`/product/${product}`);
    const answered = page.waitForResponse((response) => response.url().endsWith('/cart/add-to-cart') && response.ok());
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click();
    await answered;
  }
};
const goToCheckout = async (page: Page): Promise<void> => {
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
const orderIdOn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

const logIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign In').click();
};

type Change = (path: string, body: object) => Promise<void>;

/** Signs in as staff, and returns a function that makes their API calls. */
const enterDesk = async (): Promise<Change> => {
  const headers = { 'Content-Type': 'application/json' };
  const entered = await fetch(`${shop.url}/api/user/login`, { method: 'POST', headers, body: JSON.stringify(admin) });
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return async (path, body) => {
    const call = { method: 'PUT', headers: { ...headers, cookie }, body: JSON.stringify(body) };
    expect((await fetch(`${shop.url}/api${path}`, call)).status).toBe(200);
  };
};
const deliver = async (id: string): Promise<void> => {
  const change = await enterDesk();
  for (const status of ['confirmed', 'shipped', 'delivered']) await change(`/admin/order/${id}/status`, { status });
};

const refusal = (status: number) => expect.stringContaining(`status of ${status} `);

test.each(['phone', 'desktop'] as const)('a visitor on a %s can buy, from the empty form to the confirmation', async (screen) => {
  const { page, problems } = await shop.open(screen, '/');
  await fillCart(page, 'oud-saffron-majlis', 'mogra-at-dusk');
  await goToCheckout(page);
  await lookAt(shop, page, `checkout-${screen}`, { narrow: true });

  await button(page, 'Complete Payment').click();
  await expect.poll(() => page.getByText('Required', { exact: true }).count()).toBe(8);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await lookAt(shop, page, `checkout-errors-${screen}`, { narrow: true });

  await fill(page, { ...CONTACT, ...ADDRESS });
  await page.getByText('Gift wrap', { exact: true }).click();
  await page.getByRole('textbox', { name: /^Gift message/ }).fill('For Amma, who taught me what rain smells like.');
  await summary(page).getByText('₹6,647.00').waitFor();
  await pay(page);
  await lookAt(shop, page, `review-order-${screen}`, { narrow: true });
  await page.getByText('For Amma, who taught me what rain smells like.').waitFor();

  await place(page);
  await expect.poll(() => numberOn(page)).toMatch(/^RH-/);
  await page.getByText('An e-mail was sent to meera@example.com').waitFor();
  await summary(page, 'Summary').getByText('₹6,647.00').waitFor();
  await lookAt(shop, page, `order-confirmed-${screen}`, { narrow: true });
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

test('a user gets the form filled in, sees the order in My Orders, can cancel it, and keeps the address', async () => {
  const email = 'kavya@example.com';
  const { page, problems } = await shop.open('desktop', '/');
  await signUp(shop, page, email);
  await page.goto('/viewAllOrders');
  await page.getByText('You haven’t placed any orders yet.').waitFor();
  await lookAtBoth(shop, page, 'my-orders-empty', { narrow: true });

  await fillCart(page, 'ruh-gulab', 'oud-saffron-majlis', 'mogra-at-dusk');
  await goToCheckout(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'Email', exact: true }).inputValue()).toBe(email);
  await fill(page, ADDRESS);
  await pay(page);
  await page.getByRole('radio', { name: 'Prepaid' }).check({ force: true });
  await place(page);
  await page.getByText('Payment: Prepaid').waitFor();
  const number = await numberOn(page);

  await page.getByRole('link', { name: 'View Order History' }).click();
  await page.getByRole('heading', { level: 2, name: number }).waitFor();
  await page.getByText('+ 1 more items').waitFor();
  await page.getByText('Pending', { exact: true }).waitFor();
  await lookAtBoth(shop, page, 'my-orders', { narrow: true });

  await page.getByRole('link', { name: /^View Details →/ }).click();
  await button(page, 'Cancel order').click();
  await page.getByRole('dialog', { name: 'Cancel this order?' }).waitFor();
  await lookAtBoth(shop, page, 'cancel', { narrow: true });
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel order');
  await button(page, 'Cancel order').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await title(page, 'Order Cancelled').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Order Cancelled');
  await lookAtBoth(shop, page, 'order-cancelled', { narrow: true });

  await fillCart(page, 'ruh-gulab');
  await goToCheckout(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  expect(problems).toEqual([]);
});

test('a visitor who signs in during a purchase keeps the typed form, and gets the order', async () => {
  const email = 'anita@example.com';
  const { page, problems } = await shop.open('phone', '/');
  await signUp(shop, page, email);
  await page.context().clearCookies();

  await fillCart(page, 'mitti-after-rain');
  await goToCheckout(page);
  await fill(page, { ...CONTACT, ...ADDRESS });
  await button(page, 'Menu').click();
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await title(page, 'Welcome back').waitFor();
  await logIn(page, email, PASSWORD);
  await page.waitForURL(`${shop.url}/`);
  await goToCheckout(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  await pay(page);
  await place(page);
  const number = await numberOn(page);
  await page.getByRole('link', { name: 'View Order History' }).click();
  await page.getByRole('heading', { level: 2, name: number }).waitFor();
  expect(problems).toEqual([]);
});

test('a session that ends during a purchase does not lose the typed form', async () => {
  const email = 'lost-session@example.com';
  const { page, problems } = await shop.open('desktop', '/');
  await signUp(shop, page, email);
  await fillCart(page, 'ruh-gulab');
  await goToCheckout(page);
  await fill(page, { ...CONTACT, ...ADDRESS });
  await page.context().clearCookies();
  await button(page, 'Complete Payment').click();
  const notice = page.getByRole('status').filter({ hasText: 'Your session has ended.' });
  await notice.waitFor();
  await lookAtBoth(shop, page, 'checkout-session-lost', { narrow: true });
  await notice.getByRole('link', { name: 'Sign in' }).click();
  await title(page, 'Welcome back').waitFor();
  await logIn(page, email, PASSWORD);
  await title(page, 'Complete Your Order').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).toBe('Kochi');
  await pay(page);
  await page.getByText('14 Marine Drive').waitFor();
  expect(problems).toEqual(expect.arrayContaining([refusal(400), 'console: Checkout: Your cart is empty', refusal(401)]));
  expect(problems).toHaveLength(3);
});

test('a price change before placing is shown, and the order can be placed at the new price', async () => {
  const { page, problems } = await shop.open('phone', '/');
  await fillCart(page, 'neroli-verandah');
  await goToCheckout(page);
  await fill(page, { ...CONTACT, ...ADDRESS });
  await pay(page);
  await (
    await enterDesk()
  )('/product/neroli-verandah', { price: '₹3,000.00' });
  // Other visitors see the changed price with a delay.
  await expect.poll(async () => (await page.request.get('/api/product/neroli-verandah')).text()).toContain('₹3,000.00');

  await button(page, 'Place Order').click();
  await page.getByRole('alert').getByText('Changed since you checked out: Neroli Verandah.').waitFor();
  await expect.poll(() => button(page, 'Place Order').isDisabled()).toBe(true);
  await shop.picture(page, 'review-price-changed-phone');
  await button(page, 'Refresh order').click();
  await page.getByText(/^Neroli Verandah is now ₹3,000.00; it was ₹[\d,.]+$/).waitFor();
  // The pressed button is gone, so the focus must be on the message.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Your order is up to date.');
  await summary(page).getByText('₹3,540.00').waitFor();
  await shop.picture(page, 'review-refreshed-phone');
  await place(page);
  await summary(page, 'Summary').getByText('₹3,540.00').waitFor();
  expect(problems).toEqual([refusal(409)]);
});

test('a delivered order can be returned by the rules of the policy', async () => {
  const { page, problems } = await shop.open('desktop', '/');
  await fillCart(page, 'ruh-gulab');
  await goToCheckout(page);
  await fill(page, { ...CONTACT, ...ADDRESS });
  await pay(page);
  await place(page);
  await deliver(orderIdOn(page));
  await page.reload();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await button(page, 'Return order').click();
  await lookAtBoth(shop, page, 'return', { narrow: true });
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not for me');
  await page.getByRole('dialog').getByText('Yes, at least one', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await page.getByRole('alert').getByText('You may return an unopened bottle within 14 days of delivery.').waitFor();
  await page.getByRole('dialog').getByText('No, all are sealed', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Return order' }).click();
  await title(page, 'Order Returned').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Order Returned');
  await page.getByRole('link', { name: /^Credit note RC/ }).waitFor();
  await lookAtBoth(shop, page, 'order-returned', { narrow: true });
  expect(problems).toEqual([refusal(409)]);
});

test("another shopper's order is not found", async () => {
  const { page, problems } = await shop.open('desktop', '/order-confirmed/0b8c2a54-7d7e-4a08-9f0e-1c2f7a6d3b11');
  await title(page, 'No order found').waitFor();
  await lookAtBoth(shop, page, 'no-order', { narrow: true });
  expect(problems).toEqual([refusal(404)]);
});
