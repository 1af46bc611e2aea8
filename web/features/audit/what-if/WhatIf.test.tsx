import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { httpClient } from '../../../lib/http/http-client.ts';
import { renderPart } from '../../../testing/shop.tsx';
import { AuditStore } from '../AuditStore.tsx';
import { WhatIf } from './WhatIf.tsx';

const amounts = { was: 11_033, wouldBe: 10_472, difference: -561 };
const order = (number: number) => ({
  orderNumber: `RH-${String(number).padStart(8, 'A')}`,
  placedAt: '2026-11-14T08:33:00.000Z',
  state: 'Kerala',
  ...amounts,
});
const sums = {
  done: true,
  all: { orders: 3, was: 33_099, wouldBe: 32_538, difference: -561 },
  differing: { orders: 1, ...amounts },
  rows: [{ month: '2026-11', state: 'Kerala', orders: 1, ...amounts }],
};

let asked: object[];
let answer: ReadableStreamDefaultController<Uint8Array>;
const write = (...lines: readonly object[]) =>
  answer.enqueue(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));

beforeEach(() => {
  asked = [];
  // happy-dom has no streamed responses.
  vi.spyOn(httpClient, 'get').mockImplementation(async (url, { params } = {}) => {
    asked.push({ url, params });
    return { data: new ReadableStream<Uint8Array>({ start: (body) => void (answer = body) }), headers: {} } as never;
  });
  renderPart(
    <AuditStore>
      <WhatIf />
    </AuditStore>,
  );
});

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const go = () => userEvent.click(screen.getByRole('button', { name: 'Work it out' }));
/** Leaves out what only a phone shows, which has a class. */
const cellsOf = (row: HTMLElement) =>
  [...row.children].map((cell) =>
    [...cell.childNodes]
      .filter((part) => !(part instanceof HTMLSpanElement && part.className !== ''))
      .map(({ textContent }) => textContent)
      .join(''),
  );

test('the form sends the other rules, and shows the progress and the differences', async () => {
  await type('HSN code', '3303');
  await type('Rate in %', '12');
  await type('Gift wrap in ₹', '49');
  await type('Shipping in ₹', '99');
  await type('Free from ₹', '2000');
  await type('For checkouts from', '2026-04-01');
  await go();
  await expect
    .poll(() => asked)
    .toEqual([{ url: '/audit/what-if', params: { rate: '3303=12', from: '2026-04-01', wrap: '49', shipping: '99:2000' } }]);

  write({ of: 'log', events: 5, position: '5', end: '10' });
  await expect.poll(() => screen.queryByRole('progressbar')?.getAttribute('aria-valuenow')).toBe('50');

  write({ orders: [order(1)] }, sums);
  expect(await screen.findByText(/1 of 3 orders would differ/)).toHaveProperty(
    'textContent',
    '1 of 3 orders would differ. Sales of ₹33,099.00 would be ₹32,538.00: −₹561.00.',
  );
  const [byMonth, byOrder] = screen.getAllByRole('table').map((table) => within(table).getAllByRole('row').slice(1));
  expect(byMonth?.map(cellsOf)).toEqual([
    ['2026-11', 'Kerala', '1', '₹11,033.00', '₹10,472.00', '−₹561.00'],
    ['All', '1', '₹11,033.00', '₹10,472.00', '−₹561.00'],
  ]);
  expect(byOrder?.map(cellsOf)).toEqual([['RH-AAAAAAA1', '14 Nov 2026, 14:03', 'Kerala', '₹11,033.00', '₹10,472.00', '−₹561.00']]);
  expect(screen.getByRole('link', { name: 'RH-AAAAAAA1' }).getAttribute('href')).toBe('/audit?order=RH-AAAAAAA1');
});

test('the first 100 orders are listed, and the CSV file has all', async () => {
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return 'blob:what-if';
  });
  await go();
  await expect.poll(() => asked).toEqual([{ url: '/audit/what-if', params: {} }]);
  const orders = Array.from({ length: 120 }, (_, number) => order(number));
  write({ orders: orders.slice(0, 60) }, { orders: orders.slice(60) }, { ...sums, differing: { orders: 120, ...amounts } });
  expect(await screen.findByText(/And 20 more orders/)).toBeInstanceOf(HTMLElement);
  expect(screen.getAllByRole('link')).toHaveLength(100);
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  const lines = (await blobs[0]?.text())?.trimEnd().split('\r\n') ?? [];
  expect(lines).toHaveLength(121);
  expect(lines.at(-1)).toBe('RH-AAAAA119,2026-11-14T08:33:00.000Z,Kerala,11033.00,10472.00');
});

test('a message says that nothing would differ under today\u2019s rules', async () => {
  await go();
  await expect.poll(() => asked).toHaveLength(1);
  const same = { orders: 3, was: 33_099, wouldBe: 33_099, difference: 0 };
  write({ done: true, all: same, differing: { orders: 0, was: 0, wouldBe: 0, difference: 0 }, rows: [] });
  expect(await screen.findByText(/Nothing would differ/)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('table')).toBeNull();
});

test('each error is shown under its field, and nothing is sent', async () => {
  await type('HSN code', '330');
  await type('Gift wrap in ₹', 'free');
  await type('Free from ₹', '1.005');
  await go();
  for (const text of ['4, 6 or 8 digits', 'From 0 to 100, with two decimals at most'])
    expect(await screen.findByText(text)).toBeInstanceOf(HTMLElement);
  expect(screen.getAllByText('Rupees, with two decimals at most')).toHaveLength(3);
  expect(asked).toEqual([]);
});

test('a failure shows its reason', async () => {
  await go();
  await expect.poll(() => asked).toHaveLength(1);
  write({ failed: 'It ended early' });
  expect((await screen.findByRole('alert')).textContent).toContain('It ended early');
});
