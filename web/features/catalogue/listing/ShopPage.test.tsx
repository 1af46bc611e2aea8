import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { scrollNearTheEnd } from '../../../testing/in-view.ts';
import { openPage } from '../testing/open-page.tsx';
import { answerCalls } from '../../../testing/shop.tsx';
import { manyPerfumes, perfume } from '../../../testing/perfumes.ts';
import { getTexts } from '../../../testing/interactions.ts';

const names = () => getTexts(screen.getAllByRole('heading', { level: 2 }));
const statusSays = (text: string) => waitFor(() => expect(getTexts(screen.getAllByRole('status'))).toContain(text));
const chips = () =>
  within(screen.getByRole('list', { name: 'Active filters' }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
const openPanel = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Filter & Sort' }));
  return within(await screen.findByRole('dialog', { name: 'Filter & Sort' }));
};

test('a search that no name contains says that these are the nearest', async () => {
  answerCalls(() => ({ data: [perfume()] }));
  openPage('/shop?q=oudh+safron');
  expect(await screen.findByText('Nothing is called so; the nearest are')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('heading', { level: 2, name: 'Oud Saffron Majlis' })).toBeInstanceOf(HTMLElement);
});

test("the status of the shop page is 'Loading products...' while there is nothing to show, then the number of products", async () => {
  fakeApi(manyPerfumes(3));
  openPage('/shop');
  expect(screen.queryByText('Loading products...')).not.toBeNull();
  await statusSays('3 perfumes');
  expect(screen.queryByText('Loading products...')).toBeNull();
  expect(names()).toEqual(['Perfume 1', 'Perfume 2', 'Perfume 3']);
  await expect.poll(() => document.title).toBe('All perfumes · RUHANI');
});

test("the status of the shop page is 'Failed to load products.' when the server does not answer, and a second try can succeed", async () => {
  const shop = fakeApi(manyPerfumes(3));
  shop.state = 'unreachable';
  openPage('/shop');
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load products.');
  shop.state = 'up';
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await statusSays('3 perfumes');
});

test("the status of the shop page is 'No products found' with the family, and offers to clear the filters", async () => {
  fakeApi([perfume({ category: 'oud' })]);
  const router = openPage('/shop?collection=attar');
  await screen.findByRole('heading', { name: 'No products found in Attar' });
  await userEvent.click(screen.getByRole('button', { name: 'Clear all filters' }));
  await statusSays('1 perfume');
  expect(router.state.location.search).toBe('');
});

test("the status of the shop page is only 'No products found' without a family", async () => {
  fakeApi([]);
  openPage('/shop?q=leather');
  await screen.findByRole('heading', { name: 'No products found' });
});

test('the listing shows 20 products and 20 more whenever the end is near, without a button', async () => {
  const shop = fakeApi(manyPerfumes(90));
  openPage('/shop');
  await statusSays('Showing 20 of 90');
  expect(names()).toHaveLength(20);
  for (const shown of [40, 60, 80]) {
    act(scrollNearTheEnd);
    await statusSays(`Showing ${shown} of 90`);
    expect(names()).toHaveLength(shown);
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull();
  }
  act(scrollNearTheEnd);
  await waitFor(() => expect(names()).toHaveLength(90));
  expect(screen.queryByText(/^Showing/)).toBeNull();
  expect(shop.calls).toEqual(
    ['', '&cursor=20', '&cursor=40', '&cursor=60', '&cursor=80'].map((rest) => `/product?sort=featured&limit=20${rest}`),
  );
});

test('the listing shows a failed load with a retry button and does not retry by itself', async () => {
  const shop = fakeApi(manyPerfumes(30));
  openPage('/shop');
  await statusSays('Showing 20 of 30');
  shop.state = 'down';
  act(scrollNearTheEnd);
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load products.');
  act(scrollNearTheEnd);
  expect(shop.calls).toHaveLength(2);
  expect(names()).toHaveLength(20);

  shop.state = 'up';
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(names()).toHaveLength(30));
});

test('the listing starts with 20 products again for other filters, and Back restores its length', async () => {
  const shop = fakeApi(manyPerfumes(150));
  const router = openPage('/shop');
  await statusSays('Showing 20 of 150');
  act(scrollNearTheEnd);
  await statusSays('Showing 40 of 150');

  await act(() => router.navigate('/shop?collection=oud'));
  await statusSays('Showing 20 of 30');
  const calls = shop.calls.length;
  await act(() => router.navigate(-1));
  await statusSays('Showing 40 of 150');
  expect(shop.calls).toHaveLength(calls);
});

test('the listing restores 40 products in one call when they are no longer cached', async () => {
  const shop = fakeApi(manyPerfumes(50));
  const router = openPage('/');
  await act(() => router.navigate('/shop', { state: { shown: 40 } }));
  await statusSays('Showing 40 of 50');
  expect(shop.calls).toEqual(['/product?sort=featured&limit=40']);
});

test('active filters come from the URL, are shown in the title and as chips, and can each be removed', async () => {
  fakeApi(manyPerfumes(50));
  const router = openPage('/shop?collection=Floral,musk&maxPrice=2800&sort=-price');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Floral, Musk');
  await statusSays('11 perfumes');
  expect(names()[0]).toBe('Perfume 27');
  expect(chips()).toEqual(['Remove Floral', 'Remove Musk', 'Remove Up to ₹2,800', 'Remove Price, high to low', 'Clear all']);

  await userEvent.click(screen.getByRole('button', { name: 'Remove Floral' }));
  expect(router.state.location.search).toBe('?collection=musk&maxPrice=2800&sort=-price');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Musk');
  await statusSays('5 perfumes');
  expect(document.activeElement?.textContent).toBe('Filter & Sort');

  await userEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(router.state.location.search).toBe('');
  expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
});

test('active filters leave the previous products in view while new ones load', async () => {
  const shop = fakeApi(manyPerfumes(5));
  openPage('/shop?collection=oud');
  await statusSays('1 perfume');
  shop.state = 'silent';
  await userEvent.click(screen.getByRole('button', { name: 'Remove Oud' }));
  expect(names()).toEqual(['Perfume 1']);
  expect(screen.getByRole('list', { name: 'Perfumes' }).getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText('Loading products...')).toBeNull();
});

test('the search on the shop page puts the text into the URL when typing pauses, and more text adds no history entry', async () => {
  const shop = fakeApi([perfume({ name: 'Rose Oud Nawab' }), perfume({ name: 'Mogra at Dusk' })]);
  const router = openPage('/');
  await act(() => router.navigate('/shop'));
  await statusSays('2 perfumes');
  const box = screen.getByRole('searchbox', { name: 'Search products' });
  await userEvent.type(box, 'rose');
  expect(router.state.location.search).toBe('');
  await waitFor(() => expect(router.state.location.search).toBe('?q=rose'));
  await statusSays('1 perfume');
  expect(shop.calls.filter((call) => call.includes('q='))).toEqual(['/product?q=rose&sort=featured&limit=20']);

  await userEvent.type(box, ' oud{Enter}');
  expect(router.state.location.search).toBe('?q=rose+oud');
  expect(box).toHaveProperty('value', 'rose oud');
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('');
  expect(screen.getByRole('searchbox')).toHaveProperty('value', '');
});

test('the search on the shop page empties its box when its chip is removed', async () => {
  fakeApi(manyPerfumes(3));
  openPage('/shop?q=perfume');
  await statusSays('3 perfumes');
  await userEvent.click(screen.getByRole('button', { name: 'Remove “perfume”' }));
  expect(screen.getByRole('searchbox')).toHaveProperty('value', '');
});

test('removing a chip while the page for a new search is being rendered keeps the search', async () => {
  fakeApi(manyPerfumes(3));
  const router = openPage('/shop?collection=oud');
  await statusSays('1 perfume');
  const box = screen.getByRole('searchbox');
  await act(async () => {
    fireEvent.change(box, { target: { value: 'perfume' } });
    fireEvent.blur(box);
    fireEvent.click(screen.getByRole('button', { name: 'Remove Oud' }));
  });
  await waitFor(() => expect(router.state.location.search).toBe('?q=perfume'));
});

test('the button in the search box clears the search at once and moves the focus to the box', async () => {
  fakeApi(manyPerfumes(3));
  const router = openPage('/shop?q=perfume');
  await statusSays('3 perfumes');
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(router.state.location.search).toBe('');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
});

test('the panel "Filter & Sort" counts each family and all results, and changes nothing before Show is pressed', async () => {
  fakeApi(manyPerfumes(50));
  const router = openPage('/shop');
  await statusSays('50 perfumes');
  const panel = await openPanel();
  await waitFor(() => expect(panel.getAllByText('10')).toHaveLength(5));

  await userEvent.click(panel.getByRole('checkbox', { name: /Floral/ }));
  await userEvent.click(panel.getByRole('radio', { name: 'Price, high to low' }));
  await userEvent.clear(panel.getByRole('textbox', { name: /To/ }));
  await userEvent.type(panel.getByRole('textbox', { name: /To/ }), '2,800{Tab}');
  await panel.findByRole('button', { name: 'Show 6 perfumes' });
  expect(router.state.location.search).toBe('');

  await userEvent.click(panel.getByRole('button', { name: 'Show 6 perfumes' }));
  expect(router.state.location.search).toBe('?collection=floral&maxPrice=2800&sort=-price');
  await statusSays('6 perfumes');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the panel "Filter & Sort" stops a thumb at the other thumb, and swaps prices typed in the wrong order', async () => {
  fakeApi(manyPerfumes(50));
  openPage('/shop');
  const panel = await openPanel();
  const [lowest, highest] = panel.getAllByRole<HTMLInputElement>('slider');
  if (!lowest || !highest) throw new Error('There are no thumbs');
  expect(highest.getAttribute('aria-valuetext')).toBe('₹5,000 and more');
  fireEvent.change(highest, { target: { value: '4800' } });
  expect(panel.getByRole('textbox', { name: /To/ })).toHaveProperty('value', '4,800');

  await userEvent.clear(panel.getByRole('textbox', { name: /From/ }));
  await userEvent.type(panel.getByRole('textbox', { name: /From/ }), '4900{Tab}');
  expect([lowest.value, highest.value]).toEqual(['4800', '4900']);
  fireEvent.change(lowest, { target: { value: '5000' } });
  expect([lowest.value, highest.value]).toEqual(['4900', '4900']);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the panel "Filter & Sort" clears its filters but not the search with Clear all, and drops the draft when closed', async () => {
  fakeApi(manyPerfumes(50));
  const router = openPage('/shop?collection=oud&minPrice=1000&q=perfume');
  const panel = await openPanel();
  expect(panel.getByRole('checkbox', { name: /Oud/ })).toHaveProperty('checked', true);
  await userEvent.click(panel.getByRole('button', { name: 'Clear all' }));
  expect(panel.getByRole('checkbox', { name: /Oud/ })).toHaveProperty('checked', false);
  await userEvent.click(panel.getByRole('button', { name: 'Close' }));
  expect(router.state.location.search).toBe('?collection=oud&minPrice=1000&q=perfume');

  const again = await openPanel();
  expect(again.getByRole('checkbox', { name: /Oud/ })).toHaveProperty('checked', true);
  await userEvent.click(again.getByRole('button', { name: 'Clear all' }));
  await userEvent.click(await again.findByRole('button', { name: 'Show 50 perfumes' }));
  expect(router.state.location.search).toBe('?q=perfume');
});
