import { expect, test } from 'vitest';

import { inTurn, NoTurn } from './in-turn.ts';

/** A job, and what ends it. */
const held = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { job: () => ended, end };
};

test('jobs of one key are done one after the other, those of another at once', async () => {
  const turn = inTurn();
  const done: string[] = [];
  const first = held();
  const one = turn('one', first.job).then(() => done.push('one'));
  const two = turn('one', () => Promise.resolve(done.push('two')));
  await turn('other', () => Promise.resolve(done.push('other')));
  expect(done).toEqual(['other']);
  first.end();
  await Promise.all([one, two]);
  expect(done.toSorted()).toEqual(['one', 'other', 'two']);
});

test('a job that fails ends its own turn only', async () => {
  const turn = inTurn();
  const failed = turn('one', () => Promise.reject(new Error('no')));
  const next = turn('one', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('a job whose turn comes too late is not begun', async () => {
  const turn = inTurn({ patience: 0 });
  const first = held();
  const one = turn('one', first.job);
  let isBegun = false;
  const late = turn('one', async () => void (isBegun = true));
  const since = performance.now();
  while (performance.now() === since);
  first.end();
  await one;
  await expect(late).rejects.toThrow(NoTurn);
  expect(isBegun).toBe(false);
  expect(await turn('one', () => Promise.resolve('in time'))).toBe('in time');
});
