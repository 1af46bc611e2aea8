import type { UnknownAction } from '@reduxjs/toolkit';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { CartItemView } from '#domain/cart/view.ts';
import { taxRate } from '#domain/tax/rates.ts';
import { mediaThatHold } from '../../testing/in-view.ts';
import { renderPart } from '../../testing/shop.tsx';
import { CartNotices } from './CartNotices.tsx';
import { CartPage } from './CartPage.tsx';
import { AddToCartButton } from './AddToCartButton.tsx';
import {
  cartFetched,
  cartFetchFailed,
  cartRequested,
  callStarted,
  itemAdded,
  operationConfirmed,
  operationFailed,
  selectCart,
} from './cart-slice.ts';
import { gulab, mitti, oud } from './testing/fake-cart-server.ts';

const line = (product: typeof gulab, quantity: number, rest: Partial<CartItemView> = {}): CartItemView => ({
  productId: product._id,
  quantity,
  product,
  ...rest,
});

/** Lets the call under way have this outcome. */
const settle = ({ store }: ReturnType<typeof renderPart>, outcome: UnknownAction) =>
  act(() => {
    store.dispatch(callStarted());
    store.dispatch(outcome);
  });
const show = (...items: readonly CartItemView[]) => {
  const shop = renderPart(<CartPage suggestions={<p>More perfumes</p>} />, '/cart');
  settle(shop, cartFetched({ items, totalCartValue: 0 }));
  return shop;
};
const row = (name: string) => within(screen.getByRole('heading', { name }).closest('li') ?? document.body);
const heading = () => screen.getByRole('heading', { level: 1, name: 'Your Cart' });

beforeEach(() => mediaThatHold());

test('the cart page shows each line with its name, scent, unit price, quantity and total, and the totals', () => {
  show(line(gulab, 2), line(oud, 1));
  const gulabs = row('Ruh Gulab');
  expect(gulabs.getByText('Damask rose · oud · clove')).toBeInstanceOf(HTMLElement);
  expect(gulabs.getByText('₹2,450.00 each')).toBeInstanceOf(HTMLElement);
  expect(gulabs.getAllByText('₹4,900.00')).not.toHaveLength(0);
  const summary = within(screen.getByRole('region', { name: 'Order Summary' }));
  const sums = summary.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(summary.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Subtotal', 'Shipping', 'Tax (18%)', 'Total']);
  expect(sums).toEqual(['₹8,000.00', 'Free', '₹1,440.00', '₹9,440.00']);
  expect(summary.getByRole('link', { name: 'Proceed to Checkout' }).getAttribute('href')).toBe('/checkout');
  expect(summary.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href')).toBe('/');
  expect(screen.getByText('3 items')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('More perfumes')).toBeInstanceOf(HTMLElement);
});

test('the cart page shows no tax and no total until the server has sent the tax rate of an added perfume', () => {
  const { store } = show(line(gulab, 2));
  const sums = () =>
    within(screen.getByRole('region', { name: 'Order Summary' }))
      .getAllByRole('definition')
      .map((each) => each.textContent);
  act(() => void store.dispatch(itemAdded(oud, 1)));
  expect(sums()).toEqual(['₹8,000.00', 'Free', '…', '…']);
  act(
    () => void store.dispatch(operationConfirmed({ items: [line(gulab, 2), line(oud, 1, { rate: taxRate(5) })], totalCartValue: 8_000 })),
  );
  expect(sums()).not.toContain('…');
});

test('the cart page shows the price of the last answer', () => {
  const { store } = show(line(gulab, 1));
  act(() => void store.dispatch(operationConfirmed({ items: [line({ ...gulab, price: '₹2,950.00' }, 1)], totalCartValue: 2_950 })));
  expect(screen.getAllByText('₹2,950.00')).not.toHaveLength(0);
});

test('the cart page shows the empty state with suggestions when it is empty', () => {
  show();
  expect(document.title).toBe('Your Cart · RUHANI');
  expect(screen.getByText('Your cart is empty, please click below button to continue shopping...')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href')).toBe('/');
  expect(screen.getByText('More perfumes')).toBeInstanceOf(HTMLElement);
});

test('the cart page limits a quantity to 1 to 99', () => {
  const { store } = show(line(gulab, 98), line(oud, 2));
  fireEvent.click(screen.getByRole('button', { name: 'Increase quantity of Ruh Gulab' }));
  fireEvent.click(screen.getByRole('button', { name: 'Decrease quantity of Assam Oud Noir' }));
  expect(selectCart(store.getState()).items.map(({ quantity }) => quantity)).toEqual([99, 1]);
  expect(screen.getByRole('button', { name: 'Increase quantity of Ruh Gulab' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: 'Decrease quantity of Assam Oud Noir' })).toHaveProperty('disabled', true);
});

test('the cart page moves the focus after a removal to the next line, else the last one, else the heading', () => {
  show(line(gulab, 1), line(oud, 1), line(mitti, 1));
  fireEvent.click(screen.getByRole('button', { name: 'Remove Assam Oud Noir' }));
  expect(document.activeElement?.textContent).toBe('Mitti After Rain');
  fireEvent.click(screen.getByRole('button', { name: 'Remove Mitti After Rain' }));
  expect(document.activeElement?.textContent).toBe('Ruh Gulab');
  fireEvent.click(screen.getByRole('button', { name: 'Remove Ruh Gulab' }));
  expect(document.activeElement).toBe(heading());
});

test('the cart page shows changed prices, and unavailable items, which block the checkout until they are removed', () => {
  show(line(gulab, 1, { priceChangedFrom: '₹2,150.00' }), line(oud, 2, { unavailable: true }));
  expect(row('Ruh Gulab').getByText('The price has changed from ₹2,150.00 since you added it.')).toBeInstanceOf(HTMLElement);
  expect(row('Assam Oud Noir').getByText('No longer available. It is not part of your order.')).toBeInstanceOf(HTMLElement);
  expect(row('Assam Oud Noir').queryByRole('group')).toBeNull();
  expect(screen.getByText('₹2,891.00')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/Assam Oud Noir is no longer available. Remove it to go on to checkout./)).toBeInstanceOf(HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Remove Assam Oud Noir' }));
  expect(screen.getByRole('link', { name: 'Proceed to Checkout' })).toBeInstanceOf(HTMLElement);
});

test('the cart page shows which perfumes are short of stock, which blocks the checkout until the quantity is reduced', () => {
  show(line(gulab, 3, { onlyLeft: 2 }), line(oud, 1));
  expect(row('Ruh Gulab').getByText('Only 2 left. Please choose 2 or fewer.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/Only 2 of Ruh Gulab are left\. Reduce its quantity to go on to checkout\./)).toBeInstanceOf(HTMLElement);
  fireEvent.click(row('Ruh Gulab').getByRole('button', { name: 'Decrease quantity of Ruh Gulab' }));
  expect(row('Ruh Gulab').queryByText(/Only 2 left/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Proceed to Checkout' })).toBeInstanceOf(HTMLElement);
});

test('the cart page shows how many perfumes are short of stock', () => {
  show(line(gulab, 3, { onlyLeft: 2 }), line(oud, 4, { onlyLeft: 1 }));
  expect(screen.getByText(/not enough bottles of 2 of these\. Reduce their quantities to go on to checkout\./)).toBeInstanceOf(HTMLElement);
  fireEvent.click(row('Ruh Gulab').getByRole('button', { name: 'Decrease quantity of Ruh Gulab' }));
  expect(screen.getByText(/Only 1 of Assam Oud Noir is left\./)).toBeInstanceOf(HTMLElement);
});

test('the cart page shows a sold-out perfume as out of stock', () => {
  show(line(gulab, 1, { onlyLeft: 0, unavailable: true }));
  expect(row('Ruh Gulab').getByText('Out of stock. It is not part of your order.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Ruh Gulab is out of stock. Remove it to go on to checkout.')).toBeInstanceOf(HTMLElement);
});

test('the cart page answers every coupon with the same message', () => {
  show(line(gulab, 1));
  expect(screen.queryByText('Coupons are not available yet')).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Coupon code' }), { target: { value: 'GULAB10' } });
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(screen.getByText('Coupons are not available yet')).toBeInstanceOf(HTMLElement);
});

test('the cart page shows a load error with a retry', () => {
  const shop = renderPart(<CartPage />, '/cart');
  settle(shop, cartFetchFailed('The shop is resting'));
  expect(screen.getByRole('alert').textContent).toContain('Your cart could not be loaded. The shop is resting');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(selectCart(shop.store.getState()).loading).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the cart page shows an error beside its lines when it could not be updated', () => {
  const shop = show(line(gulab, 2));
  act(() => void shop.store.dispatch(cartRequested()));
  settle(shop, cartFetchFailed('The shop is resting'));
  expect(screen.getByRole('alert').textContent).toContain('Your cart could not be updated. The shop is resting');
  expect(row('Ruh Gulab').getAllByText('₹4,900.00')).not.toHaveLength(0);
});

const open = () =>
  renderPart(
    <>
      <AddToCartButton product={gulab} quantity={2} look="link" className="mine" />
      <CartNotices />
    </>,
  );
const button = () => screen.getByRole('button', { name: /: Ruh Gulab$/ });

test("the add-to-cart button adds the quantity at once and shows the server's confirmation", () => {
  const shop = open();
  expect(button().classList.contains('mine')).toBe(true);
  fireEvent.click(button());
  expect(selectCart(shop.store.getState()).items).toMatchObject([{ productId: 'ruh-gulab', quantity: 2 }]);
  expect(button().getAttribute('aria-label')).toBe('Add to Cart: Ruh Gulab');
  settle(shop, operationConfirmed({ items: [line(gulab, 2)], totalCartValue: 4900 }));
  expect(button().getAttribute('aria-label')).toBe('Added: Ruh Gulab');
  expect(screen.getByText('Ruh Gulab added to cart. 2 items in your cart.')).toBeInstanceOf(HTMLElement);
});

test('the add-to-cart button shows a failed addition until it is closed', () => {
  const shop = open();
  fireEvent.click(button());
  settle(shop, operationFailed('Product is out of stock'));
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Failed to add product to cart');
  expect(alert.textContent).toContain('Product is out of stock');
  expect(selectCart(shop.store.getState()).items).toEqual([]);
  fireEvent.click(within(alert).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
