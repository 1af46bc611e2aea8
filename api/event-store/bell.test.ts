import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bell } from './bell.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const { signal } = new AbortController();

test('a ring in a quiet hour is told at once', async () => {
  const appended = bell();
  const waiting = appended.waitFor(['order'], 0, 1_000, signal);
  appended.ring(['order']);
  expect(appended.heard(['order'])).toBe(1);
  await waiting;
});

test('rings in a rush are told together a moment later, to whom they are for, and none is missed', async () => {
  const appended = bell();
  appended.ring(['order']);
  for (let times = 0; times < 5; times++) appended.ring(['order', 'cart']);
  expect(appended.heard(['order'])).toBe(1);
  const waiting = appended.waitFor(['order'], 1, 1_000, signal);
  vi.advanceTimersByTime(10);
  await waiting;
  expect([appended.heard(['order']), appended.heard(['cart']), appended.heard(['product'])]).toEqual([2, 1, 0]);
});
