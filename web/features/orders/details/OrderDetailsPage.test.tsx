import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { mapOrderTexts, orderTexts } from '#domain/order/texts.ts';
import { mapShipping } from '#domain/order/checkout.ts';
import { personalText } from '#domain/shared/text.ts';
import type { OrderView } from '#domain/order/view.ts';
import {
  confirmed,
  created,
  historyOf,
  parcel,
  placed,
  returnDecided,
  returnReceived,
  returnRequested,
  shipped,
} from '#domain/testing/orders.ts';
import { oudSaffronMajlis } from '#domain/testing/products.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { perfume } from '../../../testing/perfumes.ts';
import { answerCalls, renderPart } from '../../../testing/shop.tsx';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { answered, ID, orderThatIs } from '../testing/sample-orders.ts';
import { returnRequested as askForReturn } from '../order-slice.ts';
import { EraseGuest } from './OrderActions.tsx';
import { findTitle, getHref, getTexts, pass, press } from '../../../testing/interactions.ts';

const PATH = `/order-confirmed/${ID}`;

const open = async (order: OrderView, answers: Answers = {}) => {
  const shop = openOrderPage(PATH, { [`get-order/${ID}`]: { data: order }, ...answers });
  await screen.findByRole('heading', { level: 1 });
  return shop;
};
const dialog = (name: string) => within(screen.getByRole('dialog', { name }));
/** Sets the date to 20 November 2026, three days after the delivery of these orders. */
const onThe20th = (): void => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z'), toFake: ['Date'] });
};

test('the confirmation of an order shows the order number, the email address and the delivery window, no texts that there are not, and where to go on', async () => {
  await open(orderThatIs('pending'));
  expect(screen.getByRole('heading', { level: 1, name: 'Order Confirmed' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('RH-4WPDX9CT')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('An e-mail was sent to meera@example.com. Please have ₹11,033.00 ready when the courier comes.')).toBeInstanceOf(
    HTMLElement,
  );
  expect(within(screen.getByRole('region', { name: 'Expected delivery' })).getByText('19 Nov – 21 Nov')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Payment: Cash on Delivery (COD)')).toBeInstanceOf(HTMLElement);
  for (const none of ['Gift Wrap', ...Object.values(orderTexts).map(({ title }) => title)]) expect(screen.queryByText(none)).toBeNull();
  expect(getHref('Explore Collection')).toBe('/');
  expect(getHref('View Order History')).toBe('/viewAllOrders');
  expect(screen.getByRole('button', { name: 'Join Now' })).toBeInstanceOf(HTMLElement);
});

test('the confirmation of an order whose shopper is erased claims no mail', async () => {
  const order = orderThatIs('delivered');
  await open({ ...order, shippingAddress: mapShipping(() => personalText('erased')) });
  expect(screen.queryByText(/An e-mail was sent to/)).toBeNull();
});

test('the confirmation of an order shows the end of the id when an order has no number', async () => {
  await open({ ...orderThatIs('pending'), orderNumber: null });
  expect(screen.getByText('6d3b11')).toBeInstanceOf(HTMLElement);
});

test('the confirmation of an order lists what was bought, what it came to and every text of the shopper', async () => {
  const words = mapOrderTexts((field) => `Words of ${field}`);
  await open(answered(created({ giftWrap: true, ...words }), placed()));
  const summary = within(screen.getByRole('complementary', { name: 'Summary' }));
  expect(getTexts(summary.getAllByRole('term'))).toEqual(['Subtotal', 'Gift Wrap', 'Taxes', 'Total']);
  expect(summary.getByText('Total').nextSibling?.textContent).toBe('₹11,072.00');
  expect(screen.getByText('₹6,900.00')).toBeInstanceOf(HTMLElement);
  for (const text of Object.values(words)) expect(screen.getByText(text)).toBeInstanceOf(HTMLElement);
});

test('the confirmation of an order links to the invoice and the credit notes of a shipped order', async () => {
  const invoice = { number: 'RH/26-27/000001', creditNotes: [{ number: 'RC/26-27/000007' }] };
  await open(orderThatIs('returned'), { [`${ID}/invoice`]: { data: invoice } });
  const invoiceLink = await screen.findByRole('link', { name: 'Invoice RH/26-27/000001, opens in a new tab' });
  expect(invoiceLink.getAttribute('href')).toBe(`/api/order/${ID}/invoice.pdf`);
  expect(getHref('View and print the invoice')).toBe(`/invoice/${ID}`);
  const note = screen.getByRole('link', { name: 'Credit note RC/26-27/000007, opens in a new tab' });
  expect(note.getAttribute('href')).toBe(`/api/order/${ID}/credit-notes/1.pdf`);
});

test('the confirmation of an order fetches invoice and credit notes a few times until they come, and again after a return', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T10:00:00Z') });
  const taxDocuments = `${ID}/invoice`;
  const answers: Answers = {
    [`get-order/${ID}`]: { data: orderThatIs('delivered') },
    [taxDocuments]: { status: 404, data: { message: 'No invoice yet' } },
    [`return/${ID}`]: { data: orderThatIs('returned') },
  };
  const shop = openOrderPage(PATH, answers);
  await waitFor(() => expect(shop.calls(taxDocuments)).toHaveLength(1));
  const passMinute = async (): Promise<void> => {
    for (let second = 0; second < 60; second += 1) await pass(1_000);
  };
  await passMinute();
  expect(shop.calls(taxDocuments)).toHaveLength(5);
  answers[taxDocuments] = { data: { number: 'RH/26-27/000001', creditNotes: [] } };
  act(() => void shop.store.dispatch(askForReturn({ id: ID, lines: [], reason: 'Not for me', opened: false })));
  expect(await screen.findByRole('link', { name: /^Invoice RH/ })).toBeInstanceOf(HTMLElement);
  const calls = shop.calls(taxDocuments).length;
  answers[taxDocuments] = { data: { number: 'RH/26-27/000001', creditNotes: [{ number: 'RC/26-27/000007' }] } };
  await passMinute();
  expect(screen.getByRole('link', { name: /^Credit note RC/ })).toBeInstanceOf(HTMLElement);
  expect(shop.calls(taxDocuments).length).toBeLessThanOrEqual(calls + 1);
});

test("'Track your order' leads to the steps until the courier has a page for the parcel", async () => {
  await open(answered(created(), placed(), confirmed(), shipped('Handle with care', undefined, { ...parcel, trackingUrl: '' })));
  fireEvent.click(screen.getByRole('link', { name: 'Track your order' }));
  const steps = screen.getByRole('list', { name: 'Where it is' });
  expect(document.activeElement).toBe(steps);
  expect(getTexts(within(steps).getAllByRole('listitem'))).toEqual([
    'Order Confirmed14 Nov, 12:00',
    'Being packed14 Nov, 18:30',
    'On its way14 Nov, 18:30Handle with care',
    'To come: Delivered19 Nov – 21 Nov',
  ]);
  expect(steps.querySelector('[aria-current="step"]')?.textContent).toContain('On its way');
  cleanup();
  await open(answered(created(), placed(), confirmed(), shipped('', undefined, parcel)));
  expect(getHref(/^Track your order/)).toBe(parcel.trackingUrl);
  expect(screen.getByText('Blue Dart, BD4711')).toBeInstanceOf(HTMLElement);
});

test('an open page follows its order while it is in view, and says a change once', async () => {
  const shop = await open(orderThatIs('pending'));
  const live = FakeLive.latest ?? expect.fail('no connection');
  const push = (order: OrderView) => act(() => live.push('order', order));
  const news = () =>
    screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join('');
  push(orderThatIs('pending'));
  expect(news()).toBe('');
  push(answered(created(), placed(), confirmed()));
  await findTitle('Being packed');
  expect(news()).toMatch(/^Being packed\. Your perfumes are being packed\./);
  push(orderThatIs('pending'));
  await findTitle('Being packed');
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(live.readyState).toBe(2);
  seen.mockRestore();
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(FakeLive.latest).not.toBe(live);
  await act(() => shop.router.navigate('/elsewhere'));
  expect(FakeLive.latest?.readyState).toBe(2);
});

test('an order is bought again in one click, with what is gone, fewer or dearer told', async () => {
  const answers: Answers = {
    '/product/oud-saffron-majlis': {
      data: { ...perfume(), _id: 'oud-saffron-majlis', name: 'Oud Saffron Majlis', price: '₹3,600.00', left: 1 },
    },
    '/product/ruh-gulab': { status: 404, data: { message: 'Product not found' } },
  };
  const shop = await open(orderThatIs('delivered'), answers);
  press(/^Buy again/);
  expect(await screen.findByText('1 perfume is in your cart.')).toBeInstanceOf(HTMLElement);
  for (const told of [
    'Only 1 of 2 Oud Saffron Majlis are left.',
    'Oud Saffron Majlis is ₹3,600.00 now; it was ₹3,450.00.',
    'Ruh Gulab is no longer available.',
  ])
    expect(screen.getByText(told)).toBeInstanceOf(HTMLElement);
  expect(getHref('See your cart')).toBe('/cart');
  expect(shop.added.map(({ product, quantity }) => [product._id, quantity])).toEqual([['oud-saffron-majlis', 1]]);
});

test('of an order that is bought again nothing is said to be in the cart if the cart has refused a part', async () => {
  const product = { data: { ...perfume(), _id: 'oud-saffron-majlis', price: '₹3,450.00' } };
  const gone = { status: 404, data: { message: 'Product not found' } };
  const answers: Answers = {
    [`get-order/${ID}`]: { data: orderThatIs('delivered') },
    '/product/oud-saffron-majlis': product,
    '/product/ruh-gulab': gone,
  };
  openOrderPage(PATH, answers, { drained: () => false });
  await findTitle('Delivered');
  press(/^Buy again/);
  expect(await screen.findByText('Not all of it could be added: your cart shows what is in it.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Ruh Gulab is no longer available.')).toBeInstanceOf(HTMLElement);
  expect(screen.queryByText(/perfumes? (?:is|are) in your cart/)).toBeNull();
  expect(getHref('See your cart')).toBe('/cart');
});

test('the confirmation of an order uses the answer of placing at first, and fetches the order when the shopper returns to it', async () => {
  const answers: Answers = {
    [`get-order/${ID}`]: { data: orderThatIs('created') },
    [`place-order/${ID}`]: { data: orderThatIs('pending') },
  };
  const shop = openOrderPage(`/review-order/${ID}`, answers);
  await findTitle('Review Your Order');
  press('Place Order');
  await findTitle('Order Confirmed');
  expect(shop.calls(`get-order/${ID}`)).toHaveLength(1);
  answers[`get-order/${ID}`] = { data: orderThatIs('cancelled') };
  await act(() => shop.router.navigate('/elsewhere'));
  await act(() => shop.router.navigate(-1));
  await findTitle('Cancelled');
});

test('the confirmation of an order redirects to the review when the order is not placed', async () => {
  const shop = openOrderPage(PATH, { [`get-order/${ID}`]: { data: orderThatIs('created') } });
  await waitFor(() => expect(shop.place()).toBe(`/review-order/${ID}`));
});

test('cancelling an order asks for confirmation, and shows the cancelled order', async () => {
  const shop = await open(orderThatIs('confirmed'), { [`cancel/${ID}`]: { data: orderThatIs('cancelled') } });
  screen.getByRole('button', { name: 'Cancel order' }).focus();
  press('Cancel order');
  fireEvent.change(dialog('Cancel this order?').getByLabelText(/Reason/), { target: { value: ' Ordered twice ' } });
  fireEvent.click(dialog('Cancel this order?').getByRole('button', { name: 'Cancel order' }));
  const title = await findTitle('Cancelled');
  expect(document.activeElement).toBe(title);
  expect(shop.calls(`cancel/${ID}`)).toMatchObject([{ body: { reason: 'Ordered twice' }, key: expect.any(String) }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('cancelling an order shows a refusal in the dialog', async () => {
  const refusal = { message: 'The order is shipped and cannot become cancelled', code: 'illegal_transition' };
  await open(orderThatIs('pending'), { [`cancel/${ID}`]: { status: 409, data: refusal } });
  press('Cancel order');
  fireEvent.click(dialog('Cancel this order?').getByRole('button', { name: 'Cancel order' }));
  expect((await screen.findByRole('alert')).textContent).toBe(refusal.message);
});

test("cancelling an order shows the server's error for the reason under that field", async () => {
  const refusal = { message: 'Please correct the marked fields', code: 'invalid_request', errors: { reason: 'Please use fewer words' } };
  await open(orderThatIs('pending'), { [`cancel/${ID}`]: { status: 400, data: refusal } });
  press('Cancel order');
  const { getByLabelText, getByRole } = dialog('Cancel this order?');
  fireEvent.change(getByLabelText(/Reason/), { target: { value: 'Very long' } });
  fireEvent.click(getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Please use fewer words')).toBeInstanceOf(HTMLElement);
  expect(getByLabelText(/Reason/).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(getByLabelText(/Reason/));
});

test.each(['shipped', 'cancelled', 'returned'] as const)('cancelling an order is not offered once the order is %s', async (status) => {
  await open(orderThatIs(status));
  expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull();
});

const askToReturn = (): ReturnType<typeof dialog> => {
  press('Return order');
  return dialog('What comes back?');
};
const choose = (asked: ReturnType<typeof dialog>, name: string, quantity: string): void =>
  void fireEvent.change(asked.getByLabelText(name), { target: { value: quantity } });

test('returning an order shows the rules, and asks which bottles come back and whether one was opened', async () => {
  onThe20th();
  const requested = answered(...historyOf.delivered, returnRequested({ lines: [{ productId: oudSaffronMajlis, quantity: 1 }] }));
  const shop = await open(orderThatIs('delivered'), { [`return/${ID}`]: { data: requested } });
  const asked = askToReturn();
  expect(asked.getByText(/You may return an unopened bottle within 14 days of delivery/)).toBeInstanceOf(HTMLElement);
  expect(asked.getByText('1 Dec')).toBeInstanceOf(HTMLElement);
  expect(getTexts(asked.getAllByRole('option'))).toEqual(['Stays with me', '1 of 2', '2 of 2', 'Stays with me', '1 of 1']);
  fireEvent.click(asked.getByRole('button', { name: 'Return order' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please say whether a bottle was opened');
  expect(shop.calls(`return/${ID}`)).toEqual([]);
  for (const fault of ['Required', 'Please choose what comes back']) expect(asked.getByText(fault)).toBeInstanceOf(HTMLElement);
  expect(document.activeElement).toBe(asked.getByLabelText('Oud Saffron Majlis'));
  choose(asked, 'Oud Saffron Majlis', '1');
  fireEvent.click(asked.getByRole('radio', { name: 'No, all are sealed' }));
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: ' Not for me ' } });
  fireEvent.click(asked.getByRole('button', { name: 'Return order' }));
  const title = await findTitle('We have your wish');
  expect(document.activeElement).toBe(title);
  expect(screen.queryByRole('button', { name: 'Return order' })).toBeNull();
  const body = { lines: [{ productId: oudSaffronMajlis, quantity: 1 }], reason: 'Not for me', opened: false };
  expect(shop.calls(`return/${ID}`)).toMatchObject([{ body }]);
});

test("returning an order shows the server's refusal when a bottle was opened", async () => {
  onThe20th();
  const refusal = { message: 'You may return an unopened bottle within 14 days of delivery.', code: 'bottle_opened' };
  await open(orderThatIs('delivered'), { [`return/${ID}`]: { status: 409, data: refusal } });
  const asked = askToReturn();
  choose(asked, 'Ruh Gulab', '1');
  fireEvent.click(asked.getByRole('radio', { name: 'Yes, at least one' }));
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Too sweet' } });
  fireEvent.click(asked.getByRole('button', { name: 'Return order' }));
  expect((await screen.findByRole('alert')).textContent).toBe(refusal.message);
});

test('returning an order offers what is left once a part has come back', async () => {
  onThe20th();
  const lines = [{ productId: oudSaffronMajlis, quantity: 1 }];
  await open(answered(...historyOf.delivered, returnRequested({ lines }), returnDecided(), returnReceived()));
  expect(getTexts(askToReturn().getAllByRole('option'))).toEqual(['Stays with me', '1 of 2', 'Stays with me', '1 of 1']);
});

test('returning an order is not offered later than 14 days after delivery', async () => {
  vi.useFakeTimers({ now: new Date('2026-12-02T10:00:00Z'), toFake: ['Date'] });
  await open(orderThatIs('delivered'));
  expect(screen.queryByRole('button', { name: 'Return order' })).toBeNull();
  expect(screen.getByText(/It could be returned until 1 Dec\.$/)).toBeInstanceOf(HTMLElement);
});

test('a failed erasure of a guest’s data is shown in general words when the server gives no reason', async () => {
  answerCalls(() => ({ status: 502, data: 'Bad Gateway' }));
  renderPart(<EraseGuest order={orderThatIs('delivered')} onErased={() => {}} />);
  press('Erase my personal data');
  press('Erase for good');
  expect((await screen.findByRole('alert')).textContent).toBe('Your personal data could not be erased. Please try again.');
});
