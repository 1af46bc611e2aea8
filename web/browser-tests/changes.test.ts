import { afterAll, beforeAll, expect, test } from 'vitest';
import { answered, checkOut, enter, linkMailedTo } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton } from './find.ts';
import { holdBack, openBrowserShop, watchShifts, works } from './harness.ts';
import { admin } from './servers.ts';

/* What staff change while shoppers look at it. These tests have an own shop, because all visitors see the changes. */

const PRODUCT = 'oud-saffron-majlis';

let shop: Awaited<ReturnType<typeof openBrowserShop>>;
/** Changes a product, or its stock, and waits until other visitors see it. */
let change: (product: string, data: object, seen?: object) => Promise<void>;
let count: (product: string, bottles: number, seen?: object) => Promise<void>;

beforeAll(async () => {
  shop = await openBrowserShop({ HERO: 'center' });
  const { page } = await shop.visit('desktop');
  await enter(page, admin);
  const put = async (path: string, product: string, data: object, seen: object): Promise<void> => {
    await answered(await page.request.put(`/api${path}/${product}`, { data }));
    await expect.poll(async () => (await fetch(`${shop.url}/api/product/${product}`)).json()).toMatchObject(seen);
  };
  change = (product, data, seen = data) => put('/product', product, data, seen);
  count = (product, bottles, seen = {}) => put('/admin/stock', product, { count: bottles }, seen);
});
afterAll(() => shop.close());

test('HERO=center: the server renders that hero with its claim, and the browser renders the same', async () => {
  expect(await (await fetch(shop.url)).text()).toContain('Trusted by 10,000+ happy customers');
  const { page, problems } = await shop.open('phone', '/about');
  await page.getByRole('link', { name: 'RUHANI' }).first().click();
  const hero = page.getByRole('img', { name: /^Three Ruhani bottles/ });
  await hero.waitFor();
  await page.reload();
  await hero.waitFor();
  await lookAt(page, 'home-center');
  expect(problems).toEqual([]);
});

test('a page hydrates as it was rendered even if the catalogue changes meanwhile', async () => {
  const { page, problems } = await shop.visit('desktop');
  let isOver = false;
  const changes = (async () => {
    for (let edit = 1; !isOver; edit++) {
      await change(PRODUCT, { name: `Oud Saffron ${edit}` }, {});
      await count(PRODUCT, edit % 4);
    }
  })();
  for (let load = 0; load < 5; load++) for (const path of ['/', '/shop', `/product/${PRODUCT}`]) await page.goto(path);
  isOver = true;
  await changes;
  expect(problems).toEqual([]);
});

test.each(['/', '/shop', `/product/${PRODUCT}`])('%s can hydrate after more than a minute, and then shows current data', async (path) => {
  await change(PRODUCT, { name: 'Oud Saffron Majlis' });
  const { page, problems } = await shop.visit('desktop');
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 61_000;
  });
  const release = await holdBack(page, '**/assets/*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByText('Oud Saffron Majlis').first().waitFor();
  await change(PRODUCT, { name: 'Oud of an hour later' });
  release();
  await works(page);
  await page.getByText('Oud of an hour later').first().waitFor();
  expect(problems).toEqual([]);
});

test('low stock is shown on card, page and cart, which limits the quantity at checkout', async () => {
  await count('kamal-pool', 3, { left: 3 });
  const { page, problems } = await shop.open('phone', '/shop?q=kamal');
  const card = page.getByRole('article').filter({ hasText: 'Kamal Pool' });
  await card.getByText('Only 3 left').waitFor();
  await card.getByRole('link', { name: 'Kamal Pool' }).click();
  await page.getByRole('heading', { level: 1, name: 'Kamal Pool' }).waitFor();
  await page.getByText('Only 3 left').first().waitFor();
  for (let more = 0; more < 3; more++) await findButton(page, 'Increase quantity of Kamal Pool').click();
  await page.getByRole('button', { name: 'Add to Cart: Kamal Pool' }).first().click();
  await page.getByRole('banner').getByRole('link', { name: 'Cart, 4 items', exact: true }).click();
  await page.getByText('Only 3 of Kamal Pool are left. Reduce its quantity to go on to checkout.').waitFor();
  expect(await findButton(page, 'Proceed to Checkout').isDisabled()).toBe(true);
  await lookAt(page, 'few-left-cart');
  await findButton(page, 'Decrease quantity of Kamal Pool').click();
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await page.waitForURL('**/checkout');
  expect(problems).toEqual([]);
});

test('a sold-out perfume accepts an address, to which a mail announces its return, with a link that ends all notices', async () => {
  const email = 'waiting@example.com';
  await change('ruh-gulab', { inStock: false });
  const { page, problems } = await shop.visit('phone', 'newcomer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const shifted = await watchShifts(page);
  await page.goto('/product/ruh-gulab');
  await findButton(page, 'Tell me when it is back').waitFor();
  expect(await shifted()).toBeLessThan(0.01);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('Thank you. We will write to you once, when it is in stock again.').waitFor();
  await lookAt(page, 'notice-noted');

  await change('ruh-gulab', { inStock: true });
  await page.goto(await linkMailedTo(shop, email, '/notices/end/', /is back/));
  await findButton(page, 'End all notices').click();
  await page.getByText('You will get no more of these mails.').waitFor();
  expect(problems).toEqual([]);
});

test('a reduced price is shown with the lowest price of the 30 days before', async () => {
  await change('neroli-verandah', { price: '₹1,950.00' });
  const { page, problems } = await shop.open('phone', '/product/neroli-verandah');
  await page.getByText(/^Reduced on \d+ \w+ \d{4}\. Lowest price in the 30 days before: ₹2,250\.00$/).waitFor();
  await lookAt(page, 'product-reduced');
  expect(problems).toEqual([]);
});

test('a price change before placing is shown, and the order can be placed at the new price', async () => {
  const { page, problems } = await shop.visit('phone');
  const product = 'mitti-after-rain';
  await page.goto(`/review-order/${(await checkOut(page, { products: { [product]: 1 } }))._id}`);
  await findButton(page, 'Place Order').waitFor();
  await change(product, { price: '₹3,000.00' });

  await findButton(page, 'Place Order').click();
  await page.getByRole('alert').getByText('Changed since you checked out: Mitti After Rain.').waitFor();
  await expect.poll(() => findButton(page, 'Place Order').isDisabled()).toBe(true);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Changed since you checked out');
  const box = (await findButton(page, 'Refresh order').boundingBox()) ?? expect.fail('no button');
  expect(box.y + box.height).toBeLessThan(page.viewportSize()?.height ?? 0);
  await findButton(page, 'Refresh order').click();
  await page.getByText(/^Mitti After Rain is now ₹3,000.00; it was ₹[\d,.]+$/).waitFor();
  // The pressed button is gone, so the focus must be on the message.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Your order is up to date.');
  await lookAt(page, 'review-refreshed');
  await findButton(page, 'Place Order').click();
  await page.getByRole('heading', { level: 1, name: 'Order Confirmed' }).waitFor();
  await page.getByRole('complementary', { name: 'Summary' }).getByText('₹3,540.00').waitFor();
  expect(problems).toEqual([expect.stringContaining('status of 409 ')]);
});
