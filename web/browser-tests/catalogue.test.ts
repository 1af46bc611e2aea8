import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enter, seenByOthers } from './customers.ts';
import { fits, lookAt, lookAtBoth } from './faults.ts';
import { admin, openBrowserShop, type BrowserShop } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const perfumes = (page: Page) => page.getByRole('list', { name: 'Perfumes' }).getByRole('article');
/** Returns the prices of the current listing, not of the one before it. */
const pricesOf = async (page: Page): Promise<number[]> => {
  await page.locator('[aria-label="Perfumes"][aria-busy="false"]').waitFor();
  const prices = await perfumes(page).getByText('₹').allTextContents();
  return prices.map((price) => Number(price.replace(/[^\d.]/g, '')));
};

/** Scrolls down until every picture has loaded, except those out of view in a carousel, and then up again. */
const readThrough = (page: Page) =>
  page.evaluate(async () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>('main img')) {
      picture.scrollIntoView({ block: 'center', inline: 'nearest' });
      if (picture.getBoundingClientRect().left < innerWidth) await picture.decode();
    }
    scrollTo(0, 0);
  });

const toTheFoot = (page: Page) => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
const placeOf = (page: Page): Promise<number> => page.evaluate(() => Math.round(scrollY));

describe('the catalogue', () => {
  test('leads from home to the shop, through a filter to a perfume, and back to the same filter', async () => {
    const { page, problems } = await shop.open('phone', '/');
    await page.getByRole('link', { name: 'View All Products' }).locator('visible=true').click();
    await page.getByRole('heading', { level: 1, name: 'All perfumes' }).waitFor();
    await page.getByText('30 perfumes').waitFor();

    await page.getByRole('button', { name: 'Filter & Sort' }).click();
    const panel = page.getByRole('dialog', { name: 'Filter & Sort' });
    await panel.getByText('Floral').click();
    await panel.getByText('Musk').click();
    await panel.getByText('Price, low to high').click();
    await panel.getByRole('slider', { name: 'Highest price' }).focus();
    for (let step = 0; step < 22; step++) await page.keyboard.press('ArrowLeft');
    await panel.getByRole('button', { name: 'Show 11 perfumes' }).waitFor();
    await lookAtBoth(shop, page, 'filter-panel');
    expect(new URL(page.url()).search).toBe('');

    await panel.getByRole('button', { name: 'Show 11 perfumes' }).click();
    await page.getByText('11 perfumes', { exact: true }).waitFor();
    await panel.waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.getByRole('button', { name: 'Filter & Sort' }).evaluate((button) => button === document.activeElement))
      .toBe(true);
    const filtered = page.url();
    expect(new URL(filtered).search).toBe('?collection=floral,musk&maxPrice=2800&sort=price');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Floral, Musk');
    await expect.poll(() => page.title()).toBe('Floral, Musk · RUHANI');
    const prices = await pricesOf(page);
    expect(prices).toHaveLength(11);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    await lookAtBoth(shop, page, 'shop-filtered');

    const name = (await perfumes(page).first().getByRole('heading').textContent()) ?? '';
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
    await expect.poll(() => page.title()).toBe(`${name} · RUHANI`);
    await expect.poll(() => fits(page)).toBe(true);

    await page.goBack();
    await page.getByText('11 perfumes', { exact: true }).waitFor();
    expect(page.url()).toBe(filtered);
    await expect.poll(() => pricesOf(page)).toEqual(prices);
    expect(problems).toEqual([]);
  });

  test.each(['phone', 'desktop'] as const)(
    'shows twenty perfumes on a %s and the others near the end, and Back restores the scroll position',
    async (screen) => {
      const { page, problems } = await shop.open(screen, '/shop');
      await page.getByText('Showing 20 of 30').waitFor();
      await expect.poll(() => perfumes(page).count()).toBe(20);
      await toTheFoot(page);
      await perfumes(page).nth(29).waitFor();

      const last = perfumes(page).nth(27);
      await last.scrollIntoViewIfNeeded();
      const place = await placeOf(page);
      await last.getByRole('link').click();
      await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
      await expect.poll(() => placeOf(page)).toBe(0);

      await page.goBack();
      await perfumes(page).nth(29).waitFor();
      await page.waitForFunction((there) => Math.abs(scrollY - there) < 2, place);
      // The listing also has its former length when only the history entry is left.
      await page.reload();
      await perfumes(page).nth(29).waitFor();
      await page.waitForFunction((there) => Math.abs(scrollY - there) < 2, place);
      await readThrough(page);
      await shop.picture(page, `shop-${screen}`);
      expect(problems).toEqual([]);
    },
  );
});

test.each(['phone', 'desktop'] as const)('the product page shows pictures, facts and related perfumes on a %s', async (screen) => {
  const { page, problems } = await shop.open(screen, '/product/oud-saffron-majlis');
  await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
  await readThrough(page);
  await shop.picture(page, `product-${screen}`);
  await expect.poll(() => page.getByRole('term').allTextContents()).toEqual(['Top', 'Heart', 'Base']);
  await page.getByRole('button', { name: 'Increase quantity of Oud Saffron Majlis' }).click();
  await expect.poll(() => page.getByRole('group', { name: 'Quantity of Oud Saffron Majlis' }).getByRole('status').textContent()).toBe('2');
  expect(problems).toEqual([]);
});

test('a reduced price is shown with the lowest price of the 30 days before', async () => {
  const { page: desk } = await shop.visit('desktop');
  await enter(desk, admin);
  expect((await desk.request.put('/api/product/neroli-verandah', { data: { price: '₹1,950.00' } })).status()).toBe(200);
  await seenByOthers(shop, '/api/product/neroli-verandah', { price: '₹1,950.00' });
  for (const screen of ['phone', 'desktop'] as const) {
    const { page, problems } = await shop.open(screen, '/product/neroli-verandah');
    await page.getByRole('heading', { name: 'You May Also Like' }).waitFor();
    await page.getByText(/^Reduced on \d+ \w+ \d{4}\. Lowest price in the 30 days before: ₹2,250\.00$/).waitFor();
    await lookAt(shop, page, `product-reduced-${screen}`, { narrow: true });
    expect(problems).toEqual([]);
  }
});

test('on a phone, a swipe shows the second picture of a perfume, and its position is marked', async () => {
  const { page } = await shop.open('phone', '/product/oud-saffron-majlis');
  const pictures = page.getByRole('region', { name: 'Pictures of Oud Saffron Majlis' });
  await pictures.evaluate((strip) => strip.scrollTo({ left: strip.clientWidth }));
  await pictures.getByAltText('Oud Saffron Majlis seen closer', { exact: false }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[aria-label^="Pictures"] + div span')[1]?.classList.contains('bg-ink'));
});

test('Enter in a price input applies the price and shows the perfumes', async () => {
  const { page } = await shop.open('desktop', '/shop');
  await page.getByRole('button', { name: 'Filter & Sort' }).click();
  await page.getByRole('textbox', { name: 'To' }).fill('₹1,950');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Up to ₹1,950' }).waitFor();
  expect(new URL(page.url()).search).toBe('?maxPrice=1950');
  expect(Math.max(...(await pricesOf(page)))).toBeLessThanOrEqual(1950);
});

test('the filter panel fits a screen of 320 px', async () => {
  const { page } = await shop.open('phone', '/shop', 320);
  await page.getByRole('button', { name: 'Filter & Sort' }).click();
  const show = await page.getByRole('button', { name: 'Show 30 perfumes' }).boundingBox();
  expect((show?.x ?? 0) + (show?.width ?? 0)).toBeLessThanOrEqual(320);
});
