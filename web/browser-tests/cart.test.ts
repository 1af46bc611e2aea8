import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enter, seenByOthers } from './customers.ts';
import { fits, hasNoFaults, lookAt, lookAtBoth } from './faults.ts';
import { admin, openBrowserShop, type BrowserShop } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const SENTENCE = 'Your cart is empty, please click below button to continue shopping...';

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
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const confirmed = (page: Page) => page.locator('dl[aria-busy="false"]').waitFor();

/** Scrolls down until every picture has loaded, except those out of view in a carousel, and then up again. */
const readThrough = (page: Page) =>
  page.evaluate(async () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>('main img')) {
      picture.scrollIntoView({ block: 'center', inline: 'nearest' });
      if (picture.getBoundingClientRect().left < innerWidth - 48) await picture.decode();
    }
    scrollTo(0, 0);
  });

describe('a cart', () => {
  test('can be filled from home, shop and product page, can be changed, and survives a reload', async () => {
    const { page, problems } = await shop.open('phone', '/');
    await addFromRail(page, 'Oud Saffron Majlis');
    await badgeSays(page, 'Cart, 1 item');
    await isAdded(page, 'Oud Saffron Majlis', '1 item');
    await page.getByRole('button', { name: 'Added: Oud Saffron Majlis' }).first().waitFor();
    await lookAtBoth(shop, page, 'home-added');

    await page.goto('/shop');
    await badgeSays(page, 'Cart, 1 item');
    await add(page, 'Mitti After Rain').click();
    await badgeSays(page, 'Cart, 2 items');
    await isAdded(page, 'Mitti After Rain', '2 items');
    await page.goto('/product/mogra-at-dusk');
    await page.getByRole('button', { name: 'Increase quantity of Mogra at Dusk' }).click();
    await add(page, 'Mogra at Dusk').click();
    await badgeSays(page, 'Cart, 4 items');

    await page.getByRole('banner').getByRole('link', { name: 'Cart, 4 items' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your Cart' }).waitFor();
    await expect.poll(() => page.title()).toBe('Your Cart · RUHANI');
    await lineOf(page, 'Mogra at Dusk').getByText('₹4,300.00').locator('visible=true').waitFor();
    await page.getByText('₹10,502.00').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Coupons are not available yet').waitFor();
    await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
    await readThrough(page);
    await lookAtBoth(shop, page, 'cart');

    await page.getByRole('button', { name: 'Increase quantity of Oud Saffron Majlis' }).click();
    await badgeSays(page, 'Cart, 5 items');
    await page.getByRole('button', { name: 'Remove Oud Saffron Majlis' }).click();
    await page.getByText('Oud Saffron Majlis removed from cart.').waitFor();
    await badgeSays(page, 'Cart, 3 items');
    await confirmed(page);
    await page.reload();
    await badgeSays(page, 'Cart, 3 items');
    await expect.poll(() => quantityOf(page, 'Mogra at Dusk').textContent()).toBe('2');
    await expect.poll(() => lines(page).count()).toBe(2);
    await page.getByText('₹6,431.00').waitFor();
    await page.getByRole('link', { name: 'Proceed to Checkout' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('is empty for a new visitor, sets no cookie, and links to the shop', async () => {
    const { page, problems } = await shop.open('desktop', '/cart');
    await page.getByText(SENTENCE).waitFor();
    await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await readThrough(page);
    await lookAtBoth(shop, page, 'cart-empty');
    await page.getByRole('main').getByRole('link', { name: 'Continue Shopping' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect(problems).toEqual([]);
  });

  test('keeps the focus in its place when lines are removed', async () => {
    const { page } = await shop.open('desktop', '/shop');
    for (const name of ['Mitti After Rain', 'Mogra at Dusk']) await add(page, name).click();
    await isAdded(page, 'Mogra at Dusk', '2 items');
    await page.goto('/cart');
    await page.getByRole('button', { name: 'Remove Mitti After Rain' }).press('Enter');
    await lineOf(page, 'Mitti After Rain').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Mogra at Dusk');
    await page.getByRole('button', { name: 'Remove Mogra at Dusk' }).press('Enter');
    await page.getByText(SENTENCE).waitFor();
    await expect.poll(() => focused(page)).toBe('Your Cart');
    await badgeSays(page, 'Cart');
  });
});

test.each(['phone', 'desktop'] as const)(
  'on a %s, low stock is shown on card, page and cart, which limits the quantity at checkout',
  async (screen) => {
    const desk = await shop.visit('desktop');
    await enter(desk.page, admin);
    const put = await desk.page.request.put('/api/admin/stock/kamal-pool', { data: { count: 3 } });
    expect(put.ok(), await put.text()).toBe(true);
    await seenByOthers(shop, '/api/product/kamal-pool', { left: 3 });
    const { page, problems } = await shop.open(screen, '/shop?q=kamal');
    const card = page.getByRole('article').filter({ hasText: 'Kamal Pool' });
    await card.getByText('Only 3 left').waitFor();
    await lookAt(shop, page, `few-left-card-${screen}`);
    await card.getByRole('link', { name: 'Kamal Pool' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kamal Pool' }).waitFor();
    await page.getByText('Only 3 left').first().waitFor();
    for (let more = 0; more < 3; more++) await page.getByRole('button', { name: 'Increase quantity of Kamal Pool' }).click();
    await add(page, 'Kamal Pool').click();
    await badgeSays(page, 'Cart, 4 items');
    await page.goto('/cart');
    await lineOf(page, 'Kamal Pool').getByText('Only 3 left. Please choose 3 or fewer.').waitFor();
    await page.getByText('Only 3 of Kamal Pool are left. Reduce its quantity to go on to checkout.').waitFor();
    expect(await page.getByRole('button', { name: 'Proceed to Checkout' }).isDisabled()).toBe(true);
    await lookAt(shop, page, `few-left-cart-${screen}`);
    await page.getByRole('button', { name: 'Decrease quantity of Kamal Pool' }).click();
    await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
    await page.waitForURL('**/checkout');
    expect(problems).toEqual([]);
  },
);

describe('the cart when a call fails', () => {
  test('shows that an addition failed, and corrects the badge', async () => {
    const { page } = await shop.open('phone', '/shop');
    await add(page, 'Mogra at Dusk').click();
    // The badge is ahead of the shop's answer, which must not be lost.
    await isAdded(page, 'Mogra at Dusk', '1 item');
    await page.route('**/api/cart/add-to-cart', (route) => route.abort());
    await add(page, 'Mitti After Rain').click();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to add product to cart' });
    await alert.waitFor();
    await badgeSays(page, 'Cart, 1 item');
    await lookAtBoth(shop, page, 'cart-add-failed');
    await alert.getByRole('button', { name: 'Close' }).click();
    await page.unroute('**/api/cart/add-to-cart');
    await add(page, 'Mitti After Rain').click();
    await badgeSays(page, 'Cart, 2 items');
  });

  test('fetches the cart after a lost answer, and keeps the change that took effect', async () => {
    const { page } = await shop.open('desktop', '/shop');
    await page.route('**/api/cart/add-to-cart', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await add(page, 'Mogra at Dusk').click();
    await page.getByRole('alert').filter({ hasText: 'Failed to add product to cart' }).waitFor();
    await badgeSays(page, 'Cart, 1 item');
  });

  test('reverts a refused change, keeps the others, and is corrected by Try again', async () => {
    const { page } = await shop.open('desktop', '/shop');
    for (const name of ['Mitti After Rain', 'Mogra at Dusk']) await add(page, name).click();
    await isAdded(page, 'Mogra at Dusk', '2 items');
    await page.goto('/cart');
    const json = { message: 'Something went wrong', code: 'internal' };
    await page.route('**/api/cart/update/mogra-at-dusk', (route) => route.fulfill({ status: 500, json }));
    await page.getByRole('button', { name: 'Increase quantity of Mogra at Dusk' }).click();
    await page.getByText('Your cart could not be updated.').waitFor();
    await expect.poll(() => quantityOf(page, 'Mogra at Dusk').textContent()).toBe('1');
    await lookAtBoth(shop, page, 'cart-refused');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Your cart could not be updated.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Increase quantity of Mitti After Rain' }).click();
    await badgeSays(page, 'Cart, 3 items');
  });

  test('shows that it could not be loaded, and can be fetched again', async () => {
    const { page } = await shop.visit('phone');
    // The visitor needs a cart: for others the shop knows that the cart is empty and makes no call.
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } });
    await page.route('**/api/cart/get-cart', (route) => route.fulfill({ status: 503, json: { message: 'The shop is resting' } }));
    await page.goto('/cart');
    await page.getByText('Your cart could not be loaded. The shop is resting').waitFor();
    await lookAtBoth(shop, page, 'cart-not-loaded');
    await page.unroute('**/api/cart/get-cart');
    await page.getByRole('button', { name: 'Try again' }).click();
    await lineOf(page, 'Ruh Gulab').waitFor();
  });
});

test('clicks faster than the answers are shown at once, and only the last quantity is sent', async () => {
  const { page, problems } = await shop.open('desktop', '/shop');
  await add(page, 'Mogra at Dusk').click();
  await isAdded(page, 'Mogra at Dusk', '1 item');
  await page.goto('/cart');
  await confirmed(page);
  const told: unknown[] = [];
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/cart/update/**', async (route) => {
    told.push(route.request().postDataJSON());
    await held;
    await route.continue();
  });
  for (let click = 0; click < 5; click++) await page.getByRole('button', { name: 'Increase quantity of Mogra at Dusk' }).click();
  await expect.poll(() => quantityOf(page, 'Mogra at Dusk').textContent()).toBe('6');
  await badgeSays(page, 'Cart, 6 items');
  await hasNoFaults(page);
  answer();
  await confirmed(page);
  expect(told).toEqual([{ quantity: 2 }, { quantity: 6 }]);
  await badgeSays(page, 'Cart, 6 items');
  expect(problems).toEqual([]);
});

test('a change that was being sent when the page was reloaded takes effect', async () => {
  const { page } = await shop.open('desktop', '/shop');
  let isCut = true;
  await page.route('**/api/cart/add-to-cart', (route) => (isCut ? undefined : route.continue()));
  await add(page, 'Mogra at Dusk').click();
  await add(page, 'Mitti After Rain').click();
  await badgeSays(page, 'Cart, 2 items');
  isCut = false;
  await page.goto('/cart');
  await lineOf(page, 'Mogra at Dusk').waitFor();
  await lineOf(page, 'Mitti After Rain').waitFor();
  await confirmed(page);
  await page.reload();
  await badgeSays(page, 'Cart, 2 items');
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
  await expect.poll(() => page.url(), { timeout: 20_000 }).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goto('/cart');
  await lineOf(page, 'Mitti After Rain').waitFor();
  await confirmed(page);
  await badgeSays(page, 'Cart, 2 items');
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

test('the mobile menu shows the number of items', async () => {
  const { page } = await shop.open('phone', '/shop');
  await add(page, 'Mogra at Dusk').click();
  await badgeSays(page, 'Cart, 1 item');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: /^Cart \( ?1 ?\)$/ }).waitFor();
  await shop.picture(page, 'menu-with-cart');
  await hasNoFaults(page);
});

describe('a cart with long names, an unavailable perfume and a changed price', () => {
  const longName = `The Extraordinarily Long Name Of A Perfume From Kannauj ${'Gulab'.repeat(20)}`.slice(0, 120);
  const line = (index: number) => ({
    productId: `perfume-${index}`,
    quantity: 99,
    product: {
      _id: `perfume-${index}`,
      name: index % 3 === 0 ? longName : `Perfume ${index}`,
      details: 'Damask rose · oud · clove · a long line of many scents · and another',
      price: '₹12,34,567.00',
      productImageUrl: [],
      inStock: index !== 1,
    },
    ...(index === 1 && { unavailable: true }),
    ...(index === 2 && { priceChangedFrom: '₹12,00,000.00' }),
  });
  const openWith = async (count: number) => {
    const { page } = await shop.visit('phone');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const json = { items: Array.from({ length: count }, (_, index) => line(index)), totalCartValue: 0 };
    await page.context().addCookies([{ name: 'visitor', value: '1', url: shop.url }]);
    await page.route('**/api/cart/get-cart', (route) => route.fulfill({ json }));
    await page.goto('/cart');
    await lineOf(page, 'Perfume 2').waitFor();
    return page;
  };

  const widths = [320, 390, 1440];
  const wideAs = (page: Page, width: number) => page.setViewportSize({ width, height: 800 });

  test('shows at every width why checkout is blocked', async () => {
    const page = await openWith(4);
    for (const width of widths) {
      await wideAs(page, width);
      await page.getByText('Perfume 1 is no longer available. Remove it to go on to checkout.').waitFor();
      await page.getByText('The price has changed from ₹12,00,000.00 since you added it.').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Proceed to Checkout' }).isDisabled()).toBe(true);
      await lookAt(shop, page, `cart-changed-${width}`);
    }
  });

  test('fits every width with a hundred lines', async () => {
    const page = await openWith(100);
    await expect.poll(() => lines(page).count()).toBe(100);
    await badgeSays(page, 'Cart, 99+ items');
    for (const width of widths) {
      await wideAs(page, width);
      await expect.poll(() => fits(page)).toBe(true);
    }
  });
});
