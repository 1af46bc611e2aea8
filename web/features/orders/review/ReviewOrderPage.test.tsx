import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BLANK_FORM } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { created, home } from '#domain/testing/orders.ts';
import { findTitle, pass, press } from '../../../testing/interactions.ts';
import { createLateAnswer, NO_ANSWER } from '../../../testing/shop.tsx';
import { selectOrder } from '../order-slice.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { answered, createCart, dearer, ID, orderThatIs } from '../testing/sample-orders.ts';

const PATH = `/review-order/${ID}`;
const draft = orderThatIs('created');
const pending = orderThatIs('pending');
const GET = `get-order/${ID}`;
const PLACE = `place-order/${ID}`;

const placeButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Place Order' });
const place = async () => fireEvent.click(await placeButton());
const CHANGED = {
  status: 409,
  data: {
    message: 'Changed since you checked out: Oud Saffron Majlis. Please refresh your order.',
    code: 'offer_changed',
    errors: { 'oud-saffron-majlis': 'Oud Saffron Majlis now costs ₹3,650.00 instead of ₹3,450.00' },
  },
};

test('the review page shows where it goes, what is in it, what it comes to and every text of the shopper', async () => {
  const words = mapOrderTexts((field) => `Words of ${field}`);
  openOrderPage(PATH, { [GET]: { data: answered(created(words)) } });
  await findTitle('Review Your Order');
  expect(screen.getByText('14 Marine Drive')).toBeInstanceOf(HTMLElement);
  for (const text of Object.values(words)) expect(screen.getByText(text)).toBeInstanceOf(HTMLElement);
  const summary = within(screen.getByRole('complementary', { name: 'Order Summary' }));
  expect(summary.getByText('2 × ₹3,450.00')).toBeInstanceOf(HTMLElement);
  expect(summary.getByText('Total').nextSibling?.textContent).toBe('₹11,033.00');
});

test('the review page has cash on delivery as the default, and leads to the confirmation', async () => {
  const shop = openOrderPage(PATH, { [GET]: { data: draft }, [PLACE]: { data: pending } });
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Cash on Delivery (COD)' })).checked).toBe(true);
  expect(screen.getByText('Pay online by UPI or card, once the order is placed.')).toBeInstanceOf(HTMLElement);
  fireEvent.click(screen.getByRole('radio', { name: 'Prepaid' }));
  await place();
  await waitFor(() => expect(shop.place()).toBe(`/order-confirmed/${ID}`));
  expect(shop.calls(PLACE)[0]?.body).toEqual({ method: 'Prepaid' });
  expect(shop.told).toEqual(['cartChanged']);
  expect(shop.router.state.historyAction).toBe('REPLACE');
});

test("the review page is dimmed and inert while the order is placed; a refusal shows the server's message and returns the focus", async () => {
  const { promise, answer } = createLateAnswer();
  const { view } = openOrderPage(PATH, { [GET]: { data: draft }, [PLACE]: promise });
  view.container.id = 'root';
  const button = await placeButton();
  button.focus();
  fireEvent.click(button);
  expect((await screen.findByText('Placing your order')).closest('[role="status"]')).toBeInstanceOf(HTMLElement);
  expect(button.disabled).toBe(true);
  expect(view.container.inert).toBe(true);
  await act(async () => answer({ status: 503, data: { message: 'Not now' } }));
  await waitFor(() => expect(view.container.inert).toBe(false));
  expect(document.activeElement).toBe(button);
  expect(button.disabled).toBe(false);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Not now');
  expect(alert.className).toContain('text-sindoor');
});

test('the review page redirects to the confirmation when the order is placed already', async () => {
  const shop = openOrderPage(PATH, { [GET]: { data: pending } });
  await waitFor(() => expect(shop.place()).toBe(`/order-confirmed/${ID}`));
});

test('the review page cannot place a cancelled order', async () => {
  openOrderPage(PATH, { [GET]: { data: { ...draft, status: 'cancelled' } } });
  expect((await placeButton()).disabled).toBe(true);
  expect(screen.getByText(/This order was cancelled/)).toBeInstanceOf(HTMLElement);
});

const disabled = { name: 'Prepaid', description: 'Not available: the shop cannot take online payments at the moment.' };

test('a shop without a payment gateway shows Prepaid disabled from the start when its documents say so', async () => {
  const said = Object.assign(document.createElement('meta'), { name: 'prepaid', content: 'unavailable' });
  document.head.append(said);
  const shop = openOrderPage(PATH, { [GET]: { data: draft }, [PLACE]: { data: pending } });
  expect((await screen.findByRole<HTMLInputElement>('radio', disabled)).disabled).toBe(true);
  await place();
  await waitFor(() => expect(shop.calls(PLACE)[0]?.body).toEqual({ method: 'COD' }));
  said.remove();
});

test('a shop without a payment gateway shows Prepaid disabled with the reason after a refusal, and accepts cash on delivery', async () => {
  const answers: Answers = {
    [GET]: { data: draft },
    [PLACE]: { status: 409, data: { message: 'Prepaid is not available', code: 'prepaid_unavailable' } },
  };
  const shop = openOrderPage(PATH, answers);
  fireEvent.click(await screen.findByRole('radio', { name: 'Prepaid' }));
  await place();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Prepaid is not available');
  expect(alert.textContent).toContain('Cash on Delivery is chosen instead.');
  expect(within(alert).queryByRole('link')).toBeNull();
  const prepaid = screen.getByRole<HTMLInputElement>('radio', disabled);
  expect(prepaid.disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Cash on Delivery (COD)' }).checked).toBe(true);
  answers[PLACE] = { data: pending };
  await place();
  await waitFor(() => expect(shop.place()).toBe(`/order-confirmed/${ID}`));
  expect(shop.calls(PLACE).map(({ body }) => body)).toEqual([{ method: 'Prepaid' }, { method: 'COD' }]);
});

const placeAndLeave = async (to: string) => {
  const { promise, answer } = createLateAnswer();
  const shop = openOrderPage(PATH, { [GET]: { data: draft }, [PLACE]: promise }, { cart: createCart(draft) });
  await place();
  await act(() => shop.router.navigate(to));
  return { shop, answer: (given: Parameters<typeof answer>[0]) => act(async () => answer(given)) };
};

test('a shopper who leaves while the order is being placed sees the progress at the checkout, and is redirected to the confirmation', async () => {
  const { shop, answer } = await placeAndLeave('/checkout');
  expect(screen.getByText('Placing your order')).toBeInstanceOf(HTMLElement);
  await answer({ data: pending });
  await waitFor(() => expect(shop.place()).toBe(`/order-confirmed/${ID}`));
});

test('a shopper who leaves while the order is being placed sees the failure at the checkout', async () => {
  const { answer } = await placeAndLeave('/checkout');
  await answer({ status: 503, data: { message: 'Not now' } });
  expect((await screen.findByRole('alert')).textContent).toContain('Not now');
});

test('a shopper who leaves while the order is being placed stays on another page, where the outcome is announced', async () => {
  const { shop, answer } = await placeAndLeave('/elsewhere');
  await answer({ data: pending });
  await waitFor(() => expect(selectOrder(shop.store.getState()).placing).toEqual(pending));
  expect(shop.place()).toBe('/elsewhere');
});

describe('a call without an answer', () => {
  const NOTICE = 'The shop does not answer yet.';
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  const expectOneKey = (keys: readonly unknown[]) => {
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/./);
  };

  test.each(['the review', '/checkout'])('that places can be waited for, or repeated with the same key, on %s', async (at) => {
    const answers: Answers = { [GET]: { data: draft }, [PLACE]: NO_ANSWER };
    const shop = openOrderPage(PATH, answers, { cart: createCart(draft) });
    await place();
    if (at === '/checkout') await act(() => shop.router.navigate(at));
    expect(screen.queryByText(NOTICE)).toBeNull();
    await pass(6_000);
    press('Go on waiting');
    expect(screen.queryByText(NOTICE)).toBeNull();
    await pass(6_000);
    answers[PLACE] = { data: pending };
    press('Try again');
    await waitFor(() => expect(shop.place()).toBe(`/order-confirmed/${ID}`));
    expectOneKey(shop.calls(PLACE).map(({ key }) => key));
  });

  test('that refreshes can be repeated with the same key', async () => {
    const answers: Answers = { [GET]: { data: draft }, [PLACE]: CHANGED, 'create-order': NO_ANSWER };
    const shop = openOrderPage(PATH, answers);
    await place();
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh order' }));
    await pass(6_000);
    expect(screen.getByText(NOTICE)).toBeInstanceOf(HTMLElement);
    answers['create-order'] = { data: { order: answered(dearer) } };
    press('Try again');
    await screen.findByText('Oud Saffron Majlis is now ₹3,650.00; it was ₹3,450.00.');
    expectOneKey(shop.calls('create-order').map(({ key }) => key));
    expect(shop.told).toContain('cartRepeated');
  });
});

test('a changed price is named and disables the button, and a refresh shows what changed', async () => {
  const words = mapOrderTexts((field) => `Words of ${field}`);
  const before = answered(created(words));
  const shop = openOrderPage(PATH, { [GET]: { data: before }, [PLACE]: CHANGED, 'create-order': { data: { order: answered(dearer) } } });
  await place();
  expect(await screen.findByText('Oud Saffron Majlis now costs ₹3,650.00 instead of ₹3,450.00')).toBeInstanceOf(HTMLElement);
  const button = await placeButton();
  expect(button.disabled).toBe(true);
  expect(button.previousElementSibling).toBe(document.activeElement);
  expect(document.activeElement?.textContent).toContain('Changed since you checked out');
  expect(screen.queryByText('You pay exactly what is shown here.')).toBeNull();
  press('Refresh order');
  expect(await screen.findByText('Oud Saffron Majlis is now ₹3,650.00; it was ₹3,450.00.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('The total is now ₹11,505.00; it was ₹11,033.00.')).toBeInstanceOf(HTMLElement);
  expect((await placeButton()).disabled).toBe(false);
  expect(shop.calls('create-order')[0]?.body).toEqual({ ...BLANK_FORM, shipping: home, ...words });
  expect(shop.place()).toBe(PATH);
});

describe('a draft whose bottles another order has taken', () => {
  const first = { ...pending, _id: '5d0c2a54-7d7e-8a08-9f0e-1c2f7a6d3b22', orderNumber: 'RH-4WPDX9CT' };
  const message = `You ordered these today, ${first.orderNumber}. Place this order anyway only if you want both.`;
  const ORDERED = { message, code: 'already_ordered', orderNumber: first.orderNumber, orderId: first._id };
  const ask = async () => {
    const answers: Answers = {
      [GET]: { data: draft },
      [`get-order/${first._id}`]: { data: first },
      [PLACE]: { status: 409, data: ORDERED },
    };
    const shop = openOrderPage(PATH, answers);
    fireEvent.click(await screen.findByRole('radio', { name: 'Prepaid' }));
    await place();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(message);
    return { ...shop, answers, notice: within(alert) };
  };

  test('is placed anyway with the chosen method', async () => {
    const { answers, calls, notice, place: at } = await ask();
    answers[PLACE] = { data: pending };
    fireEvent.click(notice.getByRole('button', { name: 'Place it anyway' }));
    await waitFor(() => expect(at()).toBe(`/order-confirmed/${ID}`));
    expect(calls(PLACE).map(({ body }) => body)).toEqual([{ method: 'Prepaid' }, { method: 'Prepaid', again: true }]);
  });

  test.each([first.orderNumber, 'Leave it'])('is left for the other order by the link %s', async (name) => {
    const { calls, notice, place: at } = await ask();
    expect(notice.queryByText('Back to your cart')).toBeNull();
    fireEvent.click(notice.getByRole('link', { name }));
    await waitFor(() => expect(at()).toBe(`/order-confirmed/${first._id}`));
    expect(calls(PLACE)).toHaveLength(1);
  });
});

test('a changed price leads to the cart when the perfume is no longer available', async () => {
  const gone = {
    message: 'Some items are no longer available',
    code: 'items_unavailable',
    errors: { a: 'Ruh Gulab is no longer available' },
  };
  openOrderPage(PATH, { [GET]: { data: draft }, [PLACE]: CHANGED, 'create-order': { status: 409, data: gone } });
  await place();
  fireEvent.click(await screen.findByRole('button', { name: 'Refresh order' }));
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Ruh Gulab is no longer available')).toBeInstanceOf(HTMLElement);
  expect(alert.getByRole('link', { name: 'Back to your cart' })).toBeInstanceOf(HTMLElement);
});

test("an order that cannot be shown shows 'No order found', with the server's message in red", async () => {
  openOrderPage(PATH);
  await findTitle('No order found');
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('Order not found');
  expect(alert.className).toContain('text-sindoor');
});

test('an order that cannot be shown can be fetched again when there was no response', async () => {
  const answers: Answers = { [GET]: 'gone' };
  openOrderPage(PATH, answers);
  const again = await screen.findByRole('button', { name: 'Try again' });
  answers[GET] = { data: draft };
  fireEvent.click(again);
  expect(await placeButton()).toBeInstanceOf(HTMLElement);
});
