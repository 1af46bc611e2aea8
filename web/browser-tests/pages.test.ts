import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pages } from '#domain/site/pages.ts';
import { checkOut } from './customers.ts';
import { findInvalid } from './faults.ts';
import { holdBack, savePicture, screens, shop, watchShifts, works } from './harness.ts';

/** The whole first load of `/` has at most this many bytes of compressed script, as the shop promises. */
const MOST_SCRIPT = 132_000;

type Fetched = { readonly path: string; readonly bytes: number };

/** Returns everything that a first visit fetches until the network is quiet, with sizes in bytes as sent. */
const fetchedBy = async (page: Page, address: string): Promise<Fetched[]> => {
  const finished: Request[] = [];
  const keep = (request: Request) => finished.push(request);
  page.on('requestfinished', keep);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  page.off('requestfinished', keep);
  return Promise.all(
    finished.map(async (request) => ({ path: new URL(request.url()).pathname, bytes: (await request.sizes()).responseBodySize })),
  );
};

const SCRIPTS = '**/assets/*.js';

test('every page from the server is valid HTML', async () => {
  const others = ['/shop?collection=Oud', '/shop?sort=price', '/product/none', '/nowhere', '/dev/mailbox', '/dev/mailbox/gallery'];
  const faults = await Promise.all(
    [...Object.values(pages), ...others].map(async (path) => {
      const address = shop.url + path.replace(/:\w+/, 'ruh-gulab');
      return (await findInvalid(await (await fetch(address)).text())).map((fault) => `${path}: ${fault}`);
    }),
  );
  expect(faults.flat()).toEqual([]);
});

test.each(['phone', 'desktop'] as const)('the whole hero stands in the first screen of a %s', async (screen) => {
  const { page } = await shop.open(screen, '/');
  const hero = await page.getByRole('region', { name: 'Introduction' }).boundingBox();
  expect((hero?.y ?? 0) + (hero?.height ?? Infinity)).toBeLessThanOrEqual(screens[screen].height);
});

describe('the first load', () => {
  test('of a new visitor makes no API call and keeps its title, and of a visitor with a cart shows its count', async () => {
    const { page, problems } = await shop.visit('desktop');
    const calls = (files: readonly Fetched[]) => files.map(({ path }) => path).filter((path) => path.startsWith('/api/'));
    for (const address of ['/', '/shop?collection=Floral', '/product/ruh-gulab', '/cart', '/checkout', '/about', '/terms']) {
      expect(calls(await fetchedBy(page, address)), address).toEqual([]);
      const [, sent] = /<title>([^<]*)<\/title>/.exec(await (await fetch(shop.url + address)).text()) ?? [];
      await expect.poll(() => page.title()).toBe(sent?.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
    }
    expect(await page.context().cookies()).toEqual([]);
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

  test('keeps all text typed into a form, and the click that sends it, from before hydration', async () => {
    const { page, problems } = await shop.visit('phone');
    const release = await holdBack(page, /\/assets\/(?:main|libraries|shop)-/);
    await page.goto('/contact', { waitUntil: 'load' });
    const typed = { Name: 'Meera', Phone: '98470', Email: 'meera@example.com', Message: 'Is the rose here?' };
    const form = page.locator('main form');
    for (const [label, text] of Object.entries(typed)) await form.getByLabel(label).fill(text);
    await form.getByRole('button', { name: 'Send Message' }).click();
    const sent = page.waitForRequest('**/api/contact');
    release();
    expect((await sent).postDataJSON()).toMatchObject({ name: 'Meera', phone: '98470', message: 'Is the rose here?' });
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

  test.each(['phone', 'desktop'] as const)('of home on a %s is complete and light, and shifts nothing', async (screen) => {
    const { page, problems } = await shop.visit(screen, 'newcomer');
    const shifted = await watchShifts(page);
    const files = await fetchedBy(page, '/');
    const scripts = files.filter(({ path }) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_SCRIPT);
    expect(scripts.map(({ path }) => path).join()).not.toMatch(/\/(?:Shop|Product)-|AuthPage|UserMenu|SiteManager|Audit/);
    expect(await shifted()).toBeLessThanOrEqual(0.02);
    const heroes = files.map(({ path }) => path).filter((path) => path.startsWith('/pictures/hero/'));
    // The other pictures of the rotation are fetched after it.
    expect(heroes.filter((path) => path.includes('cutout-2'))).toEqual([expect.stringMatching(/cutout-2-\d+\.avif$/)]);
    if (screen === 'phone') expect(heroes).toContain('/pictures/hero/cutout-2-400.avif');
    expect(heroes).toHaveLength(3);

    // All pictures load on the way to the footer.
    for (const section of await page.locator('main section, footer').all()) await section.scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    await savePicture(page, `home-${screen}`);
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual(
      expect.arrayContaining(['Featured Products', 'Five families', 'From those who wear it', 'Bestsellers', 'Wrapped by hand, for ₹39']),
    );
    // A missing picture is replaced by this placeholder.
    expect(await page.locator('img[src$="placeholder.svg"]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('of a page that the server does not render does not move its footer', async () => {
    const { page } = await shop.visit('phone');
    const shifted = await watchShifts(page);
    const { _id } = await checkOut(page);
    const exact = ['/forgot-password', '/reset-password', '/unsubscribe', '/product/none', '/nowhere', '/admin/site-manager'];
    for (const address of [...exact, '/viewAllOrders', `/review-order/${_id}`]) {
      await fetchedBy(page, address);
      expect(await shifted(), address).toBeLessThanOrEqual(exact.includes(address) ? 0.001 : 0.02);
    }
  });

  test('serves no source maps', async () => {
    const answer = await fetch(`${shop.url}/`);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
    expect(script).toBeDefined();
    expect((await fetch(`${shop.url}${script}.map`)).status).toBe(404);
    expect(await (await fetch(shop.url + script)).text()).not.toContain('sourceMappingURL');
  });
});

test("a page with a slow script shows 'Loading...'", async () => {
  const { page } = await shop.visit('phone', 'newcomer');
  await page.goto('/about');
  const release = await holdBack(page, '**/assets/AuthPage-*.js');
  await page.getByRole('button', { name: 'Menu' }).click();
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

const carousel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const stepOf = (page: Page, name: string) =>
  carousel(page, name)
    .getByText(/^\d \/ \d$/)
    .locator('visible=true');
const step = async (page: Page, name: string): Promise<string | null> => stepOf(page, name).textContent();

/** Returns the number of slides that are fully in view, plus the visible part of the next. */
const inView = (page: Page, name: string): Promise<number> =>
  carousel(page, name)
    .getByRole('list')
    .first()
    .evaluate((track) => {
      const slides = [...track.children].filter((slide) => slide instanceof HTMLElement && slide.parentElement === track);
      const left = slides[0]?.getBoundingClientRect().left ?? 0;
      const right = innerWidth - left;
      const whole = slides.filter((slide) => slide.getBoundingClientRect().right <= right + 1).length;
      const next = slides[whole]?.getBoundingClientRect();
      return next && next.left < right ? whole + (right - next.left) / next.width : whole;
    });

const gapOf = (page: Page, name: string): Promise<string> =>
  carousel(page, name)
    .getByRole('list')
    .first()
    .evaluate((track) => getComputedStyle(track).columnGap);

test('the carousels of home show 3 reviews and 4 bestsellers on a desktop and 1.2 of each on a phone, 24 px apart', async () => {
  const { page } = await shop.open('desktop', '/');
  for (const [screen, reviews, bestsellers] of [
    ['desktop', 3, 4],
    ['phone', 1.2, 1.2],
  ] as const) {
    await page.setViewportSize(screens[screen]);
    for (const [name, many] of Object.entries({ reviews, bestsellers })) {
      await expect.poll(() => inView(page, name)).toBeCloseTo(many, 1);
      await expect.poll(() => gapOf(page, name)).toBe('24px');
    }
  }
});

test('the carousels of home advance every four seconds while in view, until they are paused', async () => {
  const { page, problems } = await shop.visit('desktop', 'newcomer');
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'bestsellers' }).getByRole('article').first().waitFor();
  // The page's time is paused ten minutes ahead, which no slow machine has reached. From then on the test advances it.
  await page.clock.pauseAt(Date.now() + 600_000);
  await stepOf(page, 'reviews').scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  await expect.poll(() => step(page, 'reviews')).toBe('1 / 2');
  // The clock runs in steps, because the browser reports visibility in its own time, and the four seconds begin only then.
  await expect.poll(async () => (await page.clock.runFor(1000), step(page, 'reviews'))).toBe('2 / 2');

  await carousel(page, 'reviews').getByRole('button', { name: 'Pause reviews' }).locator('visible=true').click();
  await page.mouse.move(0, 0);
  const paused = await step(page, 'reviews');
  await page.clock.runFor(20_000);
  expect(await step(page, 'reviews')).toBe(paused);
  expect(problems).toEqual([]);
});

test("a page's script is loaded before its link is pressed", async () => {
  const { page } = await shop.visit('desktop', 'newcomer');
  await page.goto('/');
  const fetched = page.waitForResponse(/\/assets\/AboutPage-.*\.js$/);
  await page.getByRole('banner').getByRole('link', { name: 'ABOUT' }).hover();
  expect((await fetched).status()).toBe(200);
  expect(new URL(page.url()).pathname).toBe('/');
});
