import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { confirmed, delivered, parcel, placed, returnDecided, returnRequested, shipped } from '#domain/testing/orders.ts';
import { captured } from '#domain/testing/payments.ts';
import { instant } from '#domain/shared/time.ts';
import type { OrderView } from '#domain/order/view.ts';
import { scrollByHand, scrollNearTheEnd } from '../../../testing/in-view.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { answered, createdWith, ID, orderThatIs, prepaidOrder } from '../testing/sample-orders.ts';
import { tellOrder } from '../order-story.ts';
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
  expect(within(first).getByText('Pending').parentElement?.className).toContain('bg-haldi');
  const [badge, title] = within(second).getAllByText('Delivered');
  expect([badge?.parentElement?.className, title?.className]).toEqual([
    expect.stringContaining('bg-khus-wash'),
    expect.stringContaining('display'),
  ]);
  expect(within(first).getByText('Order Confirmed')).toBeInstanceOf(HTMLElement);
  expect(within(second).getByRole('button', { name: 'Buy again what is in order RH-4WPDX9CT' })).toBeInstanceOf(HTMLElement);
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

test('My Orders says of each order what its page says is now, with the same deed', async () => {
  const orders = [
    prepaidOrder(),
    prepaidOrder([captured()], confirmed(), shipped('', undefined, parcel)),
    prepaidOrder([captured()], confirmed(), shipped(), delivered()),
    prepaidOrder([captured()], confirmed(), shipped(), delivered(), returnRequested(), returnDecided()),
  ].map((order, nth) => ({ ...order, _id: `${ID.slice(0, -3)}10${nth}` as OrderView['_id'] }));
  open(orders);
  const cards = await screen.findAllByRole('article');
  const deeds = [/^Pay ₹11,033\.00/, /^Track your order RH-4WPDX9CT/, /^Review your perfumes/, /^See where to send it/];
  for (const [nth, card] of cards.entries()) {
    const order = orders[nth] ?? expect.fail('no order');
    expect(within(card).getByText(tellOrder(order, instant('2026-11-20T10:00:00.000Z')).title, { selector: '.display' })).toBeInstanceOf(
      HTMLElement,
    );
    const controls = [...within(card).queryAllByRole('button'), ...within(card).getAllByRole('link')];
    expect(getTexts(controls)).toContainEqual(expect.stringMatching(deeds[nth] ?? /$^/));
  }
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
