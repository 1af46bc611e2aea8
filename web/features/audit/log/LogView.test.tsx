import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { anOrder } from '#domain/testing/carts.ts';
import { captured } from '#domain/testing/payments.ts';
import { answerCalls, renderPart } from '../../../testing/shop.tsx';
import { AuditStore } from '../AuditStore.tsx';
import { LogView } from './LogView.tsx';

const happened = (stream: string, position: string) => ({
  ...captured(),
  position,
  stream,
  revision: 0,
  metadata: null,
  recordedAt: '2026-11-14T08:33:00.000Z',
});

const stockEvent = (revision: number, type: string) => ({ stream: 'stock-oud-royal', revision, type });
const stockThen = {
  stream: 'stock-oud-royal',
  name: 'Oud Royal',
  count: 2,
  revision: 1,
  recordedAt: '2026-11-14T08:33:00.000Z',
  stock: { onHand: 5, reserved: 2, available: 3, lowAt: null },
  amounts: [
    {
      name: 'onHand',
      amount: 5,
      formula: 'counted + received',
      parts: [{ label: 'Counted', amount: 5, event: stockEvent(0, 'StockCounted') }],
    },
    {
      name: 'reserved',
      amount: 2,
      formula: 'open orders',
      parts: [{ label: 'Reserved', amount: 2, order: anOrder, event: stockEvent(1, 'StockReserved') }],
    },
  ],
};

const signed = {
  origin: 'ruhani.example/log',
  size: 1_204,
  signedAt: '2026-11-14T08:33:00.000Z',
  cosignedAt: '2026-11-14T08:33:00.000Z',
  isCosigned: true,
  witnesses: 2,
  quorum: 0,
  unsignedSince: null,
};

const open = (address: string, streams: readonly string[] = [], signatures: object = signed) => {
  const events = streams.map((stream, index) => happened(stream, String(index + 1)));
  const asked = answerCalls(({ url }) => {
    if (url === '/audit/events') return { data: { events, next: null } };
    if (url === '/audit/signatures') return { data: signatures };
    return { data: url.endsWith('/stock') ? stockThen : [] };
  });
  renderPart(
    <AuditStore>
      <LogView />
    </AuditStore>,
    address,
  );
  return asked;
};

test('the log can be filtered by payments, each of which links to all of its events', async () => {
  const asked = open('/audit?category=payment', [`payment-${anOrder}`]);
  const row = within(await screen.findByRole('row', { name: /Paid/ }));
  expect(row.getByText('₹11,033.00, UPI')).toBeInstanceOf(HTMLElement);
  expect(row.getByRole('link', { name: `Payment ${anOrder.slice(0, 8)}` }).getAttribute('href')).toBe(`/audit?stream=payment-${anOrder}`);
  const filter = within(screen.getByRole('navigation', { name: 'Parts of the log' })).getByRole('link', { name: 'Payments' });
  expect(filter.getAttribute('aria-current')).toBe('page');
  expect(filter.getAttribute('href')).toBe('/audit?category=payment');
  expect(asked.find(({ url }) => url === '/audit/events')?.params).toMatchObject({ category: 'payment' });
});

test('the events of one payment link to its order, if it has one', async () => {
  open(`/audit?stream=payment-${anOrder}`, [`payment-${anOrder}`]);
  expect(screen.getByRole('heading', { name: 'One payment' })).toBeInstanceOf(HTMLElement);
  expect((await screen.findByRole('link', { name: 'The order' })).getAttribute('href')).toBe(`/audit?order=${anOrder}`);
  cleanup();
  open('/audit?stream=payment-pay_1', ['payment-pay_1']);
  expect(await screen.findByRole('row', { name: /Paid/ })).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('link', { name: 'The order' })).toBeNull();
});

test.each([
  ['invoices-2026-2027', 'The invoices of one year', 'Invoices 2026-2027'],
  ['credit-notes-2026-2027', 'The credit notes of one year', 'Credit notes 2026-2027'],
  ['tax', 'Tax rates', 'Tax'],
  ['review-0b8c4f1e-52aa', 'One review', 'Review 0b8c4f1e'],
  ['message-12', 'The answers to one message', 'Message 12'],
])('the events of %s have a title in plain words', async (stream, title, link) => {
  open('/audit', [stream]);
  const row = within(await screen.findByRole('row', { name: /Paid/ }));
  expect(row.getByRole('link', { name: link }).getAttribute('href')).toBe(`/audit?stream=${stream}`);
  cleanup();
  open(`/audit?stream=${stream}`, [stream]);
  expect(screen.getByRole('heading', { name: title })).toBeInstanceOf(HTMLElement);
});

test("a perfume's stock opens to show the events behind it, and can be shown as of each event", async () => {
  const asked = open('/audit?stream=stock-oud-royal', ['stock-oud-royal']);
  expect(await screen.findByRole('heading', { name: 'The bottles of Oud Royal' })).toBeInstanceOf(HTMLElement);
  expect(await screen.findByText('event 2 of 2')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Later event' })).toHaveProperty('disabled', true);

  await userEvent.click(screen.getByText('Reserved'));
  const order = await screen.findByRole('link', { name: 'The order' });
  expect(order.getAttribute('href')).toBe(`/audit?order=${anOrder}`);
  const part = within(order.closest('li') ?? document.body);
  expect(part.getByText('+2')).toBeInstanceOf(HTMLElement);
  expect(part.getByRole('link', { name: 'Event 2: Reserved for an order' }).getAttribute('href')).toBe(
    '/audit?stream=stock-oud-royal&at=1',
  );

  await userEvent.click(screen.getByRole('button', { name: 'Earlier event' }));
  await waitFor(() => expect(asked.findLast(({ url }) => url.endsWith('/oud-royal/stock'))?.params).toEqual({ at: '0' }));
});

const witnessed = /^Signed up to event 1,204, on 14 Nov 2026, 14:03\. It has 2 witnesses\.$/;

test('the log says how far it is signed, and how many witnesses it has', async () => {
  open('/audit');
  expect(await screen.findByText(witnessed)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  open('/audit', [], { ...signed, witnesses: 0, isCosigned: false, cosignedAt: null });
  expect(await screen.findByText(/It has no witnesses\.$/)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  [
    { isCosigned: false },
    "No witness has signed it since 14 Nov 2026, 14:03. The shop goes on selling. Newer receipts have the shop's signature alone.",
  ],
  [{ isCosigned: false, cosignedAt: null }, 'No witness has signed it so far. The shop goes on selling.'],
  [
    { quorum: 2, unsignedSince: '2026-11-14T08:33:01.000Z' },
    'Fewer than 2 witnesses have signed it since 14 Nov 2026, 14:03. The shop goes on selling. Receipts of newer events wait for the witnesses.',
  ],
])('the log says since when its witnesses are away: %o', async (change, sentence) => {
  open('/audit', [], { ...signed, ...change });
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(sentence));
});
