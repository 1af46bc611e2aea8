import { setImmediate as allHasArrived } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { gathered } from './gathered.ts';

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
  test('goes once all that has arrived was looked at, and together when it came while another batch was under way', async () => {
    const { batches, send, letGo } = sending();
    const hand = gathered(send);
    const first = hand(1);
    await allHasArrived();
    const others = [hand(2), hand(3)];
    expect(batches).toEqual([[1]]);
    letGo();
    await first;
    await vi.waitFor(() => expect(batches).toEqual([[1], [2, 3]]));
    letGo();
    await Promise.all(others);
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
