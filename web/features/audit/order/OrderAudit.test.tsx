import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Explanation } from '#domain/order/explain.ts';
import { viewOrder } from '#domain/order/view.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { created, orderAfter, placed } from '#domain/testing/orders.ts';
import { answerCalls, renderPart } from '../../../testing/shop.tsx';
import type { AuditedOrder, OrderVerdict } from '../audit-types.ts';
import { AuditStore } from '../AuditStore.tsx';
import { OrderAudit } from './OrderAudit.tsx';

const moment = '2026-11-14T08:33:00.000Z';
const [draft, pending] = [viewOrder(anOrder, orderAfter(created())), viewOrder(anOrder, orderAfter(created(), placed()))];
const stream = `order-${anOrder}`;
const known = { stream, recordedAt: moment };
const written = (kind: string, id: string, hash: string) => ({ metadata: { actor: { kind, id }, hash } });
const forged = {
  stream,
  events: [
    { ...known, position: '7', revision: 0, type: 'OrderCreated', data: {}, ...written('visitor', 'visitor-7f3a', '9f2c71d0aa') },
    { ...known, position: '8', revision: 1, type: 'OrderPlaced', data: { method: 'COD' }, ...written('user', 'meera', 'c40be86abb') },
    {
      stream,
      position: '9',
      revision: 2,
      type: 'OrderGifted',
      data: {},
      metadata: null,
      recordedAt: null,
      unreadable: 'nobody can read it',
    },
  ],
  states: [draft, pending, pending],
  cart: null,
  mails: [],
  count: 3,
  next: null,
  people: { meera: { name: 'Meera Nair', email: 'meera@example.com' } },
};

const broken: OrderVerdict = {
  chain: 'broken',
  brokenAt: 2,
  fault: 'foreign',
  events: 3,
  savedHeads: 0,
  unlawful: [],
  readModel: 'differs',
  compared: 23,
  differences: [{ model: 'my-orders', field: 'my_orders.state.total', inLog: 6962, inTable: 6923 }],
};

const wrapped = { stream, revision: 0, type: 'OrderCreated' };
const paidIn = { stream: `payment-${anOrder}`, revision: 2, type: 'PaymentCaptured' };
const explanation: Explanation = {
  amounts: [
    { name: 'giftWrap', amount: 39, formula: 'One gift wrap, untaxed', parts: [{ label: 'Wrapped', amount: 39, event: wrapped }] },
    { name: 'paid', amount: 900, formula: 'All payments that came', parts: [{ label: 'Paid by UPI', amount: 900, event: paidIn }] },
  ],
};

const open = (verdict: OrderVerdict, address: string) => {
  const order: Record<keyof AuditedOrder, unknown> = forged;
  answerCalls(({ url }) => ({ data: url.endsWith('/verify') ? verdict : url.endsWith('/explain') ? explanation : order }));
  renderPart(
    <AuditStore>
      <OrderAudit name={anOrder} />
    </AuditStore>,
    address,
  );
};

test('an order with manipulated events shows where and how they were changed', async () => {
  open(broken, '/audit');
  expect(await screen.findByText('Chain broken at revision 2')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('The shop has not written this event')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Read model differs').parentElement?.textContent).toContain(
    '1 of 23: my_orders.state.total is 6962 in the log, 6923 in my-orders',
  );
});

test('an order with a truncated stream shows what is missing, and that nothing was compared', async () => {
  const cut = 'Stream order-1 was truncated: its events begin at revision 2, and those from 0 on are missing';
  open({ ...broken, brokenAt: 0, fault: 'missing', cut, events: 0, compared: 0, differences: [] }, '/audit');
  expect(await screen.findByText('Chain broken at revision 0')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(cut)).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('Read model not compared')).toBeInstanceOf(HTMLElement);
});

test('an event that cannot be decrypted is listed without changes', async () => {
  open(broken, '/audit');
  expect(await screen.findByText('nobody can read it')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('This event changes nothing that the order shows.')).toBeInstanceOf(HTMLElement);
});

test("the order is shown as of the event in the URL, with that event's actor and hashes", async () => {
  open({ ...broken, chain: 'intact', readModel: 'matches', differences: [] }, '/audit?at=1');
  expect(await screen.findByText('event 2 of 3')).toBeInstanceOf(HTMLElement);
  const step = () => document.querySelector('[aria-current="step"]')?.textContent;
  await waitFor(() => expect(step()).toContain('Meera Nair · Shopper'));
  expect(step()).toContain('9f2c71d0 → c40be86a');
  expect(screen.getByRole<HTMLInputElement>('slider', { name: 'Point in time' }).value).toBe('1');
});

test('events that break the rules of orders are reported even if the hash chain is intact', async () => {
  open({ ...broken, chain: 'intact', unlawful: [{ revision: 1, why: 'an order that is none became pending' }] }, '/audit');
  expect(await screen.findByText('Not lawful at revision 1')).toBeInstanceOf(HTMLElement);
});

test('a placed order links to the events of its payment', async () => {
  open(broken, '/audit?at=1');
  const link = await screen.findByRole('link', { name: 'Events of its payment' });
  expect(link.getAttribute('href')).toBe(`/audit?stream=payment-${anOrder}`);
});

test('each amount links to its events: those of the order in the timeline, those of the payment in the log', async () => {
  open(broken, '/audit?at=1');
  await userEvent.click(await screen.findByText('How the amounts come about'));
  await userEvent.click(await screen.findByText('Paid', { selector: 'summary span' }));
  const paid = screen.getByRole('link', { name: 'PaymentCaptured, revision 2' });
  expect(paid.getAttribute('href')).toBe(`/audit?stream=payment-${anOrder}`);
  expect(paid.parentElement?.textContent).toContain(paidIn.stream);
  await userEvent.click(screen.getByText('Gift wrap', { selector: 'summary span' }));
  await userEvent.click(screen.getByRole('link', { name: 'OrderCreated, revision 0' }));
  expect(await screen.findByText('event 1 of 3')).toBeInstanceOf(HTMLElement);
  expect(document.activeElement?.textContent).toContain('rev 0');
});
