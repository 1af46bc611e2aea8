import { afterEach, expect, test, vi } from 'vitest';
import { browserEnvironment } from './cart-environment.ts';

const { untilOnline } = browserEnvironment;
const goes = (type: 'online' | 'offline'): void => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(type === 'online');
  dispatchEvent(new Event(type));
};

afterEach(() => vi.restoreAllMocks());

test('an answer that is missing while the browser is online is a failure', async () => {
  goes('online');
  expect(await untilOnline()).toBe(false);
});

test('one that is missing just before the browser knows that it is offline waits for the network', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  goes('online');
  let isBack: boolean | undefined;
  const waiting = untilOnline().then((back) => (isBack = back));
  goes('offline');
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(isBack).toBeUndefined();
  goes('online');
  await waiting;
  expect(isBack).toBe(true);
});
