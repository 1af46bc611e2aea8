import { expect, test } from 'vitest';

import { logPosition, START, type LogPosition } from '#domain/event-store.ts';

import { bell } from './bell.ts';
import { sharedPages } from './shared-pages.ts';

/** Pages that are under way until they are let go. */
const reading = () => {
  const asked: LogPosition[] = [];
  const ends: (() => void)[] = [];
  const readPage = (after: LogPosition) => {
    asked.push(after);
    return new Promise<readonly []>((resolve) => ends.push(() => resolve([])));
  };
  return { asked, readPage, letGo: () => ends.splice(0).forEach((end) => end()) };
};

test('followers who ask for the same page share one read, and others have their own', async () => {
  const { asked, readPage, letGo } = reading();
  const page = sharedPages(readPage, bell());
  const pages = [page(START, 10, ['order']), page(START, 10, ['order']), page(logPosition(1n), 10, ['order']), page(START, 10, ['cart'])];
  expect(asked).toEqual([START, 1n, START]);
  letGo();
  const [first, second] = await Promise.all(pages);
  expect(second).toBe(first);
});

test('who asks after something was appended is not answered by a read that began before it', async () => {
  const { asked, readPage, letGo } = reading();
  const appended = bell();
  const page = sharedPages(readPage, appended);
  const early = page(START, 10, ['order']);
  appended.ring(['order']);
  const late = page(START, 10, ['order']);
  expect(asked).toHaveLength(2);
  letGo();
  await Promise.all([early, late]);
  void page(START, 10, ['order']);
  expect(asked).toHaveLength(3);
});

test('a read that fails is asked again by the next', async () => {
  let isAway = true;
  const page = sharedPages(async () => {
    if (isAway) throw new Error('away');
    return [];
  }, bell());
  await expect(page(START, 10, ['order'])).rejects.toThrow('away');
  isAway = false;
  await expect(page(START, 10, ['order'])).resolves.toEqual([]);
});
