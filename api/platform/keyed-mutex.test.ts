import { expect, test } from 'vitest';

import { keyedMutex, MutexTimeout } from './keyed-mutex.ts';

const held = () => {
  let begin = (): void => undefined;
  let end = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const job = (): Promise<void> => {
    begin();
    return ended;
  };
  return { job, begun, end };
};

test('jobs of one key run one after the other, and jobs of different keys run concurrently', async () => {
  const mutex = keyedMutex();
  const done: string[] = [];
  const first = held();
  const one = mutex('one', first.job).then(() => done.push('one'));
  const two = mutex('one', () => Promise.resolve(done.push('two')));
  await mutex('other', () => Promise.resolve(done.push('other')));
  expect(done).toEqual(['other']);
  first.end();
  await Promise.all([one, two]);
  expect(done.toSorted()).toEqual(['one', 'other', 'two']);
});

test('a failed job lets the next one begin', async () => {
  const mutex = keyedMutex();
  const failed = mutex('one', () => Promise.reject(new Error('no')));
  const next = mutex('one', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

// Each number of microtasks hits another moment in the release of the mutex.
test.each(Array.from({ length: 20 }, (_, microtasks) => microtasks))(
  'a job that arrives %s microtasks after the last one ended runs alone, and jobs that waited too long are refused',
  async (microtasks) => {
    let clock = 0;
    const mutex = keyedMutex({ timeout: 100, now: () => clock });
    const first = held();
    const one = mutex('one', first.job);
    const refused = [1, 2, 3].map(() => expect(mutex('one', () => Promise.resolve())).rejects.toThrow(MutexTimeout));
    clock = 101;
    first.end();
    for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
    const second = held();
    const two = mutex('one', second.job);
    await second.begun;
    let isBegun = false;
    const three = mutex('one', async () => void (isBegun = true));
    await Promise.all([one, ...refused]);
    expect(isBegun).toBe(false);
    second.end();
    await Promise.all([two, three]);
    expect(isBegun).toBe(true);
  },
);

test('a job that waited too long is not begun', async () => {
  let clock = 0;
  const mutex = keyedMutex({ timeout: 100, now: () => clock });
  const first = held();
  const one = mutex('one', first.job);
  let isBegun = false;
  const late = mutex('one', async () => void (isBegun = true));
  const refused = expect(late).rejects.toThrow(MutexTimeout);
  await first.begun;
  clock = 101;
  first.end();
  await Promise.all([one, refused]);
  expect(isBegun).toBe(false);
  expect(await mutex('one', () => Promise.resolve('in time'))).toBe('in time');
});
