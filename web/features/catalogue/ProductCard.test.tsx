import { cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import { renderPart } from '../../testing/shop.tsx';
import { ProductCard } from './ProductCard.tsx';
import { fakeApi } from './testing/fake-api.ts';
import { AddButton } from './testing/open-page.tsx';
import { perfume } from '../../testing/perfumes.ts';

const show = (props: ComponentProps<typeof ProductCard>) => renderPart(<ProductCard {...props} />).view.container;

test('a product card links to the product and shows its name, scent, price and tag', () => {
  show({ product: perfume() });
  expect(screen.getByRole('link', { name: 'Oud Saffron Majlis' }).getAttribute('href')).toBe('/product/oud-saffron-majlis');
  expect(screen.queryByText('₹3,450.00')).not.toBeNull();
  expect(screen.queryByText('Bestseller')).not.toBeNull();
  // No-break spaces keep each dot on the line of the word before it.
  expect(screen.getByText(/^Smoked oud/).textContent).toBe('Smoked oud\u00A0· Kashmiri saffron\u00A0· rose absolute');
});

test('a product card shows how many are left instead of the tag when few are left', () => {
  show({ product: perfume({ left: 3 }) });
  expect(screen.queryByText('Only 3 left')).not.toBeNull();
  expect(screen.queryByText('Bestseller')).toBeNull();
});

test('a product card is not rendered without a name', () => expect(show({ product: perfume({ name: '' }) }).innerHTML).toBe(''));

test('a product card shows neither price nor button without a price', () => {
  show({ product: perfume({ price: '' }), AddToCart: AddButton });
  expect(screen.queryByText(/₹/)).toBeNull();
  expect(screen.queryByRole('button', { name: /Add/ })).toBeNull();
});

test('a product card offers to add one piece with a cart, and has no button without', () => {
  show({ product: perfume(), AddToCart: AddButton });
  expect(screen.queryByRole('button', { name: 'Add 1 × Oud Saffron Majlis' })).not.toBeNull();
  cleanup();
  show({ product: perfume() });
  expect(screen.queryByRole('button', { name: /Add/ })).toBeNull();
});

test('a product card shows that a product is out of stock instead of the tag, and disables its button', () => {
  show({ product: perfume({ inStock: false }), AddToCart: AddButton });
  expect(screen.queryByText('Out of Stock')).not.toBeNull();
  expect(screen.queryByText('Bestseller')).toBeNull();
  expect(screen.getByRole('button', { name: 'Add to Cart' })).toHaveProperty('disabled', true);
});

test('a product card hides its tag when told to', () => {
  show({ product: perfume(), tagless: true });
  expect(screen.queryByText('Bestseller')).toBeNull();
});

test('a product card has a heart that toggles', async () => {
  show({ product: perfume() });
  const heart = screen.getByRole('button', { name: 'Save Oud Saffron Majlis' });
  expect(heart.getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(heart);
  expect(heart.getAttribute('aria-pressed')).toBe('true');
});

test('a product card loads its second picture when a mouse enters, but not when a finger does', () => {
  const page = show({ product: perfume() });
  const card = screen.getByRole('article');
  const sources = () => [...page.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  fireEvent.pointerEnter(card, { pointerType: 'touch' });
  expect(sources()).toEqual(['/pictures/products/oud-saffron-majlis.webp']);
  fireEvent.pointerEnter(card, { pointerType: 'mouse' });
  expect(sources()).toEqual(['/pictures/products/oud-saffron-majlis.webp', '/pictures/products/oud-saffron-majlis-2.webp']);
});

test('a product card fetches its product as soon as it is pressed', async () => {
  const shop = fakeApi([perfume()]);
  show({ product: perfume() });
  fireEvent.pointerDown(screen.getByRole('link'));
  await expect.poll(() => shop.calls).toEqual(['/product/oud-saffron-majlis']);
});
