import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shop } from './harness.ts';

const perfumes = (page: Page) => page.getByRole('list', { name: 'Perfumes' }).getByRole('article');
/** Returns the prices of the current listing, not of the one before it. */
const pricesOf = async (page: Page): Promise<number[]> => {
  await page.locator('[aria-label="Perfumes"][aria-busy="false"]').waitFor();
  const prices = await perfumes(page).getByText('₹').allTextContents();
  return prices.map((price) => Number(price.replace(/[^\d.]/g, '')));
};

const placeOf = (page: Page): Promise<number> => page.evaluate(() => Math.round(scrollY));

test('the catalogue leads from home to the shop, through a filter to a perfume, and back to the same filter', async () => {
  const { page, problems } = await shop.open('phone', '/');
  await page.getByRole('link', { name: 'View All Products' }).locator('visible=true').click();
  await page.getByRole('heading', { level: 1, name: 'All perfumes' }).waitFor();

  await page.getByRole('button', { name: 'Filter & Sort' }).click();
  const panel = page.getByRole('dialog', { name: 'Filter & Sort' });
  await panel.getByText('Floral').click();
  await panel.getByText('Musk').click();
  await panel.getByText('Price, low to high').click();
  await page.setViewportSize({ width: 320, height: 640 });
  const show = await panel.getByRole('button', { name: /^Show \d+ perfumes$/ }).boundingBox();
  expect((show?.x ?? 0) + (show?.width ?? 0)).toBeLessThanOrEqual(320);

  await panel.getByRole('textbox', { name: 'To' }).fill('₹2,800');
  await page.keyboard.press('Enter');
  await page.getByText('11 perfumes', { exact: true }).waitFor();
  await panel.waitFor({ state: 'hidden' });
  const filtered = page.url();
  expect(new URL(filtered).search).toBe('?collection=floral,musk&maxPrice=2800&sort=price');
  const prices = await pricesOf(page);
  expect(prices).toHaveLength(11);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));

  const name = (await perfumes(page).first().getByRole('heading').textContent()) ?? '';
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  await page.goBack();
  await page.getByText('11 perfumes', { exact: true }).waitFor();
  expect(page.url()).toBe(filtered);
  await expect.poll(() => pricesOf(page)).toEqual(prices);
  expect(problems).toEqual([]);
});

test('the catalogue shows twenty perfumes and the others near the end, and Back restores the scroll position', async () => {
  const { page, problems } = await shop.open('desktop', '/shop');
  await page.getByText('Showing 20 of 30').waitFor();
  await expect.poll(() => perfumes(page).count()).toBe(20);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
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
  expect(problems).toEqual([]);
});

test('on a phone, a swipe shows the second picture of a perfume, and its position is marked', async () => {
  const { page } = await shop.open('phone', '/product/oud-saffron-majlis');
  const pictures = page.getByRole('region', { name: 'Pictures of Oud Saffron Majlis' });
  await pictures.evaluate((strip) => strip.scrollTo({ left: strip.clientWidth }));
  await pictures.getByAltText('Oud Saffron Majlis seen closer', { exact: false }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[aria-label^="Pictures"] + div span')[1]?.classList.contains('bg-ink'));
});
