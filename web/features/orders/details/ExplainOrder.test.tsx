import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../../testing/shop.tsx';
import { ID, orderThatIs } from '../testing/sample-orders.ts';
import { ExplainOrder } from './ExplainOrder.tsx';

const checkout = { stream: `order-${ID}`, revision: 0, type: 'OrderCreated' };
const paidBy = (revision: number) => ({ stream: `payment-${ID}`, revision, type: 'PaymentCaptured' });

const amount = (name: string, sum: number, formula: string, ...parts: readonly [string, number, object][]) => ({
  name,
  amount: sum,
  formula,
  parts: parts.map(([label, each, event]) => ({ label, amount: each, event })),
});
const explanation = {
  amounts: [
    amount('total', 950, 'Subtotal − discount', ['Subtotal', 1000, checkout], ['Discount', -50, checkout]),
    amount('paid', 950, 'All payments that came', ['Paid by UPI', 900, paidBy(0)], ['Paid by card', 50, paidBy(3)]),
    amount('refunded', 0, 'Nothing was refunded'),
  ],
};
const order = orderThatIs('pending');
const opener = () => screen.getByText('How the amounts come about');
const under = async (name: string) => {
  const amount = await screen.findByText(name, { selector: 'summary span' });
  const details = amount.closest('details');
  if (!details) throw new Error(`${name} does not open`);
  return { amount, details, ...within(details) };
};

test('the explanation is fetched when it is opened; each amount opens to show formula, parts and events', async () => {
  const asked = answerCalls(() => ({ data: explanation }));
  renderPart(<ExplainOrder order={order} />);
  expect(asked).toEqual([]);
  await userEvent.click(opener());
  const total = await under('Total');
  expect(asked.map(({ url }) => url)).toEqual([`/order/${ID}/explain`]);
  expect(total.details.open).toBe(false);
  await userEvent.click(total.amount);
  expect(total.details.open).toBe(true);
  expect(total.getByText('Subtotal − discount')).toBeInstanceOf(HTMLElement);
  expect(total.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Subtotal₹1,000.00', 'Discount−₹50.00']);
  expect(total.getAllByText('From your checkout')).toHaveLength(1);
  expect((await under('Paid')).getAllByText('From your payment')).toHaveLength(2);
  expect((await under('Refunded')).getByText('Nothing was refunded')).toBeInstanceOf(HTMLElement);
});

test('a failure shows its reason and can be retried', async () => {
  let isResting = true;
  answerCalls(() => (isResting ? { status: 503, data: { message: 'A part of our records is missing here' } } : { data: explanation }));
  renderPart(<ExplainOrder order={order} />);
  await userEvent.click(opener());
  expect((await screen.findByRole('alert')).textContent).toContain('A part of our records is missing here');
  isResting = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await under('Total');
  expect(screen.queryByRole('alert')).toBeNull();
});

const Paying = () => {
  const [isPaid, setPaid] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setPaid(true)}>
        Pay
      </button>
      <ExplainOrder order={{ ...order, payment: { ...order.payment, status: isPaid ? 'paid' : 'due' } }} />
    </>
  );
};

test('the explanation is fetched again when reopened or when the payment changes; open amounts stay open', async () => {
  const asked = answerCalls(() => ({ data: explanation }));
  renderPart(<Paying />);
  await userEvent.click(opener());
  await under('Total');
  await userEvent.click(opener());
  expect(screen.queryByText('Total')).toBeNull();
  await userEvent.click(opener());
  await expect.poll(() => asked.length).toBe(2);
  await userEvent.click((await under('Paid')).amount);
  await userEvent.click(screen.getByRole('button', { name: 'Pay' }));
  await expect.poll(() => asked.length).toBe(3);
  expect((await under('Paid')).details.open).toBe(true);
});
