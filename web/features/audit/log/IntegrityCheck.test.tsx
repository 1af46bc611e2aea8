import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPart } from '../../../testing/shop.tsx';
import { AuditStore } from '../AuditStore.tsx';
import type { CheckProgress, CheckResult } from '../audit-types.ts';
import { IntegrityCheck } from './IntegrityCheck.tsx';

const figures = { totalOrders: 2, lastWeekOrders: 1, totalSales: 4071, lastMonthSales: 4071 };
const sound: CheckResult = {
  done: true,
  events: 57,
  streams: 41,
  count: 0,
  findings: [],
  figures: { inLog: figures, inTable: figures, readModel: 'matches' },
  readModels: [],
};
const half: CheckProgress = { step: 1, steps: 2, of: 'log', events: 57, position: '57', end: '57' };

/** The answers of the server, which the test writes line by line. */
let lines: ReadableStreamDefaultController<Uint8Array>[];
let aborted: number;

beforeEach(() => {
  lines = [];
  aborted = 0;
  vi.stubGlobal('fetch', (_: unknown, { signal }: RequestInit = {}) => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void lines.push(controller), cancel: () => void (aborted += 1) });
    signal?.addEventListener('abort', () => void (aborted += 1));
    return Promise.resolve(new Response(body));
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = () =>
  renderPart(
    <AuditStore>
      <IntegrityCheck />
    </AuditStore>,
  );
const write = (line: object, which = 0) => act(() => lines[which]?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`)));
const begin = async (name = 'Check the books') => {
  await userEvent.click(screen.getByRole('button', { name }));
  const before = lines.length;
  await waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(Math.max(1, before)));
};
const progress = () => screen.getByRole('progressbar', { name: 'Checking the books' }).getAttribute('aria-valuenow');

test('a check of the books shows how far it has come, then its result, and can be made again', async () => {
  open();
  await begin();
  expect(progress()).toBe('0');
  write(half);
  await waitFor(() => expect(progress()).toBe('50'));
  expect(screen.getByText('Reading the log')).toBeInstanceOf(HTMLElement);
  write(sound);
  expect(await screen.findByText(/57 events of 41 streams: everything is as it was written/)).toBeInstanceOf(HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(progress()).toBe('0'));
});

test('a check that breaks off says why', async () => {
  open();
  await begin();
  write({ failed: 'The database does not answer' });
  expect((await screen.findByRole('alert')).textContent).toBe('The database does not answer');
});

test('a check that ends without a result says that it can be tried again', async () => {
  open();
  await begin();
  act(() => lines[0]?.close());
  expect((await screen.findByRole('alert')).textContent).toBe('The books could not be checked. Try again in a moment.');
});

test('a check that is stopped is not read any further, and neither is one whose page is left', async () => {
  const { view } = open();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(screen.getByRole('button', { name: 'Check the books' })).toBeInstanceOf(HTMLElement);
  await waitFor(() => expect(aborted).toBeGreaterThan(0));
  const before = aborted;
  await begin();
  view.unmount();
  await waitFor(() => expect(aborted).toBeGreaterThan(before));
});
