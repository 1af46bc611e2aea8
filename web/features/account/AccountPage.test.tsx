import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderEvent } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { orderId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { cancelled, confirmed, created, historyOf, orderAfter, placed } from '#domain/testing/orders.ts';
import { captured, paymentAfter, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { getTexts, press } from '../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer, type Call } from '../../testing/shop.tsx';
import { AccountPage } from './AccountPage.tsx';

const orderWith = (number: string, events: readonly OrderEvent[], paid: readonly PaymentEvent[] = []): OrderView => ({
  ...viewOrder(orderId('0b8c2a54-7d7e-8a08-9f0e-1c2f7a6d3b11'), orderAfter(...events), paymentAfter(...paid)),
  orderNumber: number as OrderView['orderNumber'],
});
const prepaid = [created(), placed('Prepaid')];
const shipped = orderWith('RH-ONTHEWAY', historyOf.shipped);
const open = [
  orderWith('RH-PAID', [...prepaid, confirmed()], [captured()]),
  orderWith('RH-PARTLY', prepaid, [captured(), refundRequested('desk', paise(1_033_00)), refundSettled()]),
  orderWith('RH-RETURNING', prepaid, [captured(), refundRequested('desk')]),
  orderWith('RH-DUE', prepaid),
  orderWith('RH-CASH', historyOf.pending),
];
const closed = [orderWith('RH-HERE', historyOf.delivered), orderWith('RH-GONE', [...prepaid, cancelled()])];

const ask = (answer: (call: Call) => Answer) => {
  const asked = answerCalls((call) => (call.url.startsWith('/user/') ? { status: 404 } : answer(call)));
  const user = { name: 'Meera', email: 'meera@example.com', phone: '', totp: false };
  const path = '/account';
  const page = <AccountPage user={user} google={null} wishlist={null} onChanged={() => {}} onSignInAgain={() => {}} onErased={() => {}} />;
  renderShop([{ path, element: page }], path);
  press('Erase my account');
  const ofOrders = () => asked.map(({ url }) => url).filter((url) => !url.startsWith('/user/'));
  return { ofOrders, dialog: within(screen.getByRole('dialog', { name: 'Erase your account?' })) };
};
type Dialog = ReturnType<typeof ask>['dialog'];
const findLines = async (dialog: Dialog) => getTexts(await dialog.findAllByRole('listitem'));

test('the dialog of the erasure names each open order and its money first, those of later pages too', async () => {
  const [first, ...others] = [...open, ...closed];
  const { dialog } = ask(({ params }) =>
    params['cursor'] === 'two'
      ? { data: { orders: others } }
      : { data: { orders: [first] }, headers: { link: '</api/order/get-AllOrders?limit=200&cursor=two>; rel="next"' } },
  );
  expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
  const [paid, partly, returning, due, cash, account] = await findLines(dialog);
  expect([paid, partly, returning, due, cash]).toEqual([
    'RH-PAID will be cancelled, ₹11,033.00 goes back the way it came, usually within 7–10 business days.',
    'RH-PARTLY will be cancelled, ₹10,000.00 goes back the way it came, usually within 7–10 business days.',
    'RH-RETURNING will be cancelled, its payment is on its way back already.',
    'RH-DUE will be cancelled, anything that was paid for it goes back.',
    'RH-CASH will be cancelled, nothing was paid for it.',
  ]);
  expect(account).toMatch(/^Your account, cart/);
  expect(dialog.getByRole('button', { name: 'Erase for good' })).toBeInstanceOf(HTMLElement);
});

test('the dialog of the erasure says that it must wait while a parcel is on its way, and erases nothing', async () => {
  const { dialog, ofOrders } = ask(() => ({ data: { orders: [...open, shipped, ...closed] } }));
  expect(await findLines(dialog)).toContain('RH-ONTHEWAY is on its way.');
  expect(dialog.getByText(/erasing must wait\. Please ask again once it is delivered/)).toBeInstanceOf(HTMLElement);
  expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
  expect(dialog.queryByLabelText('Password')).toBeNull();
  expect(ofOrders()).toEqual(['/order/get-AllOrders']);
});

test('nothing can be erased before the orders are known', async () => {
  let answer: Answer = { status: 503, data: {} };
  const { dialog } = ask(() => answer);
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^Your orders could not be looked through/);
  expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
  answer = { data: { orders: [] } };
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByRole('button', { name: 'Erase for good' })).toBeInstanceOf(HTMLElement);
});
