import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import { holdBack, home, openBrowserShop, watchShifts, works, type BrowserShop } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

/** The whole first load of `/`, compressed (what the shop promises its shoppers). */
const MOST_SCRIPT = 130_000;

type Fetched = { readonly path: string; readonly bytes: number };

/** Everything that a first visit fetches until the network is quiet, in bytes as they came over the wire. */
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
  test('of a visitor makes no call; whoever has put something into the cart finds it counted', async () => {
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
    'of %s is drawn before any script, and taken over as it stands',
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

  test('does what was typed and pressed on it before it worked', async () => {
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

  test.each([390, 768, 1440])('keeps all that was typed into a form of %i px before it worked', async (width) => {
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

  test('of a page that is not rendered beforehand says that it is on its way', async () => {
    const { page } = await shop.visit('phone');
    const release = await holdBack(page, SCRIPTS);
    await page.goto('/signup', { waitUntil: 'commit' });
    const said = () => page.evaluate(() => getComputedStyle(document.getElementById('root') ?? document.body, '::before').content);
    await expect.poll(said).toBe('"Loading..."');
    release();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await said()).toBe('none');
  });

  test('says so when its scripts do not come, and works once it is loaded again', async () => {
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

  test(`of home carries no more than ${MOST_SCRIPT / 1000} kB of script, and none that only others need`, async () => {
    const { page, problems } = await shop.visit('phone');
    const scripts = (await fetchedBy(page, '/')).filter(({ path }) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    expect(total(scripts)).toBeLessThanOrEqual(MOST_SCRIPT);
    expect(scripts.map(({ path }) => path).join()).not.toMatch(/\/(?:Shop|Product)-|AuthPage|UserMenu|SiteManager|Audit/);
    expect(problems).toEqual([]);
  });

  test.each(['/', '/shop', '/shop?collection=Floral', '/product/oud-saffron-majlis'])('of %s has its products along', async (address) => {
    const { page } = await shop.visit('desktop');
    const paths = (await fetchedBy(page, address)).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/api/product'))).toEqual([]);
    await page.getByRole('article').first().waitFor();
  });

  test.each(['phone', 'desktop'] as const)('of home shifts nothing on a %s', async (screen) => {
    const { page } = await shop.visit(screen);
    const shifted = await watchShifts(page);
    await fetchedBy(page, '/');
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test.each(['/forgot-password', '/reset-password', '/unsubscribe', '/product/none', '/nowhere', '/admin/site-manager'])(
    'of %s, which does not come drawn, keeps its footer where it is',
    async (address) => {
      const { page } = await shop.visit('phone');
      const shifted = await watchShifts(page);
      await fetchedBy(page, address);
      expect(await shifted()).toBeLessThanOrEqual(0.001);
    },
  );

  test('of those who must sign in first keeps its footer where it is until the sign-in is there', async () => {
    const { page } = await shop.visit('phone');
    const shifted = await watchShifts(page);
    await fetchedBy(page, '/viewAllOrders');
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test('of an order keeps its footer where it is until the order is there', async () => {
    const { page } = await shop.visit('phone');
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } });
    const checkedOut = await page.request.post('/api/order/create-order', { data: { shipping: home } });
    const { order } = (await checkedOut.json()) as { order: OrderView };
    const shifted = await watchShifts(page);
    await fetchedBy(page, `/review-order/${order._id}`);
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  test('of the cart asks for it once', async () => {
    const { page } = await shop.visit('phone');
    await page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab' } });
    // On a slow machine the network is idle before the scripts have asked.
    const fetched = await fetchedBy(page, '/cart', page.getByRole('link', { name: 'Proceed to Checkout' }));
    expect(fetched.filter(({ path }) => path === '/api/cart/get-cart')).toHaveLength(1);
  });

  test('of home paints its largest picture in a width made for this window, and fetches it once', async () => {
    const { page } = await shop.visit('phone');
    const heroes = (await fetchedBy(page, '/')).filter(({ path }) => path.startsWith('/pictures/hero/'));
    // The others of the rotation come after it.
    expect(heroes.map(({ path }) => path).filter((path) => path.includes('cutout-2'))).toEqual(['/pictures/hero/cutout-2-400.avif']);
    expect(heroes).toHaveLength(3);
  });

  test('keeps no map from the built script to its source', async () => {
    const answer = await fetch(`${shop.url}/`);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
    expect(script).toBeDefined();
    expect((await fetch(`${shop.url}${script}.map`)).status).toBe(404);
    expect(await (await fetch(shop.url + script)).text()).not.toContain('sourceMappingURL');
  });
});

test.each(['phone', 'desktop'] as const)('a page whose script is slow says on a %s that it is on its way', async (screen) => {
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

test('the words that the server gives a page are those that the page gives itself', async () => {
  const { page } = await shop.visit('desktop');
  for (const address of ['/', '/shop', '/shop?collection=Musk', '/product/ruh-gulab', '/about', '/reviews', '/terms', '/nowhere']) {
    const [, sent] = /<title>([^<]*)<\/title>/.exec(await (await fetch(shop.url + address)).text()) ?? [];
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe(sent?.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
  }
});

test('a perfume that is not there is 404, and nothing of that stands in the console but the answer itself', async () => {
  const { page, problems } = await shop.visit('phone');
  const answer = await page.goto('/product/leather');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Product not found' }).waitFor();
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

test('a section of a policy is reached from its contents, stands clear of the header, and Back returns', async () => {
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
