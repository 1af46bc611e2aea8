import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { personalText } from '#domain/shared/text.ts';
import type { OrderNumber } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import type { ReturnView } from '#domain/order/view.ts';
import { scrollNearTheEnd } from '../../../testing/in-view.ts';
import { getTexts } from '../../../testing/interactions.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { openSiteManager } from '../testing/open-site-manager.tsx';
import { item, order, orderNumberOf } from '../testing/shop-data.ts';
import type { ReturnRow } from './returns-api.ts';

const at = instant('2026-11-20T14:18:00.000Z');
/** One of two Mogra at Dusk, ₹2,537.00 with its tax. */
const returnOf = (
  nth: number,
  changes: Partial<ReturnView> = {},
  payment: Partial<PaymentView> = { status: 'paid', method: 'upi' },
): ReturnRow => {
  const number = orderNumberOf(nth);
  const { _id: orderId } = order({ number });
  const product = item('Mogra at Dusk').product;
  const row = {
    _id: `${orderId}-1`,
    status: 'requested',
    lines: [{ productId: product._id, quantity: 1 }],
    value: 2537,
    reason: personalText('Given the same'),
    requestedAt: at,
    ...changes,
  } as const;
  return { ...row, orderId, orderNumber: number as OrderNumber, order: order({ number, status: 'delivered', payment, returns: [row] }) };
};
const open = (returns: ReturnRow[]) => openSiteManager('returns', { returns });
const button = (name: string) => screen.findByRole('button', { name });

test('returns are listed by what is to be done, with the first one beside the list', async () => {
  const { asked } = open([returnOf(1), returnOf(2, { status: 'accepted', decidedAt: at })]);
  expect(await screen.findByRole('heading', { name: orderNumberOf(1) })).toBeInstanceOf(HTMLElement);
  expect(getTexts(within(screen.getByRole('group', { name: 'Lists' })).getAllByRole('button'))).toEqual([
    'Waiting 2',
    'To decide 1',
    'To receive 1',
    'To refund 0',
    'All',
  ]);
  expect(screen.getByText('2 wait')).toBeInstanceOf(HTMLElement);
  expect(screen.getAllByText(/Mogra at Dusk × 1$/)).toHaveLength(2);
  const sums = within(screen.getByRole('complementary', { name: 'What comes back' }));
  expect(getTexts(sums.getAllByRole('definition'))).toEqual(['₹2,150.00', '₹387.00', '₹2,537.00']);
  expect(sums.getByText('1 of 2 bought, ₹2,150.00 each')).toBeInstanceOf(HTMLElement);
  await userEvent.click(await button('All'));
  await waitFor(() => expect(asked.findLast(({ url }) => url === '/admin/returns')?.params).not.toHaveProperty('status'));
  await userEvent.click(screen.getByRole('link', { name: new RegExp(orderNumberOf(2)) }));
  expect(await screen.findByRole('heading', { name: orderNumberOf(2) })).toBeInstanceOf(HTMLElement);
});

test('a return is accepted with a note, or refused, and a refusal of the server is shown', async () => {
  const { server, asked } = open([returnOf(1)]);
  await screen.findByText('1 waits');
  server.instead = ({ url }) =>
    url.startsWith('/admin/return/') ? { status: 409, data: { message: 'This return was refused', code: 'return_settled' } } : undefined;
  await userEvent.type(await screen.findByRole('textbox', { name: /^Note to the customer/ }), ' Write the number on it ');
  await userEvent.click(await button('Accept return'));
  expect((await screen.findByRole('alert')).textContent).toBe('This return was refused');
  server.instead = ({ url }) => (url.startsWith('/admin/return/') ? { data: order() } : undefined);
  await userEvent.click(await button('Refuse'));
  await screen.findByText(`The return of ${orderNumberOf(1)} is refused`, { selector: '[role=status] *' });
  const sent = asked.filter(({ url }) => url === `/admin/return/${returnOf(1).orderId}`).map(({ body }) => body);
  expect(sent).toEqual(['accepted', 'refused'].map((decision) => ({ return: 1, decision, note: 'Write the number on it' })));
});

test('the return that is read stays, whatever comes into the list, and none takes its place when it leaves', async () => {
  const { server } = open([returnOf(1)]);
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Note to the customer/ });
  await userEvent.type(note, 'Write the number on it');
  server.returns = [returnOf(2), returnOf(1)];
  act(() => FakeLive.latest?.push('orders'));
  await screen.findByRole('link', { name: new RegExp(orderNumberOf(2)) });
  expect(screen.getByRole('heading', { name: orderNumberOf(1) })).toBeInstanceOf(HTMLElement);
  expect(note.value).toBe('Write the number on it');
  server.returns = [returnOf(2)];
  act(() => FakeLive.latest?.push('orders'));
  await screen.findByText('The return that was shown is not in this list. Choose another, or look for it under All.');
  expect(screen.queryByRole('button', { name: 'Refuse' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: new RegExp(orderNumberOf(2)) }));
  await button('Refuse');
});

test('another list begins with its first return, though the rows of the list before are shown until it comes', async () => {
  const all = [returnOf(1), returnOf(2, { status: 'accepted', decidedAt: at }), returnOf(3, { status: 'accepted', decidedAt: at })];
  const { server } = open(all);
  await screen.findByRole('heading', { name: orderNumberOf(1) });
  const counts = { requested: 1, accepted: 2, to_refund: 0 };
  const listOf = (returns: ReturnRow[]): typeof server.instead => {
    return ({ url, params }) =>
      url === '/admin/returns' && params['status'] === 'accepted' ? { data: { returns, nextCursor: null, counts } } : undefined;
  };
  server.instead = listOf(all.slice(1));
  await userEvent.click(await button('To receive 2'));
  await screen.findByRole('heading', { name: orderNumberOf(2) });
  expect(screen.queryByText(/is not in this list/)).toBeNull();
  server.instead = listOf(all.slice(2));
  act(() => FakeLive.latest?.push('orders'));
  await screen.findByText(/is not in this list/);
  expect(screen.queryByRole('heading', { name: orderNumberOf(3) })).toBeNull();
});

test('the URL names the list, how much of it is shown, and the return that is read', async () => {
  const all = Array.from({ length: 50 }, (_, nth) => returnOf(nth + 1));
  const { router, view } = open(all);
  await userEvent.click(await button('To decide 50'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'To decide 50', pressed: true })).toBeInstanceOf(HTMLElement));
  act(scrollNearTheEnd);
  await waitFor(() => expect(router.state.location.search).toBe('?panel=returns&status=requested&page=2'));
  await userEvent.click(await screen.findByRole('link', { name: new RegExp(orderNumberOf(50)) }));
  const address = `?panel=returns&status=requested&page=2&open=${all[49]?._id}`;
  expect(router.state.location.search).toBe(address);
  view.unmount();
  openSiteManager(address.slice('?panel='.length), { returns: all });
  expect(await screen.findByRole('heading', { name: orderNumberOf(50) })).toBeInstanceOf(HTMLElement);
});

const refunded = (amount: number) =>
  ({ status: 'partly_refunded', refunds: [{ _id: 'p-1', amount, reason: 'A dent', status: 'settled', at }] }) as const;

test.each([
  [{ status: 'paid' }, 'Received: refund ₹2,537.00', 'Refund and credit note follow at once.'],
  [
    { status: 'collected', method: 'cash' },
    'Received: refund ₹2,537.00',
    'Then send the ₹2,537.00 by bank or UPI, and note it here. The credit note follows at once.',
  ],
  [
    { status: 'on_delivery' },
    'Received: refund later',
    '₹2,537.00 goes back once the courier’s cash is booked. The credit note follows at once.',
  ],
  [{ status: 'cancelled' }, 'Received: nothing was paid', 'The credit note follows at once.'],
  [refunded(10_000), 'Received: refund ₹541.00', 'Refund and credit note follow at once.'],
  [refunded(10_541), 'Received: all is refunded', 'The credit note follows at once.'],
] as const)('an accepted return is received only after staff say where its bottles go: %j', async (payment, deed, follows) => {
  const { server, asked } = open([returnOf(1, { status: 'accepted', decidedAt: at }, payment)]);
  server.instead = ({ url }) => (url.startsWith('/admin/return/') ? { data: order() } : undefined);
  await userEvent.click(await button(deed));
  expect(screen.getByText(follows)).toBeInstanceOf(HTMLElement);
  expect((await screen.findByRole('alert')).textContent).toBe('Please say where the bottles go');
  await userEvent.click(screen.getByRole('radio', { name: 'Not to be sold again' }));
  await userEvent.click(await button(deed));
  await screen.findByText(`The return of ${orderNumberOf(1)} is received`, { selector: '[role=status] *' });
  expect(asked.find(({ url }) => url.startsWith('/admin/return/'))?.body).toEqual({ return: 1, received: true, restock: false });
});

const refunds = [{ _id: 'cash-1', amount: 2537, reason: 'Bottles came back', status: 'requested', at, return: 1 }] as const;
const inCash = (nth: number) =>
  returnOf(nth, { status: 'received', decidedAt: at, receivedAt: at, restock: true }, { status: 'refunding', method: 'cash', refunds });

test('who keeps the orders only is neither offered the money nor asks for the stock', async () => {
  const accepted = returnOf(1, { status: 'accepted', decidedAt: at });
  const { asked } = openSiteManager('returns', { returns: [accepted, inCash(2)] }, ['orders']);
  await button('Received: refund ₹2,537.00');
  await userEvent.click(await screen.findByRole('link', { name: new RegExp(orderNumberOf(2)) }));
  await screen.findByText('Whoever keeps the money sends the sum back and notes it.');
  expect(screen.queryByRole('button', { name: 'Note the refund' })).toBeNull();
  expect(asked.filter(({ url }) => url.startsWith('/admin/stock'))).toEqual([]);
});

test('the transfer by which cash goes back is noted with the sum that the dialog showed, whatever else comes back meanwhile', async () => {
  const row = inCash(1);
  const { server, asked } = open([row]);
  server.instead = ({ url }) => (url.endsWith('/refund') ? { data: row.order } : undefined);
  await userEvent.click(await button('Note the refund'));
  const dialog = within(await screen.findByRole('dialog', { name: `Refund ₹2,537.00: ${orderNumberOf(1)}` }));
  await userEvent.click(dialog.getByRole('button', { name: 'Note refund of ₹2,537.00' }));
  expect(dialog.getByText('Required')).toBeInstanceOf(HTMLElement);
  await userEvent.type(dialog.getByRole('textbox'), ' UTR 4326 ');
  const another = { ...refunds[0], _id: 'cash-2', amount: 500 };
  server.returns = [{ ...row, order: { ...row.order, payment: { ...row.order.payment, refunds: [...refunds, another] } } }];
  const readsAgain = asked.length;
  act(() => FakeLive.latest?.push('orders'));
  await waitFor(() => expect(asked.slice(readsAgain).some(({ url }) => url === '/admin/returns')).toBe(true));
  await userEvent.click(dialog.getByRole('button', { name: 'Note refund of ₹2,537.00' }));
  await screen.findByText(/^The refund of ₹2,537.00 for .* is noted$/, { selector: '[role=status] *' });
  expect(asked.find(({ url }) => url.endsWith('/refund'))?.body).toEqual({ reference: 'UTR 4326', amount: 2537 });
});
