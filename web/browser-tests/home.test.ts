import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasNoFaults, lookAtBoth } from './faults.ts';
import { openBrowserShop, screens, type BrowserShop, type Screen } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

/** Scrolls to the footer, so that all pictures load, and up again when they have. */
const readThrough = async (page: Page): Promise<void> => {
  const sections = page.locator('main section, footer');
  for (const section of await sections.all()) await section.scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => scrollTo(0, 0));
};

const openHome = async (screen: Screen) => {
  const visit = await shop.open(screen, '/');
  await visit.page.getByRole('heading', { name: 'Bestsellers' }).waitFor();
  return visit;
};

describe.each(['phone', 'desktop'] as const)('home on a %s', (screen) => {
  test('is complete, has no accessibility faults and writes nothing to the console', async () => {
    const { page, problems } = await openHome(screen);
    await readThrough(page);
    await shop.picture(page, `home-${screen}`);

    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual(
      expect.arrayContaining(['Featured Products', 'Five families', 'From those who wear it', 'Bestsellers', 'Wrapped by hand, for ₹39']),
    );
    await expect.poll(() => page.title()).toBe('Attars and fine perfume from Kannauj · RUHANI');
    await expect.poll(() => widthOf(page)).toBe(screens[screen].width);
    const hero = page.getByRole('img', { name: 'Mogra at Dusk bottle' });
    await expect.poll(() => hero.evaluate((picture) => picture instanceof HTMLImageElement && picture.naturalWidth)).toBeGreaterThan(0);
    // A missing picture is replaced by this placeholder.
    await expect.poll(() => page.locator('img[src$="placeholder.svg"]').count()).toBe(0);
    await hasNoFaults(page);
    expect(problems).toEqual([]);
  });

  test('moves its bestsellers with keys, and makes slides out of view inert', async () => {
    const { page } = await openHome(screen);
    const bestsellers = page.getByRole('region', { name: 'bestsellers' });
    await bestsellers.getByRole('button', { name: 'Next' }).locator('visible=true').focus();
    await page.keyboard.press('ArrowRight');
    await bestsellers
      .getByText(/^2 \/ \d$/)
      .locator('visible=true')
      .waitFor();
    expect(
      await bestsellers
        .getByRole('listitem')
        .first()
        .evaluate((slide) => slide.hasAttribute('inert')),
    ).toBe(true);
  });

  test('moves the focus from a perfume that leaves the view to the first in view', async () => {
    const { page } = await openHome(screen);
    const slides = page.getByRole('region', { name: 'bestsellers' }).getByRole('list').first().locator('> li');
    const focused = () => slides.evaluateAll((all) => all.findIndex((slide) => slide.contains(document.activeElement)));
    await slides.first().getByRole('link').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe(screen === 'phone' ? 1 : 4);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe(0);
  });
});

test('the mobile menu works by keyboard, and makes the page behind it inert', async () => {
  const { page, problems } = await openHome('phone');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  const about = page.getByRole('banner').getByRole('link', { name: 'ABOUT' });
  await about.waitFor();
  await shop.picture(page, 'menu-phone');
  await hasNoFaults(page);
  const behind = page.getByText('Shop the House');
  await expect.poll(() => behind.evaluate((link) => link.closest('[inert]') !== null)).toBe(true);

  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('button', { name: 'Menu' }).evaluate((button) => button === document.activeElement)).toBe(true);

  await menu.click();
  await about.click();
  await page.getByRole('heading', { level: 1, name: 'About Us' }).waitFor();
  await expect.poll(() => page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

test('the first Tab reaches a link that skips the header', async () => {
  const { page } = await openHome('desktop');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
});

/** Pauses the page's time ten minutes ahead, which no slow machine has reached. From then on the test advances it. */
const holdTime = (page: Page): Promise<void> => page.clock.pauseAt(Date.now() + 600_000);

/** Opens the home page with motion and with a clock that the test controls. */
const openMoving = async (screen: Screen) => {
  const { page, problems } = await shop.visit(screen);
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'bestsellers' }).getByRole('article').first().waitFor();
  await holdTime(page);
  return { page, problems };
};
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

const drag = async (page: Page, name: string, by: number): Promise<void> => {
  const box = await carousel(page, name).getByRole('list').first().boundingBox();
  const [x, y] = [screens.desktop.width / 2, (box?.y ?? 0) + 30];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by / 2, y);
  await page.mouse.move(x + by, y);
  await page.mouse.up();
};

describe('the carousels of home', () => {
  test('show 3 reviews and 4 bestsellers on a desktop and 1.2 of each on a phone, 24 px apart', async () => {
    const { page } = await openHome('desktop');
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

  test('advance every four seconds while in view, until they are paused', async () => {
    const { page, problems } = await openMoving('desktop');
    await stepOf(page, 'reviews').scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    await expect.poll(() => step(page, 'reviews')).toBe('1 / 2');
    // The clock runs in steps, because the browser reports visibility in its own time, and the four seconds begin only then.
    await expect.poll(async () => (await page.clock.runFor(1000), step(page, 'reviews')), { timeout: 30_000 }).toBe('2 / 2');

    await carousel(page, 'reviews').getByRole('button', { name: 'Pause reviews' }).locator('visible=true').click();
    await page.mouse.move(0, 0);
    const paused = await step(page, 'reviews');
    await page.clock.runFor(20_000);
    expect(await step(page, 'reviews')).toBe(paused);
    expect(problems).toEqual([]);
  });

  test('change after a drag of 15 % of a slide, not less, and then never advance by themselves', async () => {
    const { page } = await openMoving('desktop');
    await carousel(page, 'reviews').scrollIntoViewIfNeeded();
    const slide = (await carousel(page, 'reviews').getByRole('listitem').first().boundingBox())?.width ?? 0;
    const enough = Math.max(50, 0.15 * slide);
    expect(enough).toBeGreaterThan(50);
    await drag(page, 'reviews', 10 - enough);
    await expect.poll(() => step(page, 'reviews')).toBe('1 / 2');
    await drag(page, 'reviews', -enough - 10);
    await expect.poll(() => step(page, 'reviews')).toBe('2 / 2');
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    await expect.poll(() => step(page, 'reviews')).toBe('2 / 2');
  });

  test('move with arrow keys and buttons, and wrap from the last to the first', async () => {
    const { page } = await openHome('desktop');
    const next = carousel(page, 'reviews').getByRole('button', { name: 'Next' }).locator('visible=true');
    await next.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => step(page, 'reviews')).toBe('2 / 2');
    await next.click();
    await expect.poll(() => step(page, 'reviews')).toBe('1 / 2');
  });
});

describe('the split hero', () => {
  const bottle = (page: Page, name: string) => page.getByRole('img', { name: `${name} bottle` });

  test('shows another bottle every three seconds until it is paused, and has no accessibility faults', async () => {
    const { page, problems } = await shop.visit('desktop');
    await page.clock.install();
    await page.goto('/');
    await bottle(page, 'Mogra at Dusk').waitFor();
    await page.getByText('Trusted by 10,000+ happy customers').waitFor();
    await holdTime(page);
    await expect.poll(async () => (await page.clock.runFor(500), bottle(page, 'Oud Saffron Majlis').count()), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => bottle(page, 'Mogra at Dusk').count()).toBe(0);
    await page.clock.runFor(3000);
    await bottle(page, 'Ruh Gulab crystal attar').waitFor();

    await page.getByRole('button', { name: 'Pause rotation' }).click();
    await page.mouse.move(0, 0);
    await page.clock.runFor(9000);
    await expect.poll(() => bottle(page, 'Ruh Gulab crystal attar').count()).toBe(1);
    // The check for faults waits by the page's clock.
    await page.clock.resume();
    await lookAtBoth(shop, page, 'home-split');
    expect(problems).toEqual([]);
  });

  test('does not move with reduced motion, but can be played', async () => {
    const { page } = await shop.visit('phone');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.clock.install();
    await page.goto('/');
    await bottle(page, 'Mogra at Dusk').waitFor();
    await holdTime(page);
    await page.clock.runFor(20_000);
    await expect.poll(() => bottle(page, 'Mogra at Dusk').count()).toBe(1);
    await page.getByRole('button', { name: 'Play rotation' }).click();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await page.clock.runFor(500), bottle(page, 'Oud Saffron Majlis').count()), { timeout: 30_000 }).toBe(1);
  });
});

test.each(['center', 'split'] as const)(
  'HERO=%s: the server renders that hero with its claim, and the browser renders the same',
  async (variant) => {
    const chosen = await openBrowserShop({ HERO: variant });
    onTestFinished(chosen.close);
    expect(await (await fetch(chosen.url)).text()).toContain('Trusted by 10,000+ happy customers');
    const { page, problems } = await chosen.open('phone', '/about');
    await page.getByRole('link', { name: 'RUHANI' }).first().click();
    const hero = page.getByRole('img', { name: variant === 'center' ? /^Three Ruhani bottles/ : 'Mogra at Dusk bottle' });
    await hero.waitFor();
    await page.reload();
    await hero.waitFor();
    await lookAtBoth(chosen, page, `home-${variant}`);
    expect(problems).toEqual([]);
  },
);

test('a notice is shown while the network is lost, and disappears when it is back', async () => {
  const { page } = await openHome('phone');
  await page.context().setOffline(true);
  await page.getByRole('status').getByText('You are offline.', { exact: false }).waitFor();
  await hasNoFaults(page);
  await page.context().setOffline(false);
  await page.getByText('You are offline.', { exact: false }).waitFor({ state: 'detached' });
});

test("a page's script is loaded before its link is pressed", async () => {
  const { page } = await openHome('desktop');
  const fetched = page.waitForResponse(/\/assets\/AboutPage-.*\.js$/);
  await page.getByRole('banner').getByRole('link', { name: 'ABOUT' }).hover();
  expect((await fetched).status()).toBe(200);
  expect(new URL(page.url()).pathname).toBe('/');
});
