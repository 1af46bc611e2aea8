import { describe, expect, test } from 'vitest';

import { batcher } from './batcher.ts';

const turnOver = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Records the batches; each one is under way until the test releases it. */
const sending = () => {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const send = (items: readonly number[]): Promise<readonly number[]> => {
    batches.push(items);
    return new Promise((resolve) => ends.push(() => resolve(items)));
  };
  return { batches, send, letGo: () => ends.shift()?.() };
};

describe('a batcher', () => {
  test('sends immediately when idle, and sends items that arrive meanwhile as one batch', async () => {
    const { batches, send, letGo } = sending();
    const ask = batcher(send);
    const first = ask(1);
    await expect.poll(() => batches).toEqual([[1]]);
    const others = [ask(2), ask(3)];
    await turnOver();
    await turnOver();
    expect(batches).toEqual([[1]]);
    letGo();
    await first;
    await expect.poll(() => batches).toEqual([[1], [2, 3]]);
    letGo();
    await Promise.all(others);
  });

  test('sends items of one turn of the event loop as one batch', async () => {
    const { batches, send, letGo } = sending();
    const ask = batcher(send);
    const first = ask(1);
    await Promise.resolve();
    const second = ask(2);
    await expect.poll(() => batches).toEqual([[1, 2]]);
    letGo();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  test('respects the maximum size, and answers each item', async () => {
    const batches: (readonly number[])[] = [];
    const ask = batcher(async (items: readonly number[]) => {
      batches.push(items);
      return items.map((item) => `answer to ${item}`);
    }, 2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((item) => ask(item)));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(answers).toEqual([1, 2, 3, 4, 5].map((item) => `answer to ${item}`));
  });

  test('fails all items of a batch, and no later ones', async () => {
    let isAway = true;
    const ask = batcher(async (items: readonly number[]) => {
      if (isAway) throw new Error('away');
      return items;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await expect(ask(3)).resolves.toBe(3);
  });
});
