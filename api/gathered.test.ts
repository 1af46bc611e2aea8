import { describe, expect, test, vi } from 'vitest';

import { gathered } from './gathered.ts';

const turnOver = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** What was sent together, each batch under way until it is let go. */
const sending = () => {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const send = (items: readonly number[]): Promise<readonly number[]> => {
    batches.push(items);
    return new Promise((resolve) => ends.push(() => resolve(items)));
  };
  return { batches, send, letGo: () => ends.shift()?.() };
};

describe('what is gathered', () => {
  test('goes at once when nothing is under way, and together when it came meanwhile', async () => {
    const { batches, send, letGo } = sending();
    const hand = gathered(send);
    const first = hand(1);
    await turnOver();
    const others = [hand(2), hand(3)];
    expect(batches).toEqual([[1]]);
    letGo();
    await first;
    await vi.waitFor(() => expect(batches).toEqual([[1], [2, 3]]));
    letGo();
    await Promise.all(others);
  });

  test('goes together when it came in the same turn', async () => {
    const { batches, send, letGo } = sending();
    const hand = gathered(send);
    const first = hand(1);
    await Promise.resolve();
    const second = hand(2);
    await turnOver();
    expect(batches).toEqual([[1, 2]]);
    letGo();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  test('goes in parts when there is too much of it, and each is answered for itself', async () => {
    const batches: (readonly number[])[] = [];
    const hand = gathered(async (items: readonly number[]) => {
      batches.push(items);
      return items.map((item) => `answer to ${item}`);
    }, 2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((item) => hand(item)));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(answers).toEqual([1, 2, 3, 4, 5].map((item) => `answer to ${item}`));
  });

  test('fails together, and what comes after it does not', async () => {
    let isAway = true;
    const hand = gathered(async (items: readonly number[]) => {
      if (isAway) throw new Error('away');
      return items;
    });
    const outcomes = await Promise.allSettled([hand(1), hand(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await expect(hand(3)).resolves.toBe(3);
  });
});
