import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../testing/shop.tsx';
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

describe('the heart of a product card', () => {
  const product = perfume();
  const heart = () => screen.getByRole('button', { name: 'Save Oud Saffron Majlis' });
  const isPressed = () => heart().getAttribute('aria-pressed') === 'true';
  afterEach(() => void (document.cookie = 'visitor=; max-age=0'));

  test('saves and removes, and keeps its state on other pages', async () => {
    const items: unknown[] = [];
    const asked = answerCalls(({ url }) => {
      if (url.startsWith('/user/wishlist/')) {
        // The server has the visitor set with its answer.
        document.cookie = 'visitor=1';
        if (items.length === 0) items.push({ productId: product._id, product });
        else items.pop();
      }
      return { data: { items: [...items] } };
    });
    show({ product });
    expect(isPressed()).toBe(false);
    expect(asked).toEqual([]);
    await userEvent.click(heart());
    await waitFor(() => expect(isPressed()).toBe(true));
    cleanup();
    show({ product });
    await waitFor(() => expect(isPressed()).toBe(true));
    await userEvent.click(heart());
    await waitFor(() => expect(isPressed()).toBe(false));
    expect(new Set(asked.map(({ url }) => url).filter((url) => url.startsWith('/user/')))).toEqual(
      new Set([`/user/wishlist/${product._id}`, '/user/wishlist']),
    );
  });

  test('follows the last of two quick clicks, whichever call would be answered first', async () => {
    const saved = createLateAnswer();
    const asked = answerCalls(({ url }) =>
      url.startsWith('/user/wishlist/') && wishes().length === 1 ? saved.promise : { data: { items: [] } },
    );
    const wishes = () => asked.filter(({ url }) => url.startsWith('/user/wishlist/'));
    show({ product });
    await userEvent.click(heart());
    await userEvent.click(heart());
    expect(isPressed()).toBe(false);
    expect(wishes()).toHaveLength(1);
    document.cookie = 'visitor=1';
    saved.answer({ data: { items: [{ productId: product._id, product }] } });
    await waitFor(() => expect(wishes()).toHaveLength(2));
    await expect.poll(isPressed).toBe(false);
  });

  test('goes back and says why when it could not be saved', async () => {
    answerCalls(() => ({ status: 409, data: { message: 'A wishlist holds 200 perfumes at most. Remove one first.' } }));
    show({ product });
    await userEvent.click(heart());
    expect(await screen.findByText('A wishlist holds 200 perfumes at most. Remove one first.')).toBeInstanceOf(HTMLElement);
    expect(isPressed()).toBe(false);
  });
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
