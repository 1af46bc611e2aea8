import { expect, test } from 'vitest';

import { logPosition } from '#domain/event-store.ts';

import { PagesAhead, type Asked } from './pages-ahead.ts';

const after = (position: number): Asked => ({ after: logPosition(BigInt(position)), limit: 10, categories: ['order'] });

/** A log of so many events, which keeps a list of the pages that were begun. */
const logOf = (length: number) => {
  const log = { length, begun: [] as number[], fails: 0 };
  const pages = new PagesAhead<string>((asked) => {
    const from = Number(asked.after);
    const upTo = Math.min(from + asked.limit, log.length);
    log.begun.push(from);
    const failed = log.fails-- > 0;
    return {
      page: failed ? Promise.reject(new Error('away')) : Promise.resolve(`${from + 1} to ${upTo}`),
      next: Promise.resolve(upTo - from === asked.limit ? after(upTo) : undefined),
    };
  }, 3);
  return { log, pages };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the next three pages are begun before they are asked for, each of them once', async () => {
  const { log, pages } = logOf(100);
  expect(await pages.page(after(0))).toBe('1 to 10');
  await settled();
  expect(log.begun).toEqual([0, 10, 20, 30]);
  expect(await pages.page(after(10))).toBe('11 to 20');
  expect(await pages.page(after(20))).toBe('21 to 30');
  await settled();
  expect(log.begun).toEqual([0, 10, 20, 30, 40, 50]);
});

test('a page that was not full is read again when it is asked for', async () => {
  const { log, pages } = logOf(13);
  expect(await pages.page(after(0))).toBe('1 to 10');
  await settled();
  log.length = 16;
  expect(await pages.page(after(10))).toBe('11 to 16');
});

test('whoever asks for something else is given that', async () => {
  const { log, pages } = logOf(100);
  await pages.page(after(0));
  await settled();
  expect(await pages.page(after(50))).toBe('51 to 60');
  await settled();
  expect(log.begun).toEqual([0, 10, 20, 30, 50, 60, 70, 80]);
});

test('what failed before it was asked for is tried once more, and what fails then is told', async () => {
  const { log, pages } = logOf(100);
  await pages.page(after(0));
  log.fails = 1;
  await settled();
  expect(await pages.page(after(10))).toBe('11 to 20');
  log.fails = 2;
  await expect(pages.page(after(60))).rejects.toThrow('away');
  expect(await pages.page(after(60))).toBe('61 to 70');
});
