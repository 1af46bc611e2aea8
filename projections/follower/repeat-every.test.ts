import { expect, test } from 'vitest';

import { inBackground, repeatEvery } from './repeat-every.ts';
import { WakeSignal } from './wake-signal.ts';

const skippingClock = () => {
  let now = 0;
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  return { now: () => now, sleep, pauses, pass: (milliseconds: number) => (now += milliseconds) };
};

/** Runs through the outcomes, then stops: an error is thrown, undefined is a success. */
const repeated = async (outcomes: readonly (string | undefined)[]) => {
  const clock = skippingClock();
  const ending = new AbortController();
  const reported: string[] = [];
  const remaining = [...outcomes];
  const attempt = async (): Promise<void> => {
    const outcome = remaining.shift();
    if (remaining.length === 0) ending.abort();
    if (outcome !== undefined) throw new Error(outcome);
  };
  await repeatEvery(1_000, attempt, { signal: ending.signal, onError: (error) => reported.push(String(error)), clock });
  return { pauses: clock.pauses, reported };
};

test('runs pause between each other, and a failed run is repeated at growing intervals', async () => {
  const failures = Array.from({ length: 8 }, () => 'away');
  const { pauses } = await repeated([undefined, ...failures, undefined, 'away', undefined]);
  expect(pauses).toEqual([1_000, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 1_000, 100, 1_000]);
});

test('an error is reported once until it changes, or until a run succeeds', async () => {
  const { reported } = await repeated(['away', 'away', 'full', 'full', undefined, 'full', undefined]);
  expect(reported).toEqual(['Error: away', 'Error: full', 'Error: full']);
});

test('an error after a long run counts as another outage', async () => {
  const clock = skippingClock();
  const ending = new AbortController();
  const reported: unknown[] = [];
  const follow = async (): Promise<void> => {
    clock.pass(60_000);
    if (reported.length === 2) ending.abort();
    throw new Error('away');
  };
  await repeatEvery(0, follow, { signal: ending.signal, onError: (error) => reported.push(error), clock });
  expect(clock.pauses).toEqual([100, 100]);
});

test('a signal given during a run ends the pause after it', async () => {
  const wake = new WakeSignal();
  const ending = new AbortController();
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    if (runs === 1) wake.notify();
    else ending.abort();
  };
  await repeatEvery(3_600_000, work, { signal: ending.signal, onError: () => {}, wake });
  expect(runs).toBe(2);
});

test('closing waits for the end of a run, and no other run begins', async () => {
  let finish = (): void => {};
  let runs = 0;
  const work = (): Promise<void> => {
    runs += 1;
    return new Promise((resolve) => (finish = resolve));
  };
  const repeating = inBackground((signal) => repeatEvery(1, work, { signal, onError: () => {} }));
  let isClosed = false;
  const closing = repeating.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  finish();
  await closing;
  expect(runs).toBe(1);
});

test('the first run may be delayed', async () => {
  const clock = skippingClock();
  const ending = new AbortController();
  const work = async (): Promise<void> => ending.abort();
  await repeatEvery(1_000, work, { signal: ending.signal, onError: () => {}, firstAfter: 300, clock });
  expect(clock.pauses[0]).toBe(300);
});
