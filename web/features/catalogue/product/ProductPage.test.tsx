import { act, screen, waitFor, within, fireEvent } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ProductPageView } from '#domain/product/view.ts';
import { instant } from '#domain/shared/time.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { scrollPast } from '../../../testing/in-view.ts';
import { AddButton, openPage } from '../testing/open-page.tsx';
import { manyPerfumes, perfume } from '../../../testing/perfumes.ts';
import { findTitle, getHref, getTexts } from '../../../testing/interactions.ts';

/** Opens the page of Oud Saffron Majlis with changed fields. */
const openOud = async (changes: Partial<ProductPageView> = {}, options = {}) => {
  fakeApi([{ ...perfume(), ...changes }]);
  openPage('/product/oud-saffron-majlis', options);
  await findTitle('Oud Saffron Majlis');
};
const CART = { AddToCart: AddButton };

test('the product page shows name, price, stock, notes and pictures, and no button without a cart', async () => {
  await openOud();
  await expect.poll(() => document.title).toBe('Oud Saffron Majlis · RUHANI');
  expect(screen.queryByText('₹3,450.00')).not.toBeNull();
  expect(screen.queryByText('In Stock')).not.toBeNull();
  expect(screen.queryByText(/Reduced/)).toBeNull();
  expect(screen.queryByText('412 reviews')).not.toBeNull();
  expect(screen.queryByRole('heading', { name: 'Product Details' })).not.toBeNull();
  expect(screen.queryByText('It opens with Kashmiri saffron over a curl of smoke.')).not.toBeNull();
  expect(getHref('Oud')).toBe('/shop?collection=oud');
  expect(screen.queryByRole('button', { name: /Add/ })).toBeNull();
  const pictures = within(screen.getByRole('region', { name: 'Pictures of Oud Saffron Majlis' })).getAllByRole('img');
  expect(pictures.map((picture) => picture.getAttribute('alt'))).toEqual([
    expect.stringContaining('chamfered square bottle on dark stone'),
    'Oud Saffron Majlis seen closer and from the side, showing label and glass',
  ]);
  expect(getTexts(screen.getAllByRole('term'))).toEqual(['Top', 'Heart', 'Base']);
  expect(getTexts(screen.getAllByRole('definition'))).toEqual(['Saffron, nutmeg', 'Rose absolute', 'Assam oud, leather']);
  expect(screen.queryByText(/^Top:/)).toBeNull();
});

test('the product page shows when a price was reduced, and the lowest price of the 30 days before', async () => {
  const reduction = { lowestPrice: '₹3,200.00', reducedAt: instant('2026-11-02T20:00:00.000Z') };
  await openOud({ price: '₹2,950.00', reduction });
  const line = screen.getByText(/^Reduced/).parentElement;
  expect(line?.textContent).toBe('Reduced on 3 Nov 2026. Lowest price in the 30 days before: ₹3,200.00');
});

test("the product page adds the stepper's quantity, which is from 1 to 99", async () => {
  await openOud({}, CART);
  expect(screen.getByRole('button', { name: 'Decrease quantity of Oud Saffron Majlis' })).toHaveProperty('disabled', true);
  await userEvent.dblClick(screen.getByRole('button', { name: 'Increase quantity of Oud Saffron Majlis' }));
  const [button] = screen.getAllByRole('button', { name: 'Add 3 × Oud Saffron Majlis' });
  expect(button?.dataset['look']).toBe('button');
  const more = screen.getByRole('button', { name: 'Increase quantity of Oud Saffron Majlis' });
  for (let step = 0; step < 100; step++) fireEvent.click(more);
  expect(screen.getAllByRole('button', { name: 'Add 99 × Oud Saffron Majlis' })).not.toEqual([]);
});

test('the product page shows that a product is out of stock and disables its button', async () => {
  await openOud({ inStock: false }, CART);
  expect(screen.queryByText('Out of Stock')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Add to Cart' })).toHaveProperty('disabled', true);
});

test('the product page offers no purchase without a price', async () => {
  await openOud({ price: '' }, CART);
  expect(screen.queryByRole('group', { name: /Quantity/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Add/ })).toBeNull();
});

test('the product page shows its button at the bottom of the window once its own is scrolled out of view', async () => {
  await openOud({}, CART);
  const [own, along] = screen.getAllByRole('button', { name: 'Add 1 × Oud Saffron Majlis', hidden: true });
  expect(along?.closest('[inert]')).not.toBeNull();
  act(scrollPast);
  expect(along?.closest('[inert]')).toBeNull();
  expect(own?.closest('[inert]')).toBeNull();
});

test('the product page has a heart, which is not pressed for a new visitor, and copies its URL', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openOud();
  const heart = screen.getByRole('button', { name: 'Save Oud Saffron Majlis to wishlist' });
  expect(heart.getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(screen.getByRole('button', { name: 'Share Oud Saffron Majlis' }));
  await screen.findByText('Link copied');
  expect(writeText).toHaveBeenCalledExactlyOnceWith(location.href);
});

test('You May Also Like shows four other products of the same family', async () => {
  fakeApi(manyPerfumes(40));
  openPage('/product/perfume-1');
  await screen.findByRole('heading', { name: 'You May Also Like' });
  expect(getTexts(screen.getAllByRole('heading', { level: 3 }))).toEqual([6, 11, 16, 21].map((nth) => `Perfume ${nth}`));
});

test('You May Also Like is absent when the family has no other product in stock', async () => {
  const shop = fakeApi([perfume(), perfume({ name: 'Sold Out', inStock: false })]);
  openPage('/product/oud-saffron-majlis');
  await findTitle('Oud Saffron Majlis');
  await waitFor(() => expect(shop.calls).toContain('/product?category=oud&limit=12'));
  expect(screen.queryByRole('heading', { name: 'You May Also Like' })).toBeNull();
});

test("You May Also Like links to another product's page, where the quantity starts at 1", async () => {
  fakeApi(manyPerfumes(10));
  openPage('/product/perfume-1');
  await findTitle('Perfume 1');
  await userEvent.click(screen.getByRole('button', { name: 'Increase quantity of Perfume 1' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Perfume 6' }));
  await findTitle('Perfume 6');
  expect(within(screen.getByRole('group', { name: 'Quantity of Perfume 6' })).getByRole('status').textContent).toBe('1');
});

test('a product page without a product shows a skeleton while the product loads', async () => {
  const shop = fakeApi([perfume()]);
  shop.state = 'silent';
  openPage('/product/oud-saffron-majlis');
  await screen.findByText('Loading');
  await expect.poll(() => document.title).toBe('Loading · RUHANI');
});

test("a product page without a product shows 'Product not found' when there is no such product, with a link to the shop", async () => {
  fakeApi([]);
  openPage('/product/leather');
  await findTitle('Product not found');
  await expect.poll(() => document.title).toBe('Product not found · RUHANI');
  expect(getHref('Back to the shop')).toBe('/shop');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test.each([
  ['down', 'The shop is resting'],
  ['unreachable', 'Product not found'],
] as const)('a product page without a product, because the server is %s, shows %j, and a second try can succeed', async (state, title) => {
  const shop = fakeApi([perfume()]);
  shop.state = state;
  openPage('/product/oud-saffron-majlis');
  await findTitle(title);
  shop.state = 'up';
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await findTitle('Oud Saffron Majlis');
});
