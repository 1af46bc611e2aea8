import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { catalogue } from '#projections/catalogue/projector.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import { stats } from '#projections/stats/projector.ts';

import { openLive } from './live-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Makes a shop in which sales, payments and changes of products happen when the test says so; products are listed after `list`. */
const openShop = () => {
  const sell: (() => void)[] = [];
  const change: (() => void)[] = [];
  const pay: (() => void)[] = [];
  const onAdvance = (model: string, callback: () => void) => {
    if (model === stats.name) sell.push(callback);
    if (model === catalogue.name) change.push(callback);
    if (model === payments.name) pay.push(callback);
    return () => {};
  };
  let list = (): void => {};
  const listed = new Promise<'fresh'>((resolve) => (list = () => resolve('fresh')));
  const progress = { onAdvance, mark: () => '1.0' } as unknown as Parameters<typeof openLive>[0]['progress'];
  const figures = vi.fn(() => Promise.resolve({ totalOrders: 1 }));
  const live = openLive({ progress, listing: { waitFor: () => listed }, figures, onTrouble: () => {} });
  const all = (told: (() => void)[]) => () => told.forEach((tell) => tell());
  return { live, figures, sell: all(sell), change: all(change), pay: all(pay), list };
};

const always = () => Promise.resolve(true);

test('a page whose session or right has ended gets no more messages, and others do', async () => {
  const { live, sell } = openShop();
  const may = { still: true };
  const pages = [live.watch(() => Promise.resolve(may.still)), live.watch(always)].map((stream) => stream.setEncoding('utf8'));
  const heard = ['', ''];
  for (const [index, stream] of pages.entries()) stream.on('data', (text: string) => (heard[index] += text));
  await vi.advanceTimersByTimeAsync(100);
  may.still = false;
  sell();
  await vi.advanceTimersByTimeAsync(300);
  expect(heard.map((text) => text.includes('event: sales'))).toEqual([false, true]);
  expect(pages.map(({ writableEnded }) => writableEnded)).toEqual([true, false]);
  live.close();
});

test('a page that has not read its ended stream to the end gets no more messages on it', async () => {
  const { live, sell } = openShop();
  const stream = live.watch(always);
  const broke = vi.fn<(error: unknown) => void>();
  stream.on('error', broke);
  // The page does not read: the stream ends, and stays open with its buffered messages.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.writableEnded).toBe(true);
  sell();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(broke).not.toHaveBeenCalled();
  live.close();
});

test('a page gets a message about changed products when the listing shows them', async () => {
  const { live, change, list } = openShop();
  const stream = live.watch(always).setEncoding('utf8');
  let heard = '';
  stream.on('data', (text: string) => (heard += text));
  change();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(heard).not.toContain('event: products');
  list();
  await vi.advanceTimersByTimeAsync(300);
  expect(heard).toContain('event: products');
  live.close();
});

test('a page gets a message about payments when their own read model has changed', async () => {
  const { live, pay } = openShop();
  const stream = live.watch(async () => true).setEncoding('utf8');
  let heard = '';
  stream.on('data', (text: string) => (heard += text));
  pay();
  await vi.advanceTimersByTimeAsync(300);
  expect(heard).toContain('event: payments');
  live.close();
});

test('after the shop closes the counts are not polled, even if a page has not read its ended stream', async () => {
  const { live, figures } = openShop();
  live.watch(always);
  live.close();
  figures.mockClear();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(figures).not.toHaveBeenCalled();
});
