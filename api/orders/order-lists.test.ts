import { describe, expect, test } from 'vitest';

import { START, type LogPosition } from '#domain/event-store.ts';

import { cachedQuery } from './order-lists.ts';

/** Makes a read model that counts its queries and advances on demand. */
const setUp = (answer: (question: string, times: number) => Promise<string> | string = (question, times) => `${question} ${times}`) => {
  const listeners = new Set<(position: LogPosition) => void>();
  let asked = 0;
  const progress = {
    onAdvance: (_: string, callback: (position: LogPosition) => void) => (listeners.add(callback), () => listeners.delete(callback)),
  };
  const asking = async (question: string) => answer(question, (asked += 1));
  const answers = cachedQuery(
    asking,
    'desk',
    progress,
    (question) => question,
    ({ length }) => length,
  );
  return { ...answers, listeners, move: () => listeners.forEach((callback) => callback(START)) };
};

describe('the query cache of a read model', () => {
  test('runs a query once for all callers, until the model advances', async () => {
    const { ask, move } = setUp();
    expect(await Promise.all([ask('page'), ask('page'), ask('other')])).toEqual(['page 1', 'page 1', 'other 2']);
    expect(await ask('page')).toBe('page 1');
    move();
    expect(await ask('page')).toBe('page 3');
  });

  test('never returns a result queried before an advance to a call after it', async () => {
    let answer: (text: string) => void = () => {};
    const late = new Promise<string>((resolve) => (answer = resolve));
    const { ask, move } = setUp((question, times) => (times === 1 ? late : `${question} ${times}`));
    const before = ask('page');
    move();
    const after = ask('page');
    answer('old');
    expect(await Promise.all([before, after])).toEqual(['old', 'page 2']);
    expect(await ask('page')).toBe('page 2');
  });

  test('does not keep failures of the database', async () => {
    const { ask } = setUp((question, times) => {
      if (times === 1) throw new Error('away');
      return `${question} ${times}`;
    });
    await expect(ask('page')).rejects.toThrow('away');
    expect(await ask('page')).toBe('page 2');
  });

  test('evicts the oldest results', async () => {
    const { ask } = setUp((question, times) => `${question} ${times}`.padEnd(2 ** 20));
    for (const question of ['a', 'b', 'c', 'd']) await ask(question);
    const again = [await ask('d'), await ask('a')];
    expect(again.map((text) => text.trim())).toEqual(['d 4', 'a 5']);
  });

  test('stops listening when closed', () => {
    const { close, listeners } = setUp();
    close();
    expect(listeners.size).toBe(0);
  });
});
