import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { AxiosError, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import { expect, test, vi } from 'vitest';
import { httpClient } from '../../../lib/http/http-client.ts';
import * as files from '../../../lib/save-file.ts';
import { getRowTexts, openSiteManager } from '../testing/open-site-manager.tsx';
import type { Remittance, RemittanceRow } from '../admin-types.ts';
import { remittanceCsv } from './RemittanceImport.tsx';
import { getTexts } from '../../../testing/interactions.ts';

const CSV = 'order_number,amount,collected_on,reference\r\nRH-AAAAAAA2,10541.00,2026-11-21,RM-7\r\n';
const file = new File([CSV], 'november.csv', { type: 'text/csv' });

const row = (line: number, changes: Partial<RemittanceRow> = {}): RemittanceRow => ({
  line,
  orderNumber: 'RH-AAAAAAA2',
  outcome: 'matched',
  expected: 10_541,
  received: 10_541,
  customer: 'Ananya Mehta',
  ...changes,
});
const remittance = (...rows: readonly RemittanceRow[]): Remittance => {
  const counts = { matched: 0, short: 0, over: 0, unknown: 0, duplicate: 0, notDelivered: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return { ...counts, rows };
};
const three = remittance(
  row(2),
  row(3, { orderNumber: 'RH-BBBBBBB3', outcome: 'short', received: 10_000 }),
  row(4, { orderNumber: 'RH-CCCCCCC4', outcome: 'unknown', expected: null, received: 99, customer: '' }),
);

type Sent = {
  readonly config: InternalAxiosRequestConfig;
  readonly answer: (data: unknown, status?: number) => void;
  readonly lose: () => void;
};

/** Opens the panel with a server that answers remittances when the test says so. */
const openRemittances = () => {
  const { asked } = openSiteManager('money');
  const others = httpClient.defaults.adapter;
  if (typeof others !== 'function') throw new Error('no network');
  const sent: Sent[] = [];
  httpClient.defaults.adapter = (config) => {
    if (config.url !== '/admin/remittances') return others(config);
    return new Promise((resolve, reject) => {
      const answer = (data: unknown, status = 200): void => {
        const response = { data, status, statusText: '', headers: {}, config };
        if (status < 400) resolve(response);
        else reject(new AxiosError('refused', undefined, config, undefined, response));
      };
      sent.push({ config, answer, lose: () => reject(new AxiosError('Network Error', 'ERR_NETWORK', config)) });
    });
  };
  const nth = async (index: number): Promise<Sent> => {
    await waitFor(() => expect(sent.length).toBeGreaterThan(index));
    return sent[index] ?? expect.fail('nothing was sent');
  };
  return { asked, sent, nth };
};

const choose = async (given = file) => {
  if (!screen.queryByRole('dialog')) await userEvent.click(await screen.findByRole('button', { name: 'Courier’s file' }));
  await userEvent.upload(await screen.findByLabelText('Remittance file'), given);
};
const lines = () => getRowTexts(within(screen.getByRole('table', { name: 'Lines of the file' })));
const checked = async () => {
  const opened = openRemittances();
  await choose();
  (await opened.nth(0)).answer(three);
  await screen.findByText('november.csv would book 2 payments.');
  return opened;
};

test("a courier's file is checked first: counts and lines are shown, and nothing is booked", async () => {
  const { nth, sent } = await checked();
  const { config } = await nth(0);
  expect(config.params).toEqual({ dryRun: true, names: true });
  expect(config.method).toBe('post');
  expect(AxiosHeaders.from(config.headers).get('Content-Type')).toBe('text/csv');
  const body: unknown = config.data;
  expect(body instanceof ArrayBuffer && new TextDecoder().decode(body)).toBe(CSV);
  for (const name of ['All lines 3', 'Matched 1', 'Too little 1', 'Too much 0', 'Unknown order 1', 'Duplicate 0', 'Not delivered 0'])
    expect(screen.getByRole('button', { name })).toBeInstanceOf(HTMLElement);
  expect(lines()).toEqual([
    '2RH-AAAAAAA2 Ananya MehtaMatched₹10,541.00₹10,541.00',
    '3RH-BBBBBBB3 Ananya MehtaToo little₹10,541.00₹10,000.00',
    '4RH-CCCCCCC4 Unknown order₹99.00',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Too little 1' }));
  expect(lines()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Duplicate 0' }));
  expect(screen.getByText('No line has this outcome.')).toBeInstanceOf(HTMLElement);
  expect(sent).toHaveLength(1);
});

test("a courier's file shows the share that was sent, and then that the server is working", async () => {
  const { nth } = openRemittances();
  await choose();
  const { config, answer } = await nth(0);
  const bar = await screen.findByRole('progressbar', { name: 'Sent' });
  act(() => config.onUploadProgress?.({ loaded: 40, total: 100, bytes: 40, lengthComputable: true }));
  expect(bar.getAttribute('aria-valuenow')).toBe('40');
  act(() => config.onUploadProgress?.({ loaded: 100, total: 100, bytes: 60, lengthComputable: true }));
  expect(screen.getByRole('progressbar', { name: 'The shop checks the file' }).getAttribute('aria-valuenow')).toBeNull();
  expect(screen.getByLabelText('Remittance file')).toHaveProperty('disabled', true);
  answer(three);
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

test("a courier's file shows which line was refused, and another file can be chosen", async () => {
  const { nth } = openRemittances();
  await choose();
  const message = 'Nothing was booked. Line 3, amount: Plain digits';
  const errors = { 'line 2, amount': 'Plain digits', 'line 5, collected_on': 'This day has not come yet' };
  (await nth(0)).answer({ message, code: 'invalid', errors }, 400);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(message);
  expect(getTexts(within(screen.getByRole('list', { name: 'Wrong lines' })).getAllByRole('listitem'))).toEqual([
    'Line 2, amountRH-AAAAAAA2Plain digits',
    'Line 5, collected_onThis day has not come yet',
  ]);
  expect(screen.queryByRole('button', { name: /^Book/ })).toBeNull();
  await choose();
  (await nth(1)).answer(three);
  expect(await screen.findByRole('button', { name: /^Book/ })).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
});

test("a courier's file cannot be booked when no line can be booked", async () => {
  const { nth } = openRemittances();
  await choose();
  (await nth(0)).answer(remittance(row(2, { outcome: 'duplicate' })));
  expect(await screen.findByText('Nothing in november.csv can be booked.')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: /^Book/ })).toHaveProperty('disabled', true);
});

test("a courier's file is shown in parts when it has many lines", async () => {
  const { nth } = openRemittances();
  await choose();
  (await nth(0)).answer(remittance(...Array.from({ length: 120 }, (_, index) => row(index + 2))));
  expect(await screen.findByText('Showing 50 of 120')).toBeInstanceOf(HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Show more lines' }));
  expect(lines()).toHaveLength(100);
});

test('booking a checked file sends the same bytes, shows the result and refetches the lists', async () => {
  const { asked, nth } = await checked();
  const listed = () => asked.filter(({ url }) => url === '/admin/payments').length;
  const before = listed();
  await userEvent.click(screen.getByRole('button', { name: /^Book/ }));
  const { config, answer } = await nth(1);
  expect(config.params).toEqual({ names: true });
  expect(config.data).toBe((await nth(0)).config.data);
  act(() => config.onUploadProgress?.({ loaded: 100, total: 100, bytes: 100, lengthComputable: true }));
  expect(screen.getByRole('progressbar', { name: 'The shop books the file' })).toBeInstanceOf(HTMLElement);
  answer(three);
  expect(await screen.findByText('november.csv is booked: 2 payments.')).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('button', { name: /^Book/ })).toBeNull();
  expect(lines()).toHaveLength(3);
  await waitFor(() => expect(listed()).toBe(before + 2));
});

test('booking a checked file shows when the answer is lost, and can be retried', async () => {
  const { nth } = await checked();
  await userEvent.click(screen.getByRole('button', { name: /^Book/ }));
  (await nth(1)).lose();
  expect((await screen.findByRole('alert')).textContent).toBe('The file could not be booked. Please try again.');
  await userEvent.click(screen.getByRole('button', { name: /^Book/ }));
  (await nth(2)).answer(three);
  expect(await screen.findByText('november.csv is booked: 2 payments.')).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('booking a checked file offers the result as a file', async () => {
  const save = vi.spyOn(files, 'saveFile').mockReturnValue();
  await checked();
  await userEvent.click(screen.getByRole('button', { name: 'Download Result' }));
  expect(save).toHaveBeenCalledExactlyOnceWith('november_result.csv', 'text/csv', [remittanceCsv(three.rows)]);
});

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const cells = ['=1+1', '\u00a0@A1', '＝1', '\tx', 'a,"b"'].map((orderNumber, index) =>
    row(index + 2, { orderNumber, outcome: 'unknown', expected: null, received: 1.5, customer: '' }),
  );
  expect(remittanceCsv(cells).split('\r\n')).toEqual([
    'line,order_number,customer,outcome,expected,received',
    `2,"'=1+1",,Unknown order,,1.50`,
    `3,"'\u00a0@A1",,Unknown order,,1.50`,
    `4,"'＝1",,Unknown order,,1.50`,
    `5,"'\tx",,Unknown order,,1.50`,
    '6,"a,""b""",,Unknown order,,1.50',
    '',
  ]);
});
