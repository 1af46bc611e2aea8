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
  const times: number[] = [];
  let heard = 0;
  for (let now = 0; now < 500; now++) {
    appended.ring(['order']);
    if (appended.heard(['order']) > heard) times.push(now);
    heard = appended.heard(['order']);
    vi.advanceTimersByTime(1);
  }
  expect(times).toEqual([0, 10, 30, 70, 150, 250, 350, 450]);
  vi.advanceTimersByTime(200);
  appended.ring(['order']);
  vi.advanceTimersByTime(10);
  appended.ring(['order']);
  expect(appended.heard(['order'])).toBe(heard + 3);
});

test('in a rush, too, it is told soon when somebody waits', () => {
  const appended = bell();
  const rush = (milliseconds: number): void => {
    for (let passed = 0; passed < milliseconds; passed++) {
      appended.ring(['order']);
      vi.advanceTimersByTime(1);
    }
  };
  rush(252);
  const heard = appended.heard(['order']);
  appended.hurry();
  rush(22);
  expect(appended.heard(['order'])).toBe(heard);
  rush(2);
  expect(appended.heard(['order'])).toBe(heard + 1);
  rush(40);
  expect(appended.heard(['order'])).toBe(heard + 1);
  appended.hurry();
  expect(appended.heard(['order'])).toBe(heard + 2);
});
