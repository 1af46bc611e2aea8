import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { logPosition, START, type LogPosition, type Recorded } from '#domain/event-store.ts';

import { polledTail } from './polled-tail.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Makes a tail that is read continuously, with the times of the reads and the number of events in each. */
const aTail = () => {
  const appended = new WakeSignal();
  const leave = new AbortController();
  const reads: number[] = [];
  const brought: number[] = [];
  let last = 0;
  const page = async (after: LogPosition): Promise<readonly Recorded[]> => {
    reads.push(performance.now());
    const positions = Array.from({ length: last - Number(after) }, (_, index) => logPosition(after + BigInt(index + 1)));
    return positions.map((position) => ({ position }) as Recorded);
  };
  const running = (async () => {
    for await (const { events } of polledTail({ page, appended, pollEvery: 1_000, apart: 10 }, START, leave.signal))
      brought.push(events.length);
  })();
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  const append = (events = 1): void => {
    last += events;
    appended.notify();
  };
  const end = async (): Promise<void> => {
    leave.abort();
    await running;
  };
  return { reads, brought, append, pass, end, began: performance.now() };
};

test('under low load the tail is read immediately, and once more for several concurrent signals', async () => {
  const { reads, brought, append, pass, end, began } = aTail();
  await pass(500);
  append();
  await pass(1);
  append();
  append();
  await pass(20);
  expect(reads.map((at) => at - began)).toEqual([0, 500, 510]);
  expect(brought).toEqual([1, 2]);
  await end();
});

test('under high load it is read less often, with more events in each read', async () => {
  const { reads, brought, append, pass, end, began } = aTail();
  await pass(100);
  for (let milliseconds = 0; milliseconds < 100; milliseconds++) {
    append(5);
    await pass(1);
  }
  await pass(50);
  expect(reads.map((at) => at - began)).toEqual([0, 100, 110, 150, 190, 230]);
  expect(brought.reduce((sum, events) => sum + events)).toBe(500);
  await end();
});

test('without a signal it is read every second, and a signal during a read is not lost', async () => {
  const { reads, append, pass, end, began } = aTail();
  append();
  await pass(10);
  await pass(2_000);
  expect(reads.map((at) => at - began)).toEqual([0, 10, 1_010, 2_010]);
  await end();
});
