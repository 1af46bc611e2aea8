import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { PaymentView, RefundView } from '#domain/payment/view.ts';
import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { instant } from '#domain/shared/time.ts';
import { getDescription, write } from '../../../testing/interactions.ts';
import { at, FakeLive, openDialog, openSiteManager, toCommands } from '../testing/open-site-manager.tsx';
import { order } from '../testing/shop-data.ts';

const NUMBER = 'RH-7K3MQ2XA';
const noon = instant('2026-11-21T06:30:00.000Z');
const card = async () => within(await screen.findByRole('article', { name: `Order ${NUMBER}` }));
const refund = (amount: number, status: RefundView['status']): RefundView => ({
  _id: 'pay_1-1',
  amount,
  reason: 'Broken',
  status,
  at: noon,
});
const paid: Partial<PaymentView> = { status: 'paid', method: 'upi', paidAt: noon };

test.each<readonly [Partial<PaymentView>, string]>([
  [{ status: 'due' }, 'Not paid yet'],
  [paid, 'Paid · UPI · 21 Nov 2026'],
  [{ status: 'on_delivery' }, 'To be paid on delivery'],
  [{ status: 'collected', method: 'cash', paidAt: noon }, 'Cash received · 21 Nov 2026'],
  [{ ...paid, status: 'refunding', refunds: [refund(10_541, 'requested')] }, 'Refund under way · UPI · 21 Nov 2026'],
  [{ ...paid, status: 'partly_refunded', refunded: 100 }, 'Partly refunded · UPI · 21 Nov 2026 · ₹100.00 refunded'],
  [{ status: 'cancelled' }, 'Never paid'],
])("an order's card describes the payment %o: %s", async (payment, text) => {
  openSiteManager('', { orders: [order({ payment })] });
  expect((await card()).getByText('Payment:').parentElement?.textContent).toBe(`Payment: ${text}`);
});

test("an order's card has the mismatches of its payment", async () => {
  const mismatch = 'The gateway refused to refund ₹60.00: No funds. ₹50.00 were refunded at the gateway itself, as rfnd_1';
  openSiteManager('', { orders: [{ ...order({ payment: paid }), mismatch }] });
  expect((await card()).getByText(mismatch)).toBeTruthy();
});

test('a due order shows why it cannot be confirmed, and can be cancelled', async () => {
  openSiteManager('', { orders: [order({ payment: { status: 'due' } })] });
  const confirm = (await card()).getByRole('button', { name: `Confirm: ${NUMBER}` });
  expect(confirm).toHaveProperty('disabled', true);
  expect(getDescription(confirm)).toBe('It waits for the payment of ₹10,541.00.');
  expect((await card()).getByRole('button', { name: `Cancel: ${NUMBER}` })).toHaveProperty('disabled', false);
});

test('an order that was refunded in full is neither confirmed nor shipped, but can be cancelled', async () => {
  openSiteManager('', { orders: [order({ payment: { ...paid, status: 'refunded', refunded: 10_541 } })] });
  const confirm = (await card()).getByRole('button', { name: `Confirm: ${NUMBER}` });
  expect(confirm).toHaveProperty('disabled', true);
  expect(getDescription(confirm)).toBe('It was refunded in full.');
  expect((await card()).getByRole('button', { name: `Cancel: ${NUMBER}` })).toHaveProperty('disabled', false);
});

test("the server's message is shown when an order that looked paid is not paid", async () => {
  const refusal = { status: 409, data: { message: 'Order is not paid', code: 'order_not_paid' } };
  openSiteManager('', { orders: [order({ payment: paid })], instead: toCommands(refusal) });
  const dialog = await openDialog(`Confirm: ${NUMBER}`);
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm order' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Order is not paid');
});

test("an order's amounts open to show their events, and are fetched again when the order changes", async () => {
  const { _id } = order();
  const event = { stream: `payment-${_id}`, revision: 1, type: 'PaymentCaptured' };
  const paidBy = (amount: number) => ({
    amounts: [{ name: 'paid', amount, formula: 'All payments that came', parts: [{ label: 'Paid by UPI', amount, event }] }],
  });
  let amount = 500;
  const EXPLAIN = `/order/${_id}/explain`;
  const { asked } = openSiteManager('', { instead: at(EXPLAIN, () => ({ data: paidBy(amount) })) });
  const opener = (await card()).getByText('How the amounts');
  expect(opener.parentElement?.textContent).toBe(`How the amounts of ${NUMBER} come about`);
  expect(asked.map(({ url }) => url)).not.toContain(EXPLAIN);
  await userEvent.click(opener);
  await userEvent.click(await (await card()).findByText('Paid', { selector: 'summary span' }));
  expect((await card()).getByRole('link', { name: 'The payment that the gateway took' }).getAttribute('href')).toBe(
    `/audit?stream=${event.stream}`,
  );
  amount = 600;
  act(() => FakeLive.latest?.push('orders'));
  expect(await (await card()).findAllByText('₹600.00')).toHaveLength(2);
});

const open = async (payment: Partial<PaymentView> = paid) => {
  const opened = openSiteManager('', { orders: [order({ payment })] });
  return { ...opened, dialog: await openDialog(`Refund ${NUMBER}`) };
};
const REFUND = `/admin/order/${order()._id}/refund`;
type Dialog = Awaited<ReturnType<typeof openDialog>>;
const amountOf = (dialog: Dialog) => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Amount in rupees' });
const reasonOf = (dialog: Dialog) => dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Reason' });
const send = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: /^Refund( ₹[\d,.]+)?$/ }));

test('a refund of the remaining amount is requested with a reason, and the card is then up to date', async () => {
  const { server, asked, dialog } = await open();
  server.instead = at(REFUND, () => {
    server.orders = [order({ payment: { ...paid, status: 'refunding', refunds: [refund(10_541, 'requested')] } })];
    return { data: server.orders[0] };
  });
  expect(amountOf(dialog).value).toBe('10541.00');
  write(reasonOf(dialog), ' A broken bottle ');
  await send(dialog);
  expect(await screen.findByText(`₹10,541.00 of ${NUMBER} will be refunded`, { selector: '[role=status] *' })).toBeInstanceOf(HTMLElement);
  expect(asked.find(({ url }) => url === REFUND)?.body).toEqual({ amount: 10_541, reason: 'A broken bottle' });
  expect(await (await card()).findByText(/Refund under way/)).toBeInstanceOf(HTMLElement);
  expect((await card()).queryByRole('button', { name: `Refund ${NUMBER}` })).toBeNull();
});

test('a refund that is asked for again after its answer was lost is the same one', async () => {
  const { server, asked, dialog } = await open();
  server.instead = at(REFUND, 'gone');
  write(reasonOf(dialog), 'A broken bottle');
  await send(dialog);
  await dialog.findByRole('alert');
  server.instead = at(REFUND, { data: order({ payment: { ...paid, status: 'refunding', refunds: [refund(10_541, 'requested')] } }) });
  await send(dialog);
  await screen.findByText(`₹10,541.00 of ${NUMBER} will be refunded`, { selector: '[role=status] *' });
  const [first, again] = asked.filter(({ url }) => url === REFUND).map(({ key }) => key);
  expect(first).toEqual(expect.any(String));
  expect(again).toBe(first);
});

test('the button of a refund names the typed sum, and the other one that nothing goes back', async () => {
  const { dialog } = await open();
  for (const [typed, deed] of [
    ['1200', 'Refund ₹1,200.00'],
    ['1,200.5', 'Refund ₹1,200.50'],
    ['much', 'Refund'],
  ] as const) {
    write(amountOf(dialog), typed);
    expect(dialog.getByRole('button', { name: /^Refund (?!nothing)|^Refund$/ }).textContent).toBe(deed);
  }
  await userEvent.click(dialog.getByRole('button', { name: 'Refund nothing' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each<readonly [string, Partial<PaymentView>, string]>([
  ['what is left after others', { ...paid, status: 'partly_refunded', refundable: 10_000 }, '10000.00'],
  ['all of an order whose excess was refunded', { ...paid, refundable: 10_541, refunds: [refund(10_541, 'settled')] }, '10541.00'],
  ['what is left beside one under way', { ...paid, status: 'refunding', refundable: 10_540.9 }, '10540.90'],
  ['the cash that came, though it is less than the total', { status: 'collected', method: 'cash', refundable: 541 }, '541.00'],
])('a refund is offered for %s', async (_of, payment, amount) => {
  expect(amountOf((await open(payment)).dialog).value).toBe(amount);
});

test('a refund of an erased shopper promises no mail, and asks for no reason that nobody would read', async () => {
  const { shippingAddress } = order();
  const nobody = Object.fromEntries(Object.keys(shippingAddress).map((field) => [field, 'erased'])) as typeof shippingAddress;
  const { server, asked } = openSiteManager('', { orders: [{ ...order({ payment: paid }), shippingAddress: nobody }] });
  server.instead = at(REFUND, { data: order() });
  const dialog = await openDialog(`Refund ${NUMBER}`);
  expect(dialog.getByText(/^What you name goes back the way it came.* ₹10,541\.00 can be refunded\.$/)).toBeInstanceOf(HTMLElement);
  expect(dialog.queryByRole('textbox', { name: 'Reason' })).toBeNull();
  await send(dialog);
  await expect.poll(() => asked.find(({ url }) => url === REFUND)?.body).toEqual({ amount: 10_541, reason: 'erased' });
});

test.each(['0', '1.005', '-5', 'much', ''])('a refund is sent neither with the amount “%s” nor without a reason', async (amount) => {
  const { asked, dialog } = await open();
  write(amountOf(dialog), amount);
  await send(dialog);
  expect(await dialog.findByText('Required', { selector: `#${CSS.escape(reasonOf(dialog).id)}-note > span` })).toBeInstanceOf(HTMLElement);
  expect(amountOf(dialog).getAttribute('aria-invalid')).toBe('true');
  expect(asked.map(({ url }) => url)).not.toContain(REFUND);
});

test.each<readonly [number, object]>([
  [409, { message: 'More than was paid', code: 'more_than_was_paid' }],
  [400, { message: 'Invalid', code: 'invalid', errors: { amount: 'More than was paid' } }],
])('a refund shows in the dialog why it was refused with %i, and keeps the reason', async (status, data) => {
  const { server, dialog } = await open();
  server.instead = at(REFUND, { status, data });
  write(reasonOf(dialog), 'Broken');
  await send(dialog);
  expect(await dialog.findByText('More than was paid')).toBeInstanceOf(HTMLElement);
  expect(amountOf(dialog).getAttribute('aria-invalid')).toBe(status === 400 ? 'true' : null);
  expect(reasonOf(dialog).value).toBe('Broken');
});

test('a mail that was given up is shown on its order, and is sent again to the corrected address', async () => {
  const mailProblem = { to: 'ananya@example.con', reason: 'The mail server refused the address (EENVELOPE 550)', at: noon };
  const { server, asked } = openSiteManager('', { orders: [order({ mailProblem })] });
  const reason = 'The mail server refused the address (EENVELOPE 550). It was given up on 21 Nov 2026.';
  const problem = (await card()).getByText('A mail did not reach ananya@example.con.').parentElement;
  expect(problem?.textContent).toBe(`A mail did not reach ananya@example.con. ${reason}`);
  const url = `/admin/order/${order()._id}/email`;
  server.instead = at(url, () => {
    server.orders = [order()];
    return { data: server.orders[0] };
  });
  const dialog = await openDialog(`Correct the address of ${NUMBER}`);
  const [email, why] = [dialog.getByRole<HTMLInputElement>('textbox', { name: 'E-mail' }), reasonOf(dialog)];
  expect(email.value).toBe('ananya@example.com');
  write(email, 'ananya@example');
  const again = dialog.getByRole('button', { name: 'Correct and send again' });
  await userEvent.click(again);
  expect(await dialog.findByText(NOT_AN_EMAIL)).toBeInstanceOf(HTMLElement);
  expect(getDescription(why)).toBe('Required');
  write(email, 'ananya.mehta@example.com');
  write(why, ' She called ');
  await userEvent.click(again);
  const told = `The mails of ${NUMBER} go to ananya@example.com`;
  expect(await screen.findByText(told, { selector: '[role=status] *' })).toBeInstanceOf(HTMLElement);
  expect(asked.find((call) => call.url === url)?.body).toEqual({ email: 'ananya.mehta@example.com', reason: 'She called' });
  await waitFor(() => expect(screen.queryByText('A mail did not reach ananya@example.con.')).toBeNull());
});

const delivered = order({ status: 'delivered' });

test.each([
  order({ status: 'shipped' }),
  order({ status: 'delivered', payment: { status: 'collected' } }),
  order({ status: 'delivered', payment: paid }),
])("the courier's cash is offered neither before delivery, nor twice, nor for a prepaid order", async (given) => {
  openSiteManager('', { orders: [given] });
  expect((await card()).queryByRole('button', { name: /^Cash received/ })).toBeNull();
});

test("the courier's cash is booked with the received amount", async () => {
  const { server, asked } = openSiteManager('', { orders: [delivered] });
  const url = `/admin/order/${delivered._id}/cash`;
  const dialog = await openDialog(`Cash received for ${NUMBER}`);
  const amount = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Amount in rupees' });
  expect(amount.value).toBe('10541.00');
  write(amount, '10,500.50');
  let refused = true;
  server.instead = at(url, () => {
    if (refused) return { status: 409, data: { message: 'Order is not delivered', code: 'not_delivered' } };
    server.orders = [order({ status: 'delivered', payment: { status: 'collected', method: 'cash', paidAt: noon } })];
    return { data: server.orders[0] };
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Book ₹10,500.50 as received' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Order is not delivered');
  refused = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Book ₹10,500.50 as received' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.filter((call) => call.url === url).map(({ body }) => body)).toEqual([{ amount: 10_500.5 }, { amount: 10_500.5 }]);
  expect(await (await card()).findByText(/Cash received · 21 Nov 2026/)).toBeInstanceOf(HTMLElement);
});
