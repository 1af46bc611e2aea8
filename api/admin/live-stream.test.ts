import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { catalogue } from '#projections/catalogue/projector.ts';
import { stats } from '#projections/stats/projector.ts';

import { openLive } from './live-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Makes a shop in which sales and changes of products happen when the test says so; products are listed after `list`. */
const openShop = () => {
  const sell: (() => void)[] = [];
  const change: (() => void)[] = [];
  const onAdvance = (model: string, callback: () => void) => {
    if (model === stats.name) sell.push(callback);
    if (model === catalogue.name) change.push(callback);
    return () => {};
  };
  let list = (): void => {};
  const listed = new Promise<'fresh'>((resolve) => (list = () => resolve('fresh')));
  const progress = { onAdvance, mark: () => '1.0' } as unknown as Parameters<typeof openLive>[0]['progress'];
  const figures = vi.fn(() => Promise.resolve({ totalOrders: 1 }));
  const live = openLive({ progress, listing: { waitFor: () => listed }, figures, onTrouble: () => {} });
  const all = (told: (() => void)[]) => () => told.forEach((tell) => tell());
  return { live, figures, sell: all(sell), change: all(change), list };
};

test('a page that has not read its ended stream to the end gets no more messages on it', async () => {
  const { live, sell } = openShop();
  const stream = live.watch();
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
  const stream = live.watch().setEncoding('utf8');
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

test('after the shop closes the counts are not polled, even if a page has not read its ended stream', async () => {
  const { live, figures } = openShop();
  live.watch();
  live.close();
  figures.mockClear();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(figures).not.toHaveBeenCalled();
});
