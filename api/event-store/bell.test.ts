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

test('who was away when it rang is told together with the others next time, so that all read the same', async () => {
  const appended = bell();
  appended.ring(['order']);
  const late = appended.waitFor(['order'], 0, 1_000, signal);
  vi.advanceTimersByTime(5);
  appended.ring(['order']);
  const punctual = appended.waitFor(['order'], 1, 1_000, signal);
  const both = Promise.all([late, punctual]);
  expect(vi.getTimerCount()).toBe(3);
  vi.advanceTimersByTime(5);
  await both;
  expect(appended.heard(['order'])).toBe(2);
});

test('who was away is told at once when nothing has happened since', async () => {
  const appended = bell();
  appended.ring(['order']);
  vi.advanceTimersByTime(10);
  await appended.waitFor(['order'], 0, 1_000, signal);
});

test('the more often it rings, the further apart it is told', () => {
  const appended = bell();
  for (let times = 0; times < 4; times++) appended.ring(['order']);
  vi.advanceTimersByTime(10);
  appended.ring(['order']);
  vi.advanceTimersByTime(24);
  expect(appended.heard(['order'])).toBe(2);
  vi.advanceTimersByTime(1);
  expect(appended.heard(['order'])).toBe(3);
  appended.ring(['order']);
  vi.advanceTimersByTime(10);
  expect(appended.heard(['order'])).toBe(4);
});
