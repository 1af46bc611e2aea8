import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
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

const open = (address: string, ...streams: readonly string[]) => {
  const events = streams.map((stream, index) => happened(stream, String(index + 1)));
  const asked = answerCalls(({ url }) => ({ data: url === '/audit/events' ? { events, next: null } : [] }));
  renderPart(
    <AuditStore>
      <LogView />
    </AuditStore>,
    address,
  );
  return asked;
};

afterEach(cleanup);

test('the log can be read by its payments, each of which leads to all of its events', async () => {
  const asked = open('/audit?category=payment', `payment-${anOrder}`);
  const row = within(await screen.findByRole('row', { name: /Paid/ }));
  expect(row.getByText('₹11,033.00, UPI')).toBeInstanceOf(HTMLElement);
  expect(row.getByRole('link', { name: `Payment ${anOrder.slice(0, 8)}` }).getAttribute('href')).toBe(`/audit?stream=payment-${anOrder}`);
  const filter = within(screen.getByRole('navigation', { name: 'Parts of the log' })).getByRole('link', { name: 'Payments' });
  expect(filter.getAttribute('aria-current')).toBe('page');
  expect(filter.getAttribute('href')).toBe('/audit?category=payment');
  expect(asked.find(({ url }) => url === '/audit/events')?.params).toMatchObject({ category: 'payment' });
});

test('the events of one payment lead to its order', async () => {
  open(`/audit?stream=payment-${anOrder}`, `payment-${anOrder}`);
  expect(screen.getByRole('heading', { name: 'One payment' })).toBeInstanceOf(HTMLElement);
  expect((await screen.findByRole('link', { name: 'The order' })).getAttribute('href')).toBe(`/audit?order=${anOrder}`);
});

test('money of no order leads to none', async () => {
  open('/audit?stream=payment-pay_1', 'payment-pay_1');
  expect(await screen.findByRole('row', { name: /Paid/ })).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('link', { name: 'The order' })).toBeNull();
});
