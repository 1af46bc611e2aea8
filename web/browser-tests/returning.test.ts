import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { home } from '#domain/testing/orders.ts';
import { answered, placeOrder, signUp } from './customers.ts';
import { lookAt } from './faults.ts';
import { countClicks, findTitle } from './find.ts';
import { shop } from './harness.ts';

/** Goes from the cart to the confirmation by clicks alone, and returns how many it took. */
const orderByClicks = async (page: Page): Promise<number> => {
  const click = async (role: 'link' | 'button', name: string, then: string): Promise<void> => {
    await page.getByRole(role, { name, exact: true }).click();
    await findTitle(page, then).waitFor();
  };
  await page.goto('/cart');
  const clicks = await countClicks(page);
  await click('link', 'Proceed to Checkout', 'Complete Your Order');
  await expect.poll(() => page.getByRole('textbox', { name: 'City', exact: true }).inputValue()).not.toBe('');
  await click('button', 'Complete Payment', 'Review Your Order');
  await click('button', 'Place Order', 'Order Confirmed');
  return clicks();
};

test('a returning shopper orders in three clicks from the cart, to the address that is kept as the default', async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signUp(shop, page, 'returning@example.com');
  for (const [name, isDefault] of [
    ['Meera Nair', false],
    ['Sudha Nair', true],
  ] as const)
    await answered(await page.request.post('/api/user/addresses', { data: { ...home, name, address1: `9 ${name} Street`, isDefault } }));
  await answered(await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } }));
  await page.goto('/checkout');
  await page.getByRole('radio', { name: 'Sudha Nair' }).waitFor({ state: 'attached' });
  await lookAt(page, 'checkout-addresses');
  expect(await orderByClicks(page)).toBe(3);
  await page.getByText('9 Sudha Nair Street').waitFor();
  expect(problems).toEqual([]);
});

test("a visitor's second order is filled in from the first, in a new tab too", async () => {
  const { page, problems } = await shop.visit('phone');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await placeOrder(page, { shipping: { address1: '14 Visitor Lane' } });
  await answered(await page.request.post('/api/cart/add-to-cart', { data: { _id: 'mogra-at-dusk' } }));
  expect(await orderByClicks(page)).toBe(3);
  await page.getByText('14 Visitor Lane').waitFor();
  expect(problems).toEqual([]);
});
