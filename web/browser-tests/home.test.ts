import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowserShop, screens, type BrowserShop, type Screen } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

/** What axe finds against WCAG 2.2 AA and its own best practice: rule and place. */
const faultsOf = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

/** Down to the foot, so that pictures come into view and are fetched, and up again when they are there. */
const readThrough = async (page: Page): Promise<void> => {
  const sections = page.locator('main section, footer');
  for (const section of await sections.all()) await section.scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => scrollTo(0, 0));
};

const openHome = async (screen: Screen) => {
  const visit = await shop.visit(screen);
  // Without motion nothing is half way when it is looked at.
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  await visit.page.goto('/');
  await visit.page.getByRole('heading', { name: 'Bestsellers' }).waitFor();
  return visit;
};

describe.each(['phone', 'desktop'] as const)('home on a %s', (screen) => {
  test('is whole, without a fault and without a word in the console', async () => {
    const { page, problems } = await openHome(screen);
    await readThrough(page);
    await shop.picture(page, `home-${screen}`);

    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual(
      expect.arrayContaining(['Featured Products', 'Five families', 'From those who wear it', 'Bestsellers', 'Wrapped by hand, for ₹39']),
    );
    expect(await page.title()).toBe('Attars and fine perfume from Kannauj · RUHANI');
    expect(await widthOf(page)).toBe(screens[screen].width);
    const hero = page.getByRole('img', { name: /^Three Ruhani bottles/ });
    expect(await hero.evaluate((picture) => picture instanceof HTMLImageElement && picture.naturalWidth)).toBeGreaterThan(0);
    // What a missing picture falls back to.
    expect(await page.locator('img[src$="placeholder.svg"]').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('finds a perfume by a part of its name, from the header', async () => {
    const { page, problems } = await openHome(screen);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Search products' }).fill('oud');
    await page.getByText('5 matches').waitFor();
    expect(await page.getByRole('listbox').evaluate((list) => list.getBoundingClientRect().height)).toBe(120);
    await page.keyboard.press('ArrowDown');
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole('option', { name: /Assam Oud Noir/ }).click();
    await page.waitForURL(/\/product\/[^/]+$/);
    expect(await page.getByRole('combobox').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('moves its bestsellers with keys, and keeps out of reach what is out of view', async () => {
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
});

test('home fits a screen of 320 px', async () => {
  const { page } = await openHome('phone');
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await widthOf(page)).toBe(320);
});

test('the menu of a phone leads on by keyboard, and lets nothing behind it be reached', async () => {
  const { page, problems } = await openHome('phone');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  const about = page.getByRole('banner').getByRole('link', { name: 'ABOUT' });
  await about.waitFor();
  await shop.picture(page, 'menu-phone');
  expect(await faultsOf(page)).toEqual([]);
  const behind = page.getByText('Shop the House');
  expect(await behind.evaluate((link) => link.closest('[inert]') !== null)).toBe(true);

  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Menu' }).evaluate((button) => button === document.activeElement)).toBe(true);

  await menu.click();
  await about.click();
  await page.getByRole('heading', { level: 1, name: 'About Us' }).waitFor();
  expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

test('a page is reached past the header with the first Tab', async () => {
  const { page } = await openHome('desktop');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});

test.each(['/about', '/reviews', '/return-policy', '/privacy-policy', '/terms'])('%s is without a fault', async (path) => {
  const { page, problems } = await shop.visit('phone');
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await widthOf(page)).toBe(screens.phone.width);
  expect(await faultsOf(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('an address that leads nowhere says so, with the way back', async () => {
  const { page } = await shop.visit('desktop');
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Oops! Page Not Found' }).waitFor();
  await shop.picture(page, 'not-found-desktop');
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go Back Home' }).click();
  await page.getByRole('heading', { name: 'Bestsellers' }).waitFor();
});
