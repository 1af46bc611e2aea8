import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { stats } from '#projections/stats/projector.ts';

import { openLive } from './live-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Only sales happen, when the test says so. */
const openShop = () => {
  const sell: (() => void)[] = [];
  const onAdvance = (model: string, callback: () => void) => {
    if (model === stats.name) sell.push(callback);
    return () => {};
  };
  const progress = { onAdvance, mark: () => '1.0' } as unknown as Parameters<typeof openLive>[0]['progress'];
  const figures = vi.fn(() => Promise.resolve({ totalOrders: 1 }));
  const live = openLive({ progress, figures, onTrouble: () => {} });
  return { live, figures, sell: () => sell.forEach((tell) => tell()) };
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

test('after the shop closes the counts are not polled, though a page has not read its ended stream', async () => {
  const { live, figures } = openShop();
  live.watch();
  live.close();
  figures.mockClear();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(figures).not.toHaveBeenCalled();
});
