import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { alert, button, enlargeProducts, heading, longName, NOT_FOUND, press, refuseAll, RESTING, testScreens, text } from './a11y.ts';
import { walk } from './faults.ts';
import { shop } from './harness.ts';

const refuse = (page: Page) => refuseAll(page, '**/api/product?**');
const neverAnswer = (page: Page) => page.route('**/api/product?**', () => undefined);
const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search products' }).fill(text);
};

testScreens('stranger', [
  { name: 'home', address: '/', shows: heading('Bestsellers') },
  { name: 'the shop', address: '/shop' },
  {
    name: 'the shop, filtered, of long names',
    address: '/shop?collection=floral,musk&maxPrice=2800&sort=price&q=a',
    before: enlargeProducts,
    shows: longName,
  },
  { name: 'the shop, empty', address: '/shop?collection=attar&maxPrice=100', shows: text('No products found in Attar') },
  { name: 'the shop, loading', address: '/shop?q=oud', before: neverAnswer, shows: text('Loading products...') },
  { name: 'the shop, failed', address: '/shop?q=oud', before: refuse, shows: text('Failed to load products.'), says: RESTING },
  { name: 'the filter panel', address: '/shop', reach: press('Filter & Sort'), shows: button('Show 30 perfumes') },
  { name: 'a perfume', address: '/product/oud-saffron-majlis', shows: text('You May Also Like') },
  { name: 'a perfume out of stock', address: '/product/ruh-khus' },
  { name: 'a perfume that is not there', address: '/product/leather', says: NOT_FOUND },
  { name: 'about', address: '/about' },
  { name: 'the reviews', address: '/reviews' },
  { name: 'the return policy', address: '/return-policy' },
  { name: 'the privacy policy', address: '/privacy-policy' },
  { name: 'the terms', address: '/terms' },
  { name: 'not found', address: '/nowhere', says: NOT_FOUND },
  {
    name: 'the error screen',
    address: '/about',
    before: (page) => page.route('**/assets/AboutPage-*.js', (route) => route.abort()),
    shows: heading('Something went wrong'),
    says: /AboutPage|ERR_FAILED/,
  },
  {
    name: 'a page whose words did not come',
    address: '/shop',
    before: (page) => page.route('**/assets/site-content-*.js', (route) => route.abort()),
    shows: text('Part of this page could not be loaded. Check your connection.'),
    says: /site-content|ERR_FAILED/,
  },
  {
    name: 'the search',
    address: '/about',
    reach: async (page) => {
      await search(page, 'oud');
      await page.getByText('5 matches').waitFor();
      await page.keyboard.press('ArrowDown');
    },
    shows: (page) => page.getByRole('option', { selected: true }),
  },
  {
    name: 'the menu',
    address: '/about',
    reach: press('Menu'),
    shows: (page) => page.getByRole('banner').getByRole('link', { name: 'ABOUT' }),
    only: 'phone',
  },
  { name: 'the contact page', address: '/contact', shows: (page) => page.getByRole('textbox', { name: 'Message' }) },
  { name: 'the contact page, refused', address: '/contact', reach: press('Send Message'), shows: alert },
  { name: 'leaving the letters', address: '/unsubscribe' },
  { name: 'ending notices', address: '/notices/end/token' },
  { name: 'signing in', address: '/signin' },
  { name: 'signing up', address: '/signup' },
  { name: 'a forgotten password', address: '/forgot-password' },
]);

describe('a shopper with a keyboard', () => {
  const open = async (address: string): Promise<Page> => {
    const { page } = await shop.open('desktop', address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return page;
  };

  test.each(['/', '/shop?collection=floral', '/product/oud-saffron-majlis'])(
    'sees the focus on %s, forwards and backwards: in the header first, then on the page and in the footer',
    async (address) => {
      const page = await open(address);
      for (const key of ['Tab', 'Shift+Tab'] as const) {
        const stops = await walk(page, key);
        expect(stops.filter(({ seen, marked }) => !seen || !marked)).toEqual([]);
        const names = stops.map(({ name }) => name);
        if (key === 'Shift+Tab') names.reverse();
        expect(names.slice(0, 6)).toEqual(['A Skip to content', 'A RUHANI, home', 'A HOME', 'A SHOP', 'A ABOUT', 'A CONTACT']);
        expect(names.indexOf('A care@ruhani.example')).toBeGreaterThan(names.indexOf('A Sign in') + 5);
      }
    },
  );

  test('reaches the skip link first, which leads to the page', async () => {
    const page = await open('/about');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  test('stays in the filter panel until it is closed, and is then on its button', async () => {
    const page = await open('/shop');
    const button = page.getByRole('button', { name: 'Filter & Sort' });
    await button.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Filter & Sort' });
    await panel.waitFor();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab');
      await expect.poll(() => panel.evaluate((each) => each.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Filter & Sort');
  });
});

test('with reduced motion, nothing rotates, slides, fades or grows by itself', async () => {
  const { page } = await shop.visit('desktop', 'newcomer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'bestsellers' }).getByRole('article').first().scrollIntoViewIfNeeded();
  await page.clock.runFor(30_000);
  await expect(
    page
      .getByText(/^1 \/ \d$/)
      .locator('visible=true')
      .count(),
  ).resolves.toBe(2);
  const moving = await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(moving).toBe(0);
});
