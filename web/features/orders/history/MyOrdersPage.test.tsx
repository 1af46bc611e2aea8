import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { placed } from '#domain/testing/orders.ts';
import type { OrderView } from '#domain/order/view.ts';
import { scrollByHand, scrollNearTheEnd } from '../../../testing/in-view.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { answered, createdWith, ID, orderThatIs } from '../testing/sample-orders.ts';
import { getTexts, press } from '../../../testing/interactions.ts';
import { NO_ANSWER } from '../../../testing/shop.tsx';

const open = (orders: readonly OrderView[]) => openOrderPage('/viewAllOrders', { 'get-AllOrders': { data: { orders } } });
const many = (count: number): OrderView[] =>
  Array.from({ length: count }, (_, index) => ({ ...orderThatIs('pending'), _id: `${ID.slice(0, -3)}${100 + index}` as OrderView['_id'] }));
const pageOf = (all: readonly OrderView[], from: number, to: number) => ({
  data: { orders: all.slice(from, to) },
  headers: to < all.length ? { link: `</api/order/get-AllOrders?cursor=c${to}>; rel="next"` } : {},
});
const shows = (count: number) => waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(count));

test('My Orders shows a message when there are no orders', async () => {
  open([]);
  expect(await screen.findByText('You haven’t placed any orders yet.')).toBeInstanceOf(HTMLElement);
});

test('My Orders shows an error in red, and can retry', async () => {
  const answers: Answers = { 'get-AllOrders': { status: 503, data: { message: 'The shop is resting' } } };
  openOrderPage('/viewAllOrders', answers);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The shop is resting');
  expect(alert.className).toContain('text-sindoor');
  answers['get-AllOrders'] = { data: { orders: [orderThatIs('pending')] } };
  press('Try again');
  expect(await screen.findByRole('heading', { level: 2, name: 'RH-4WPDX9CT' })).toBeInstanceOf(HTMLElement);
});

test("My Orders shows each order's status, first two perfumes, number of further perfumes, and total", async () => {
  open([answered(createdWith(5), placed()), { ...orderThatIs('delivered'), _id: `${ID.slice(0, -3)}999` as OrderView['_id'] }]);
  const [first, second] = await screen.findAllByRole('article');
  if (!first || !second) throw new Error('There are two orders');
  expect(within(first).getByText('Pending').className).toContain('bg-haldi');
  expect(within(second).getByText('Delivered').className).toContain('bg-khus-wash');
  expect(getTexts(within(first).getAllByText(/^Perfume \d$/))).toEqual(['Perfume 1', 'Perfume 2']);
  expect(within(first).getAllByText('2 x ₹3,450.00')).toHaveLength(2);
  expect(within(first).getByText('+ 3 more items')).toBeInstanceOf(HTMLElement);
  expect(within(second).queryByText(/more items/)).toBeNull();
  expect(within(first).getByText('₹40,710.00')).toBeInstanceOf(HTMLElement);
  expect(
    within(first)
      .getByRole('link', { name: /^View Details →/ })
      .getAttribute('href'),
  ).toBe(`/order-confirmed/${ID}`);
});

test('My Orders shows 20 orders at a time, and more on scrolling until all are shown', async () => {
  scrollByHand();
  const all = many(45);
  const page = (from: number) => pageOf(all, from, from + 20);
  const answers: Answers = { 'get-AllOrders': page(0) };
  const { calls } = openOrderPage('/viewAllOrders', answers);
  await shows(20);
  answers['get-AllOrders'] = page(20);
  act(scrollNearTheEnd);
  await shows(40);
  answers['get-AllOrders'] = { status: 503, data: {} };
  act(scrollNearTheEnd);
  expect((await screen.findByRole('alert')).textContent).toContain('The rest could not be loaded');
  answers['get-AllOrders'] = page(40);
  press('Try again');
  await shows(45);
  expect(screen.queryByText(/^Showing/)).toBeNull();
  expect(calls('get-AllOrders').map(({ params }) => params)).toEqual([
    { limit: 20 },
    { limit: 20, cursor: 'c20' },
    { limit: 20, cursor: 'c40' },
    { limit: 20, cursor: 'c40' },
  ]);
});

test('My Orders fetches as many orders after a reload as were shown before', async () => {
  scrollByHand();
  const all = many(60);
  const answers: Answers = { 'get-AllOrders': pageOf(all, 0, 20) };
  const first = openOrderPage('/viewAllOrders', answers);
  await shows(20);
  answers['get-AllOrders'] = pageOf(all, 20, 40);
  act(scrollNearTheEnd);
  await waitFor(() => expect(first.router.state.location.state).toEqual({ shown: 40 }));
  cleanup();

  const { router, calls } = openOrderPage('/elsewhere', { 'get-AllOrders': pageOf(all, 0, 40) });
  await act(() => router.navigate('/viewAllOrders', { state: { shown: 40 } }));
  await shows(40);
  expect(calls('get-AllOrders').map(({ params }) => params)).toEqual([{ limit: 40 }]);
});

test('My Orders shows the same orders at once when the shopper returns', async () => {
  const answers: Answers = { 'get-AllOrders': { data: { orders: many(3) } } };
  const { router } = openOrderPage('/viewAllOrders', answers);
  await shows(3);
  await act(() => router.navigate('/elsewhere'));
  answers['get-AllOrders'] = NO_ANSWER;
  await act(() => router.navigate(-1));
  expect(screen.getAllByRole('article')).toHaveLength(3);
  expect(screen.queryByText('Loading your orders...')).toBeNull();
});
