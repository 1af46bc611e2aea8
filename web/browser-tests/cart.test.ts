import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { lookAt } from './faults.ts';
import { shop } from './harness.ts';

const badgeSays = (page: Page, text: string) => page.getByRole('banner').getByRole('link', { name: text, exact: true }).waitFor();
/** Returns the first button that can be reached, because slides out of view are inert. */
const add = (page: Page, name: string) =>
  page
    .getByRole('button', { name: `Add to Cart: ${name}` })
    .and(page.locator(':not([inert] *)'))
    .first();
const isAdded = (page: Page, name: string, count: string) => page.getByText(`${name} added to cart. ${count} in your cart.`).waitFor();
const addFromRail = async (page: Page, name: string): Promise<void> => {
  const rail = page.getByRole('region', { name: 'bestsellers' });
  const button = rail.getByRole('button', { name: `Add to Cart: ${name}` });
  await button.waitFor();
  while ((await button.and(page.locator('[inert] *')).count()) > 0)
    await rail.getByRole('button', { name: 'Next' }).locator('visible=true').click();
  // A button that is half in view is drawn in by the focus.
  await button.press('Enter');
};
const lines = (page: Page) => page.getByRole('list', { name: 'Perfumes in your cart' }).getByRole('listitem');
const lineOf = (page: Page, name: string) => lines(page).filter({ has: page.getByRole('heading', { name, exact: true }) });
const quantityOf = (page: Page, name: string) => page.getByRole('group', { name: `Quantity of ${name}` }).getByRole('status');
const confirmed = (page: Page) => page.locator('dl[aria-busy="false"]').waitFor();

test('a cart can be filled from home, shop and product page, can be changed, and survives a reload', async () => {
  const { page, problems } = await shop.open('phone', '/');
  await addFromRail(page, 'Oud Saffron Majlis');
  await badgeSays(page, 'Cart, 1 item');
  await isAdded(page, 'Oud Saffron Majlis', '1 item');

  await page.goto('/shop');
  await badgeSays(page, 'Cart, 1 item');
  await add(page, 'Mitti After Rain').click();
  await isAdded(page, 'Mitti After Rain', '2 items');
  await page.goto('/product/mogra-at-dusk');
  await page.getByRole('button', { name: 'Increase quantity of Mogra at Dusk' }).click();
  await add(page, 'Mogra at Dusk').click();
  await isAdded(page, 'Mogra at Dusk', '4 items');
  await lookAt(page, 'product-added');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: /^Cart \( ?4 ?\)$/ }).click();

  await lineOf(page, 'Mogra at Dusk').getByText('₹4,300.00').locator('visible=true').waitFor();
  await page.getByText('₹10,502.00').waitFor();
  await page.getByRole('button', { name: 'Increase quantity of Oud Saffron Majlis' }).click();
  await badgeSays(page, 'Cart, 5 items');
  await page.getByRole('button', { name: 'Remove Oud Saffron Majlis' }).click();
  await confirmed(page);
  await page.reload();
  await badgeSays(page, 'Cart, 3 items');
  await expect.poll(() => quantityOf(page, 'Mogra at Dusk').textContent()).toBe('2');
  await expect.poll(() => lines(page).count()).toBe(2);
  await page.getByText('₹6,431.00').waitFor();
  expect(problems).toEqual([]);
});

/** Sends a newcomer's first call, which creates the session, to the server and drops the answer. */
const loseFirstAnswer = (page: Page, then: (route: Route) => unknown = () => {}) => {
  const lose = async (route: Route): Promise<void> => {
    await route.fetch();
    await then(route);
  };
  return page.route('**/api/cart/add-to-cart', lose, { times: 1 });
};

test('an addition without a network survives a reload, and is executed once when the network is back', async () => {
  const { page } = await shop.open('phone', '/shop');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/add-to-cart') && sent.push(request.url()));
  await loseFirstAnswer(page, async (route) => {
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await add(page, 'Mogra at Dusk').click();
  await page.getByText('You are offline.').waitFor();
  await add(page, 'Mitti After Rain').click();
  await badgeSays(page, 'Cart, 2 items');
  expect(sent).toHaveLength(1);

  await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goto('/cart');
  await lineOf(page, 'Mitti After Rain').waitFor();
  await confirmed(page);
  await badgeSays(page, 'Cart, 2 items');
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

test('an addition in progress when a newcomer leaves the page is sent again, and executed once', async () => {
  const { page } = await shop.open('phone', '/shop');
  await loseFirstAnswer(page);
  await add(page, 'Mogra at Dusk').click();
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('visitor');

  await page.goto('/cart');
  await lineOf(page, 'Mogra at Dusk').waitFor();
  await confirmed(page);
  await badgeSays(page, 'Cart, 1 item');
});

test('two windows of one shopper show the same cart', async () => {
  const { page } = await shop.open('desktop', '/shop');
  await add(page, 'Mogra at Dusk').click();
  await isAdded(page, 'Mogra at Dusk', '1 item');
  const other = await page.context().newPage();
  await other.goto('/cart');
  await lineOf(other, 'Mogra at Dusk').waitFor();
  await add(page, 'Mitti After Rain').click();
  await isAdded(page, 'Mitti After Rain', '2 items');
  await other.getByRole('button', { name: 'Increase quantity of Mogra at Dusk' }).click();
  await badgeSays(other, 'Cart, 3 items');
  await confirmed(other);
  await lineOf(other, 'Mitti After Rain').waitFor();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await badgeSays(page, 'Cart, 3 items');
});
