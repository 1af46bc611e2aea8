import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { placed } from '#domain/testing/orders.ts';
import type { OrderView } from '#domain/order/view.ts';
import { openOrderPage, type Answer } from '../testing/open-orders.tsx';
import { answered, createdWith, ID, orderThatIs } from '../testing/sample-orders.ts';

const open = (orders: readonly OrderView[]) => openOrderPage('/viewAllOrders', { 'get-AllOrders': { data: { orders } } });
const many = (count: number): OrderView[] =>
  Array.from({ length: count }, (_, index) => ({ ...orderThatIs('pending'), _id: `${ID.slice(0, -3)}${100 + index}` as OrderView['_id'] }));

describe('My Orders', () => {
  test('says that they are loading', async () => {
    openOrderPage('/viewAllOrders', { 'get-AllOrders': new Promise<Answer>(() => {}) });
    expect((await screen.findByText('Loading your orders...')).getAttribute('role')).toBe('status');
  });

  test('says when there are none', async () => {
    open([]);
    expect(await screen.findByText('You haven’t placed any orders yet.')).toBeInstanceOf(HTMLElement);
  });

  test('says in red what went wrong, and asks again', async () => {
    const answers: Record<string, Answer> = { 'get-AllOrders': { status: 503, data: { message: 'The shop is resting' } } };
    openOrderPage('/viewAllOrders', answers);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The shop is resting');
    expect(alert.className).toContain('text-sindoor');
    answers['get-AllOrders'] = { data: { orders: [orderThatIs('pending')] } };
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'RH-4WPDX9CT' })).toBeInstanceOf(HTMLElement);
  });

  test('shows of each order its state, the first two perfumes, how many more there are, and the total', async () => {
    open([answered(createdWith(5), placed()), { ...orderThatIs('delivered'), _id: `${ID.slice(0, -3)}999` as OrderView['_id'] }]);
    const [first, second] = await screen.findAllByRole('article');
    if (!first || !second) throw new Error('There are two orders');
    expect(within(first).getByText('Pending').className).toContain('bg-haldi');
    expect(within(second).getByText('Delivered').className).toContain('bg-khus-wash');
    expect(
      within(first)
        .getAllByText(/^Perfume \d$/)
        .map(({ textContent }) => textContent),
    ).toEqual(['Perfume 1', 'Perfume 2']);
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

  test('shows twenty at a time', async () => {
    open(many(45));
    expect(await screen.findAllByRole('article')).toHaveLength(20);
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(screen.getAllByRole('article')).toHaveLength(40);
  });
});
