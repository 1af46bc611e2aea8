import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cartFetched } from '../../features/cart/cart-slice.ts';
import { gulab } from '../../features/cart/testing/fake-cart-server.ts';
import { contentLoaded } from '../../features/content/content-slice.ts';
import { siteContent } from '../../features/content/site-content.ts';
import { mediaThatHold } from '../../testing/in-view.ts';
import { answerCalls, renderShop, type Answer } from '../../testing/shop.tsx';
import { Layout } from './Layout.tsx';
import { perfume } from '../../testing/perfumes.ts';
import { getTexts } from '../../testing/interactions.ts';

const house = ['Oud Saffron Majlis', 'Assam Oud Noir', 'Ruh Gulab'].map((name) => perfume({ name }));

const show = (path = '/') => renderShop([{ Component: Layout, children: [{ path: '*', element: <h1>A page</h1> }] }], path);
const header = () => within(screen.getByRole('banner'));
const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search products' });
const openSearch = async () => {
  fireEvent.click(header().getByRole('button', { name: 'Search' }));
  await act(() => import('./HeaderSearch.tsx'));
};
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Waits for the debounce and for the store's batched notification. */
const matchesCame = async () => {
  await pass(300);
  await pass(50);
};

/** Searches in a shop that finds the whole house, or gives another answer. */
const searchFor = async (text: string, answer: Answer = { data: house }) => {
  answerCalls(() => answer);
  const shown = show();
  await openSearch();
  type(text);
  await matchesCame();
  return shown;
};

beforeEach(() => mediaThatHold('(min-width: 48rem)'));

describe('the header', () => {
  test('is below the line about shipping, and marks the link of the current page, whatever its query', () => {
    show('/shop?collection=Oud');
    const current = header()
      .getAllByRole('link')
      .filter((link) => link.getAttribute('aria-current') === 'page');
    expect(getTexts(current)).toEqual(['SHOP']);
    expect(screen.getByText('Free worldwide shipping on orders over $250')).toBeInstanceOf(HTMLElement);
  });

  test("shows 'Loading...' instead of its links until the site content has loaded", () => {
    const { store } = renderShop([{ path: '*', Component: Layout }], '/', false);
    const status = header().getByText('Loading...');
    expect(status.getAttribute('class')).not.toMatch(/hidden/);
    expect(header().queryByRole('link', { name: 'SHOP' })).toBeNull();
    act(() => void store.dispatch(contentLoaded(siteContent)));
    expect(status.textContent).toBe('');
    expect(header().getByRole('link', { name: 'SHOP' })).toBeInstanceOf(HTMLElement);
  });

  test.each([
    [1, 'Cart, 1 item'],
    [99, 'Cart, 99 items'],
    [100, 'Cart, 99+ items'],
    [9_900, 'Cart, 99+ items'],
  ])('names the cart with %i items as its badge shows them', (quantity, name) => {
    const { store } = show();
    act(() => void store.dispatch(cartFetched({ items: [{ productId: gulab._id, quantity, product: gulab }], totalCartValue: 0 })));
    const link = header().getByRole('link', { name });
    expect(name).toContain(link.textContent);
  });

  test('focuses <main> on a new page, but not on a new query of the same page', async () => {
    const { router } = show('/shop');
    await act(() => router.navigate('/shop?collection=Oud'));
    expect(document.activeElement).toBe(document.body);
    await act(() => router.navigate('/about'));
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });
});

describe('the search in the header', () => {
  beforeEach(() => vi.useFakeTimers());

  test.each([
    ['oud', '3 matches'],
    ['sandlewood', 'Nothing is called so; the nearest are'],
  ])('says for “%s”: %s', async (text, said) => {
    await searchFor(text);
    expect(screen.getByText(said)).toBeInstanceOf(HTMLElement);
  });

  test('searches 300 ms after the last keystroke', async () => {
    const asked = answerCalls(({ params }) => ({ data: house.filter(({ name }) => name.toLowerCase().includes(String(params['q']))) }));
    show();
    await openSearch();
    type('o');
    await pass(200);
    type('oud');
    await pass(299);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked.map(({ params }) => params['q'])).toEqual(['oud']);
    await pass(50);
    const names = screen.getAllByRole('option').map((option) => option.getAttribute('href'));
    expect(names).toEqual(['/product/oud-saffron-majlis', '/product/assam-oud-noir']);
    expect(screen.getByText('2 matches')).toBeInstanceOf(HTMLElement);
    // Nobody is told the count of another word.
    type('oud n');
    expect(screen.queryByText('2 matches')).toBeNull();
  });

  test('clears the matches at once when the box is emptied', async () => {
    await searchFor('r');
    expect(screen.getAllByRole('option')).toHaveLength(3);
    type('');
    expect(screen.queryAllByRole('option')).toEqual([]);
    type('r');
    fireEvent.click(header().getByRole('button', { name: 'Clear' }));
    expect(document.activeElement).toBe(box());
    expect(box().value).toBe('');
  });

  test('opens the clicked perfume and closes', async () => {
    const { router } = await searchFor('gulab');
    fireEvent.click(screen.getByRole('option', { name: /Ruh Gulab/ }));
    await pass(0);
    expect(router.state.location.pathname).toBe('/product/ruh-gulab');
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test('opens a match chosen with the arrow keys and Enter', async () => {
    const { router } = await searchFor('r');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('Assam Oud Noir');
    fireEvent.keyDown(box(), { key: 'Enter' });
    await pass(0);
    expect(router.state.location.pathname).toBe('/product/assam-oud-noir');
  });

  test('ignores an Enter that belongs to an input method editor', async () => {
    const { router } = await searchFor('गुलाब');
    fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
    await pass(0);
    expect(router.state.location.pathname).toBe('/');
    expect(box()).toBeInstanceOf(HTMLElement);
  });

  test('closes with Escape and returns the focus to its icon', async () => {
    show();
    await openSearch();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(document.activeElement).toBe(header().getByRole('button', { name: 'Search' }));
  });

  test('closes with a click outside of the header', async () => {
    show();
    await openSearch();
    fireEvent.pointerDown(screen.getByRole('main'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test('shows an error when the search fails', async () => {
    await searchFor('oud', { status: 503, data: { message: 'Unavailable' } });
    expect(screen.getByText('The shop did not answer. Check your connection and try again.')).toBeInstanceOf(HTMLElement);
  });
});

describe('the mobile menu', () => {
  beforeEach(() => mediaThatHold());

  test('makes the page behind it inert, and closes with Escape', async () => {
    show();
    const button = header().getByRole('button', { name: 'Menu' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('A page').closest('[inert]') !== null).toBe(true);
    fireEvent.keyDown(document, { key: 'Escape' });
    await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'));
    expect(screen.getByText('A page').closest('[inert]') !== null).toBe(false);
    expect(document.activeElement).toBe(button);
  });

  test('closes after a navigation', async () => {
    const { router } = show();
    fireEvent.click(header().getByRole('button', { name: 'Menu' }));
    fireEvent.click(header().getByRole('link', { name: 'Sign In' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/signin'));
    expect(header().getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded')).toBe('false');
  });

  test.each(['SHOP', 'RUHANI, home'])('closes at a click on %s, even if that page is already open', async (name) => {
    show(name === 'SHOP' ? '/shop' : '/');
    const button = header().getByRole('button', { name: 'Menu' });
    fireEvent.click(button);
    fireEvent.click(header().getAllByRole('link', { name }).at(-1) ?? expect.fail());
    await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'));
    expect(document.activeElement).toBe(button);
  });
});
