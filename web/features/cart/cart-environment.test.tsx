import { expect, test, vi } from 'vitest';
import { browserEnvironment } from './cart-environment.ts';

const { untilOnline } = browserEnvironment;
const goes = (type: 'online' | 'offline'): void => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(type === 'online');
  dispatchEvent(new Event(type));
};

test('a missing answer is a failure while the browser is online', async () => {
  goes('online');
  expect(await untilOnline()).toBe(false);
});

test('a missing answer waits for the network when the browser notices just afterwards that it is offline', async () => {
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
