import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { mapOrderTexts, orderTexts } from '#domain/order/texts.ts';
import { mapShipping } from '#domain/order/checkout.ts';
import { personalText } from '#domain/shared/text.ts';
import type { OrderView } from '#domain/order/view.ts';
import { created, placed, shipped } from '#domain/testing/orders.ts';
import { answerCalls, renderPart } from '../../../testing/shop.tsx';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { answered, ID, orderThatIs } from '../testing/sample-orders.ts';
import { returnRequested } from '../order-slice.ts';
import { EraseGuest } from './OrderActions.tsx';
import { findTitle, getHref, getTexts, press } from '../../../testing/interactions.ts';

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
  expect(screen.getByText(/An e-mail was sent to/).textContent).toBe('An e-mail was sent to meera@example.com');
  expect(screen.getByText(/^\d+ Nov – \d+ Nov$/)).toBeInstanceOf(HTMLElement);
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

test('the confirmation of an order fetches invoice and credit notes once, and again after a return', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T10:00:00Z') });
  const taxDocuments = `${ID}/invoice`;
  const answers: Answers = {
    [`get-order/${ID}`]: { data: orderThatIs('delivered') },
    [taxDocuments]: { status: 404, data: { message: 'No invoice yet' } },
    [`return/${ID}`]: { data: orderThatIs('returned') },
  };
  const shop = openOrderPage(PATH, answers);
  await waitFor(() => expect(shop.calls(taxDocuments)).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(shop.calls(taxDocuments)).toHaveLength(1);
  answers[taxDocuments] = { data: { number: 'RH/26-27/000001', creditNotes: [{ number: 'RC/26-27/000007' }] } };
  act(() => void shop.store.dispatch(returnRequested({ id: ID, reason: 'Not for me', opened: false })));
  expect(await screen.findByRole('link', { name: /^Credit note RC/ })).toBeInstanceOf(HTMLElement);
  expect(shop.calls(taxDocuments)).toHaveLength(2);
});

test("the confirmation of an order 'Track your order' leads to the order's timeline, which also shows the steps ahead", async () => {
  await open(answered(created(), placed(), shipped('AWB 4711')));
  fireEvent.click(screen.getByRole('link', { name: 'Track your order' }));
  const timeline = screen.getByRole('region', { name: 'Where it is' });
  expect(document.activeElement).toBe(timeline);
  const steps = within(timeline).getAllByRole('listitem');
  expect(steps.map((entry) => entry.querySelector('p')?.textContent)).toEqual([
    'Checkout begun',
    'Order placed',
    'Handed to the courier',
    'To come: Delivered',
  ]);
  expect(timeline.querySelector('[aria-current="step"]')?.textContent).toContain('Handed to the courier');
  expect(within(timeline).getByText('AWB 4711')).toBeInstanceOf(HTMLElement);
  expect(within(timeline).getByText(/^Expected \d+ Nov – \d+ Nov$/)).toBeInstanceOf(HTMLElement);
});

test.each(['delivered', 'cancelled', 'returned'] as const)(
  'the confirmation of an order shows no steps ahead for an order that is %s',
  async (status) => {
    await open(orderThatIs(status));
    expect(screen.queryByText('To come:')).toBeNull();
  },
);

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
  await findTitle('Order Cancelled');
});

test('the confirmation of an order redirects to the review when the order is not placed', async () => {
  const shop = openOrderPage(PATH, { [`get-order/${ID}`]: { data: orderThatIs('created') } });
  await waitFor(() => expect(shop.place()).toBe(`/review-order/${ID}`));
});

test('cancelling an order asks for confirmation, and shows the cancelled order', async () => {
  const shop = await open(orderThatIs('confirmed'), { [`cancel/${ID}`]: { data: orderThatIs('cancelled') } });
  press('Cancel order');
  fireEvent.change(dialog('Cancel this order?').getByLabelText(/Reason/), { target: { value: ' Ordered twice ' } });
  fireEvent.click(dialog('Cancel this order?').getByRole('button', { name: 'Cancel order' }));
  const title = await findTitle('Order Cancelled');
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

test('returning an order shows the rules and asks whether a bottle was opened', async () => {
  onThe20th();
  const shop = await open(orderThatIs('delivered'), { [`return/${ID}`]: { data: orderThatIs('returned') } });
  press('Return order');
  const asked = dialog('Return this order?');
  expect(asked.getByText(/You may return an unopened bottle within 14 days of delivery/)).toBeInstanceOf(HTMLElement);
  expect(asked.getByText('1 Dec')).toBeInstanceOf(HTMLElement);
  fireEvent.click(asked.getByRole('button', { name: 'Return order' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please say whether a bottle was opened');
  expect(shop.calls(`return/${ID}`)).toEqual([]);
  expect(asked.getByText('Required')).toBeInstanceOf(HTMLElement);
  expect(document.activeElement).toBe(asked.getByRole('radio', { name: 'No, all are sealed' }));
  fireEvent.click(asked.getByRole('radio', { name: 'No, all are sealed' }));
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: ' Not for me ' } });
  fireEvent.click(asked.getByRole('button', { name: 'Return order' }));
  const title = await findTitle('Order Returned');
  expect(document.activeElement).toBe(title);
  expect(shop.calls(`return/${ID}`)).toMatchObject([{ body: { reason: 'Not for me', opened: false } }]);
});

test("returning an order shows the server's refusal when a bottle was opened", async () => {
  onThe20th();
  const refusal = { message: 'You may return an unopened bottle within 14 days of delivery.', code: 'bottle_opened' };
  await open(orderThatIs('delivered'), { [`return/${ID}`]: { status: 409, data: refusal } });
  press('Return order');
  fireEvent.click(screen.getByRole('radio', { name: 'Yes, at least one' }));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Too sweet' } });
  fireEvent.click(dialog('Return this order?').getByRole('button', { name: 'Return order' }));
  expect((await screen.findByRole('alert')).textContent).toBe(refusal.message);
});

test('returning an order is not offered later than 14 days after delivery', async () => {
  vi.useFakeTimers({ now: new Date('2026-12-02T10:00:00Z'), toFake: ['Date'] });
  await open(orderThatIs('delivered'));
  expect(screen.queryByRole('button', { name: 'Return order' })).toBeNull();
  expect(screen.getByText('It could be returned until 1 Dec.')).toBeInstanceOf(HTMLElement);
});

test('a failed erasure of a guest’s data is shown in general words when the server gives no reason', async () => {
  answerCalls(() => ({ status: 502, data: 'Bad Gateway' }));
  renderPart(<EraseGuest order={orderThatIs('delivered')} onErased={() => {}} />);
  press('Erase my personal data');
  press('Erase for good');
  expect((await screen.findByRole('alert')).textContent).toBe('Your personal data could not be erased');
});
