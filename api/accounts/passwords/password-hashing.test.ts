import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';

import { passwordHashing, semaphore } from './password-hashing.ts';

const job = () => {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
};

test('a fixed number of jobs run, a fixed number wait, and further jobs are refused', async () => {
  const inTurn = semaphore(2, 3);
  const jobs = Array.from({ length: 5 }, job);
  let ended = 0;
  const running = jobs.map(({ run }) => inTurn(run).then(() => (ended += 1)));
  await expect(inTurn(() => Promise.resolve())).rejects.toMatchObject({ answer: { status: 503 } });
  for (const { end } of jobs) end();
  await Promise.all(running);
  expect(ended).toBe(5);
  await expect(inTurn(() => Promise.resolve('free again'))).resolves.toBe('free again');
});

test('a failed job lets the next one run', async () => {
  const inTurn = semaphore(1, 1);
  const failing = inTurn(() => Promise.reject(new Error('no')));
  const next = inTurn(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});

test('a password is compared at the same cost when its account has none or does not exist', async () => {
  const compare = vi.fn(verify);
  const passwords = passwordHashing(undefined, compare);
  const hashed = await passwords.hash('the right password');
  for (const against of [hashed, null, undefined]) expect(await passwords.matches('not the password', against)).toBe(false);
  const costs = compare.mock.calls.map(([against]) => String(against).split('$').slice(1, 4));
  expect(costs).toEqual(Array(3).fill(hashed.split('$').slice(1, 4)));
});
