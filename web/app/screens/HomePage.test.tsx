import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DESKTOP, everythingIsInView, mediaThatHold } from '../../testing/in-view.ts';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { HomePage } from './HomePage.tsx';
import { perfume } from '../../testing/perfumes.ts';
import { getTexts } from '../../testing/interactions.ts';

const perfumes = (count: number, of: string, isFeatured = false) =>
  Array.from({ length: count }, (_, index) => perfume({ name: `${of} ${index}`, isFeatured }));

const shopWith = (featured: number, bestsellers: number) =>
  answerCalls(({ params }) => ({ data: params['isFeatured'] ? perfumes(featured, 'Featured') : perfumes(bestsellers, 'Bestseller') }));

beforeEach(() => {
  everythingIsInView();
  mediaThatHold(...DESKTOP);
});

test('the home page shows at most three featured perfumes in a row', async () => {
  shopWith(5, 0);
  renderPart(<HomePage />);
  const row = within(await screen.findByRole('region', { name: 'featured products' }));
  expect(row.getAllByRole('article')).toHaveLength(3);
});

test('the home page hides featured products and bestsellers when there are none', async () => {
  const asked = shopWith(0, 0);
  renderPart(<HomePage />);
  await expect.poll(() => screen.queryByText('Featured Products')).toBeNull();
  expect(screen.queryByText('Bestsellers')).toBeNull();
  expect(asked).toHaveLength(2);
});

test('the home page shows up to four bestsellers as a row, more as a slider', async () => {
  shopWith(0, 5);
  renderPart(<HomePage />);
  const slider = within(await screen.findByRole('region', { name: 'bestsellers' }));
  expect(slider.getAllByRole('button', { name: 'Next' }).length).toBeGreaterThan(0);
  cleanup();
  shopWith(0, 4);
  renderPart(<HomePage />);
  const row = within(await screen.findByRole('region', { name: 'bestsellers' }));
  expect(row.queryByRole('button', { name: 'Next' })).toBeNull();
});

test('the home page lists featured products last among the bestsellers', async () => {
  const [featured, ...others] = perfumes(3, 'Bestseller');
  answerCalls(({ params }) => ({ data: params['isFeatured'] ? [] : [{ ...featured, isFeatured: true }, ...others] }));
  renderPart(<HomePage />);
  const row = within(await screen.findByRole('region', { name: 'bestsellers' }));
  expect(getTexts(row.getAllByRole('heading'))).toEqual(['Bestsellers', 'Bestseller 1', 'Bestseller 2', 'Bestseller 0']);
});

test('the home page links to each fragrance family by name', () => {
  shopWith(0, 0);
  renderPart(<HomePage />);
  const families = within(screen.getByRole('region', { name: 'Five families' })).getAllByRole('link');
  expect(families.map((link) => link.getAttribute('href'))).toContain('/shop?collection=Attar');
  expect(families).toHaveLength(5);
});
