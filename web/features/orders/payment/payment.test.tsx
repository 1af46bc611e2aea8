import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paise } from '#domain/shared/money.ts';
import { cancelled } from '#domain/testing/orders.ts';
import { captured, refundRefused, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { openOrderPage, type Answers } from '../testing/open-orders.tsx';
import { ID, orderThatIs, prepaidOrder } from '../testing/sample-orders.ts';
import { getTexts, pass, press } from '../../../testing/interactions.ts';
import { createLateAnswer, NO_ANSWER } from '../../../testing/shop.tsx';

const PATH = `/order-confirmed/${ID}`;
const GET = `get-order/${ID}`;
const PAY = `pay/${ID}`;
const CHECK = `check-payment/${ID}`;
const due = prepaidOrder();
const paid = prepaidOrder([captured()]);
const UNCONFIRMED = 'Your payment is not yet confirmed by the bank. If you have paid, ask again in a moment; if not, you can pay now.';
const PAID = 'Paid ₹11,033.00 by UPI on 14 Nov 2026.';
const AWAY = 'The payment service does not answer. Please try again in a minute.';
const NOT_CHECKED = 'The payment service does not answer. If you have paid, your payment may have arrived: it will be looked up again.';
const URL = 'http://localhost/dev/payments/plink_1';

let assign = vi.spyOn(location, 'assign');
beforeEach(() => {
  assign = vi.spyOn(location, 'assign').mockReturnValue();
});

const section = () => screen.findByRole('region', { name: 'Payment' });
const says = (text: string) => screen.findByText(text);
const payButton = () => screen.findByRole<HTMLButtonElement>('button', { name: /^Pay ₹11,033.00/ });
const askButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Ask the bank again' });
const answersOf = (answers: Answers): Answers => ({ [GET]: { data: due }, [CHECK]: { data: due }, ...answers });

describe('a due order', () => {
  test('is not checked with the gateway when it was placed just now', async () => {
    const shop = openOrderPage(
      `/review-order/${ID}`,
      answersOf({ [GET]: { data: orderThatIs('created') }, [`place-order/${ID}`]: { data: due } }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Place Order' }));
    await says('₹11,033.00 is still to be paid.');
    expect((await payButton()).disabled).toBe(false);
    expect(screen.queryByRole('button', { name: 'Ask the bank again' })).toBeNull();
    expect(shop.calls(CHECK)).toEqual([]);
  });

  test('opens the payment page once, and shows that it does', async () => {
    const shop = openOrderPage(PATH, answersOf({ [PAY]: { data: { url: URL } } }));
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    await waitFor(() => expect(assign.mock.calls).toEqual([[URL]]));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Going to the payment page/ });
    expect(button.disabled).toBe(true);
    fireEvent.click(button);
    expect(shop.calls(PAY)).toHaveLength(1);
  });

  test('shows that the gateway is unavailable, and can be retried', async () => {
    const answers = answersOf({ [PAY]: { status: 503, data: { message: AWAY } } });
    const shop = openOrderPage(PATH, answers);
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    expect((await screen.findByRole('alert')).textContent).toBe(AWAY);
    answers[PAY] = { data: { url: URL } };
    fireEvent.click(await payButton());
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(shop.calls(PAY)).toHaveLength(2);
  });

  test('is fetched again if it was paid elsewhere', async () => {
    const answers = answersOf({ [PAY]: { status: 409, data: { message: 'Nothing to pay', code: 'nothing_to_pay' } } });
    const shop = openOrderPage(PATH, answers);
    await says(UNCONFIRMED);
    answers[GET] = { data: paid };
    const button = await payButton();
    button.focus();
    fireEvent.click(button);
    await says(PAID);
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Order Confirmed' }));
    expect(assign).not.toHaveBeenCalled();
    expect(shop.calls(GET)).toHaveLength(2);
  });

  test('is checked with the gateway once, even if it is fetched again and still due', async () => {
    const shop = openOrderPage(PATH, answersOf({ [PAY]: { status: 409, data: { message: 'Nothing to pay' } } }));
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    expect((await screen.findByRole('alert')).textContent).toBe('Nothing to pay');
    await waitFor(() => expect(shop.calls(GET)).toHaveLength(2));
    await says('₹11,033.00 is still to be paid.');
    expect(shop.calls(CHECK)).toHaveLength(1);
  });

  test('can be retried when the server does not answer', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const answers = answersOf({ [PAY]: NO_ANSWER });
    openOrderPage(PATH, answers);
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    await pass(6_000);
    answers[PAY] = { data: { url: URL } };
    press('Try again');
    await waitFor(() => expect(assign.mock.calls).toEqual([[URL]]));
  });

  test('does not open the payment page after the shopper has left', async () => {
    const { promise, answer } = createLateAnswer();
    const shop = openOrderPage(PATH, answersOf({ [PAY]: promise }));
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    await act(() => shop.router.navigate('/elsewhere'));
    await act(async () => answer({ data: { url: URL } }));
    expect(assign).not.toHaveBeenCalled();
  });

  test('is checked with the gateway when the browser restores the page from its cache', async () => {
    const answers = answersOf({ [PAY]: { data: { url: URL } } });
    openOrderPage(PATH, answers);
    await says(UNCONFIRMED);
    fireEvent.click(await payButton());
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
    answers[CHECK] = { data: paid };
    act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    await says(PAID);
  });
});

describe('the return from the payment page', () => {
  test('checks with the gateway once, and shows that it does', async () => {
    const shop = openOrderPage(PATH, answersOf({ [CHECK]: NO_ANSWER }));
    await says('Asking the bank whether your payment has arrived...');
    expect((await payButton()).disabled).toBe(true);
    expect(shop.calls(CHECK)).toHaveLength(1);
  });

  test('shows why the payment failed, and offers to pay again', async () => {
    openOrderPage(PATH, answersOf({ [CHECK]: { data: { ...due, paymentFailure: 'The card was declined' } } }));
    expect(await screen.findByText('Your payment did not go through: The card was declined')).toBeInstanceOf(HTMLElement);
    await says('₹11,033.00 is still to be paid.');
    expect((await payButton()).disabled).toBe(false);
  });

  test('offers no payment to staff, who may only read the order', async () => {
    const answers = answersOf({
      [CHECK]: { status: 403, data: { message: 'Only its shopper can pay an order', code: 'not_the_shopper' } },
    });
    const shop = openOrderPage(PATH, answers);
    await waitFor(() => expect(shop.calls(CHECK)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Pay|^Ask/ })).toBeNull());
    await says('₹11,033.00 is still to be paid.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows that the gateway is unavailable', async () => {
    const answers = answersOf({ [CHECK]: { status: 503, data: { message: NOT_CHECKED } } });
    openOrderPage(PATH, answers);
    expect((await screen.findByRole('alert')).textContent).toBe(NOT_CHECKED);
    answers[CHECK] = { data: paid };
    fireEvent.click(await askButton());
    await says(PAID);
  });

  test('does not check an order that is not due', async () => {
    const shop = openOrderPage(PATH, answersOf({ [GET]: { data: paid } }));
    await says(PAID);
    expect(shop.calls(CHECK)).toEqual([]);
  });
});

test('refunds are listed with amount, reason, status and date', async () => {
  const events = [
    captured(),
    refundRequested('desk', paise(100_00), 'pay_1-1', 'A broken bottle'),
    refundSettled('pay_1-1'),
    refundRequested('desk', paise(50_00), 'pay_1.2', 'A late parcel'),
    refundRequested('desk', paise(25_00), 'pay_1.3', 'A wrong ribbon'),
    refundRefused(true, 'pay_1.3'),
  ];
  openOrderPage(PATH, answersOf({ [GET]: { data: prepaidOrder(events) } }));
  expect(getTexts(within(await section()).getAllByRole('listitem'))).toEqual([
    '₹100.00A broken bottleSent back on 14 Nov 2026',
    '₹50.00A late parcelOn its way since 14 Nov 2026',
    '₹25.00A wrong ribbonRefused by the bank on 14 Nov 2026. We are looking into it.',
  ]);
});

test('refunds are announced before a paid order is cancelled, and shown afterwards', async () => {
  const refunding = prepaidOrder([captured(), refundRequested('cancelled')], cancelled());
  openOrderPage(PATH, answersOf({ [GET]: { data: paid }, [`cancel/${ID}`]: { data: refunding } }));
  await says(PAID);
  press('Cancel order');
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText('₹11,033.00 goes back the way it came, usually within 7–10 business days.')).toBeInstanceOf(HTMLElement);
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel and refund ₹11,033.00' }));
  await says(`${PAID} ₹11,033.00 is on its way back to you.`);
});

test('refunds are not announced when nothing was paid', async () => {
  openOrderPage(PATH, answersOf({}));
  await says(UNCONFIRMED);
  press('Cancel order');
  expect(screen.queryByText(/goes back the way it came/)).toBeNull();
});

const other = { ...due, _id: `${ID.slice(0, -3)}999` as typeof ID };
const cardOf = async (place: number) => within((await screen.findAllByRole('article'))[place] ?? expect.fail('no order'));

test('My Orders shows the payment of each order, and opens the payment page of a due one', async () => {
  const shop = openOrderPage('/viewAllOrders', {
    'get-AllOrders': { data: { orders: [paid, other] } },
    [`pay/${other._id}`]: { data: { url: URL } },
  });
  expect((await cardOf(0)).getByRole('status').textContent).toBe(PAID);
  expect((await cardOf(0)).queryByRole('button')).toBeNull();
  expect((await cardOf(1)).getByRole('status').textContent).toBe('₹11,033.00 is still to be paid.');
  fireEvent.click((await cardOf(1)).getByRole('button', { name: 'Pay ₹11,033.00 for order RH-4WPDX9CT' }));
  await waitFor(() => expect(assign.mock.calls).toEqual([[URL]]));
  expect(shop.calls(CHECK)).toEqual([]);
});

test('My Orders shows a failed payment only at its order', async () => {
  openOrderPage('/viewAllOrders', { 'get-AllOrders': { data: { orders: [due, other] } }, [PAY]: 'gone' });
  fireEvent.click((await cardOf(0)).getByRole('button', { name: /^Pay/ }));
  expect((await (await cardOf(0)).findByRole('alert')).textContent).toContain('try again');
  expect((await cardOf(1)).queryByRole('alert')).toBeNull();
  expect((await cardOf(1)).getByRole<HTMLButtonElement>('button', { name: /^Pay/ }).disabled).toBe(false);
});

test('My Orders fetches an order again that was paid elsewhere', async () => {
  const answers: Answers = {
    'get-AllOrders': { data: { orders: [due, other] } },
    [PAY]: { status: 409, data: { message: 'Nothing to pay' } },
    [GET]: { data: paid },
  };
  openOrderPage('/viewAllOrders', answers);
  const first = await cardOf(0);
  fireEvent.click(first.getByRole('button', { name: /^Pay/ }));
  await waitFor(() => expect(first.getByRole('status').textContent).toBe(PAID));
  expect(first.queryByRole('button')).toBeNull();
});
