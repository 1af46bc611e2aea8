import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import { holdBack, home, openBrowserShop, watchShifts, works, type BrowserShop } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

/** The whole first load of `/` has at most this many bytes of compressed script, as the shop promises. */
const MOST_SCRIPT = 130_000;

type Fetched = { readonly path: string; readonly bytes: number };

/** Returns everything that a first visit fetches until the network is quiet, with sizes in bytes as sent. */
const fetchedBy = async (page: Page, address: string, shown = page.getByRole('heading', { level: 1 })): Promise<Fetched[]> => {
  const answers: Promise<Fetched>[] = [];
  page.on('requestfinished', (request) =>
    answers.push(request.sizes().then(({ responseBodySize }) => ({ path: new URL(request.url()).pathname, bytes: responseBodySize }))),
  );
  await page.goto(address);
  await shown.waitFor();
  await page.waitForLoadState('networkidle');
  return Promise.all(answers);
};

const SCRIPTS = '**/assets/*.js';

const total = (files: readonly Fetched[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

describe('the first load', () => {
  test('of a new visitor makes no API call, and of a visitor with a cart shows its count', async () => {
    const { page, problems } = await shop.visit('desktop');
    const calls = (files: readonly Fetched[]) => files.map(({ path }) => path).filter((path) => path.startsWith('/api/'));
    for (const address of ['/', '/cart', '/checkout']) expect(calls(await fetchedBy(page, address)), address).toEqual([]);
    await page.goto('/');
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
    await page.reload();
    await page.getByRole('banner').getByRole('link', { name: 'Cart, 2 items' }).waitFor();
    expect(problems).toEqual([]);
  });

  test.each(['/', '/shop?collection=Floral', '/product/oud-saffron-majlis', '/terms'])(
    'of %s is visible before any script loads, and hydrates without changes',
    async (address) => {
      const { page, problems } = await shop.visit('phone');
      const release = await holdBack(page, SCRIPTS);
      await page.goto(address, { waitUntil: 'commit' });
      const heading = page.getByRole('heading', { level: 1 });
      await heading.waitFor();
      const drawn = await heading.elementHandle();
      release();
      await works(page);
      expect(await drawn?.evaluate((each) => each.isConnected)).toBe(true);
      expect(problems).toEqual([]);
    },
  );

  test('applies typing and clicks from before hydration', async () => {
    const { page, problems } = await shop.visit('phone');
    const release = await holdBack(page, /\/assets\/(?:main|libraries|shop)-/);
    await page.goto('/', { waitUntil: 'load' });
    const letters = page.getByRole('main').getByRole('textbox', { name: 'Your email address' });
    await letters.fill('early@example.com');
    await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).click();
    release();
    await letters.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test.each([390, 768, 1440])('keeps all text typed into a form before hydration, at %i px', async (width) => {
    const { page, problems } = await shop.visit('desktop');
    await page.setViewportSize({ width, height: 900 });
    const release = await holdBack(page, /\/assets\/(?:main|libraries|shop)-/);
    await page.goto('/contact', { waitUntil: 'load' });
    const typed = { Name: 'Meera', Phone: '98470', Email: 'meera@example.com', Message: 'Is the rose here?' };
    const form = page.locator('main form');
    for (const [label, text] of Object.entries(typed)) await form.getByLabel(label).fill(text);
    release();
    await works(page);
    for (const [label, text] of Object.entries(typed)) expect(await form.getByLabel(label).inputValue()).toBe(text);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Message Sent Successfully!').waitFor();
    expect(problems).toEqual([]);
  });

  test("of a page that the server does not render shows 'Loading...'", async () => {
    const { page } = await shop.visit('phone');
    const release = await holdBack(page, SCRIPTS);
    await page.goto('/signup', { waitUntil: 'commit' });
    const said = () => page.evaluate(() => getComputedStyle(document.getElementById('root') ?? document.body, '::before').content);
    await expect.poll(said).toBe('"Loading..."');
    release();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await said()).toBe('none');
  });

  test('shows when its scripts could not be loaded, and works after a reload', async () => {
    const { page } = await shop.visit('phone');
    const scripts = /\/assets\/(?:main|libraries|shop)-/;
    await page.route(scripts, (route) => route.abort());
    await page.goto('/', { waitUntil: 'load' });
    await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('alert').getByText('its buttons do nothing yet').waitFor();
    await page.unroute(scripts);
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await works(page);
  });

  test(`of home loads at most ${MOST_SCRIPT / 1000} kB of script, and none that only other pages need`, async () => {
    const { page, problems } = await shop.visit('phone');
    const scripts = (await fetchedBy(page, '/')).filter(({ path }) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    expect(total(scripts)).toBeLessThanOrEqual(MOST_SCRIPT);
    expect(scripts.map(({ path }) => path).join()).not.toMatch(/\/(?:Shop|Product)-|AuthPage|UserMenu|SiteManager|Audit/);
    expect(problems).toEqual([]);
  });

  test.each(['/', '/shop', '/shop?collection=Floral', '/product/oud-saffron-majlis'])('of %s includes its products', async (address) => {
    const { page } = await shop.visit('desktop');
    const paths = (await fetchedBy(page, address)).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/api/product'))).toEqual([]);
    await page.getByRole('article').first().waitFor();
  });

  test.each(['phone', 'desktop'] as const)('of home has no layout shift on a %s', async (screen) => {
    const { page } = await shop.visit(screen);
    const shifted = await watchShifts(page);
    await fetchedBy(page, '/');
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test.each(['/forgot-password', '/reset-password', '/unsubscribe', '/product/none', '/nowhere', '/admin/site-manager'])(
    'of %s, which the server does not render, does not move its footer',
    async (address) => {
      const { page } = await shop.visit('phone');
      const shifted = await watchShifts(page);
      await fetchedBy(page, address);
      expect(await shifted()).toBeLessThanOrEqual(0.001);
    },
  );

  test('of a page that requires a sign-in does not move its footer', async () => {
    const { page } = await shop.visit('phone');
    const shifted = await watchShifts(page);
    await fetchedBy(page, '/viewAllOrders');
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test('of an order does not move its footer', async () => {
    const { page } = await shop.visit('phone');
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } });
    const checkedOut = await page.request.post('/api/order/create-order', { data: { shipping: home } });
    const { order } = (await checkedOut.json()) as { order: OrderView };
    const shifted = await watchShifts(page);
    await fetchedBy(page, `/review-order/${order._id}`);
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test('of the cart page fetches the cart once', async () => {
    const { page } = await shop.visit('phone');
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } });
    // On a slow machine the network is idle before the scripts have made their calls.
    const fetched = await fetchedBy(page, '/cart', page.getByRole('link', { name: 'Proceed to Checkout' }));
    expect(fetched.filter(({ path }) => path === '/api/cart/get-cart')).toHaveLength(1);
  });

  test('of home fetches its largest picture once, in a width that fits the window', async () => {
    const { page } = await shop.visit('phone');
    const heroes = (await fetchedBy(page, '/')).filter(({ path }) => path.startsWith('/pictures/hero/'));
    // The other pictures of the rotation are fetched after it.
    expect(heroes.map(({ path }) => path).filter((path) => path.includes('cutout-2'))).toEqual(['/pictures/hero/cutout-2-400.avif']);
    expect(heroes).toHaveLength(3);
  });

  test('serves no source maps', async () => {
    const answer = await fetch(`${shop.url}/`);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
    expect(script).toBeDefined();
    expect((await fetch(`${shop.url}${script}.map`)).status).toBe(404);
    expect(await (await fetch(shop.url + script)).text()).not.toContain('sourceMappingURL');
  });
});

test.each(['phone', 'desktop'] as const)("a page with a slow script shows 'Loading...' on a %s", async (screen) => {
  const { page } = await shop.visit(screen);
  await page.goto('/about');
  const release = await holdBack(page, '**/assets/AuthPage-*.js');
  if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  const coming = page.getByRole('banner').getByText('Loading...');
  await coming.waitFor();
  await page.goBack();
  await coming.waitFor({ state: 'detached' });
  await page.goForward();
  await coming.waitFor();
  release();
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(await coming.count()).toBe(0);
});

test('the title that the server sends is the title that the page sets itself', async () => {
  const { page } = await shop.visit('desktop');
  for (const address of ['/', '/shop', '/shop?collection=Musk', '/product/ruh-gulab', '/about', '/reviews', '/terms', '/nowhere']) {
    const [, sent] = /<title>([^<]*)<\/title>/.exec(await (await fetch(shop.url + address)).text()) ?? [];
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe(sent?.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
  }
});

test('an unknown perfume is a 404, which is the only message in the console', async () => {
  const { page, problems } = await shop.visit('phone');
  const answer = await page.goto('/product/leather');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Product not found' }).waitFor();
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

test('a link in the contents of a policy shows its section below the header, and Back returns', async () => {
  const { page } = await shop.visit('desktop');
  await page.goto('/terms');
  await page.getByRole('link', { name: 'Limitation of Liability' }).click();
  const section = page.getByRole('heading', { name: '7. Limitation of Liability' });
  await page.waitForFunction(() => location.hash === '#s7' && scrollY > 0);
  const top = (await section.boundingBox())?.y ?? 0;
  const header = await page.getByRole('banner').boundingBox();
  expect(top).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
  await page.goBack();
  await page.waitForFunction(() => location.hash === '' && scrollY === 0);
});
