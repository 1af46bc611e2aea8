import { describe, expect, test } from 'vitest';

import { START, type LogPosition } from '#domain/event-store.ts';

import { cachedQuery } from './order-lists.ts';

/** A read model whose answers are counted, and which moves when it is told to. */
const setUp = (answer: (question: string, times: number) => Promise<string> | string = (question, times) => `${question} ${times}`) => {
  const listeners = new Set<(position: LogPosition) => void>();
  let asked = 0;
  const progress = {
    onAdvance: (_: string, callback: (position: LogPosition) => void) => (listeners.add(callback), () => listeners.delete(callback)),
  };
  const asking = async (question: string) => answer(question, (asked += 1));
  const answers = cachedQuery(asking, 'desk', progress, (question) => question);
  return { ...answers, listeners, move: () => listeners.forEach((callback) => callback(START)) };
};

describe('remembered answers of a read model', () => {
  test('are worked out once, for all who ask, until the model moves', async () => {
    const { ask, move } = setUp();
    expect(await Promise.all([ask('page'), ask('page'), ask('other')])).toEqual(['page 1', 'page 1', 'other 2']);
    expect(await ask('page')).toBe('page 1');
    move();
    expect(await ask('page')).toBe('page 3');
  });

  test('are not given to whoever asks after a move when they were asked for before it', async () => {
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

  test('are not kept when the database failed', async () => {
    const { ask } = setUp((question, times) => {
      if (times === 1) throw new Error('away');
      return `${question} ${times}`;
    });
    await expect(ask('page')).rejects.toThrow('away');
    expect(await ask('page')).toBe('page 2');
  });

  test('make room for newer ones, the oldest first', async () => {
    const { ask } = setUp((question, times) => `${question} ${times}`.padEnd(2 ** 20));
    for (const question of ['a', 'b', 'c', 'd']) await ask(question);
    const again = [await ask('d'), await ask('a')];
    expect(again.map((text) => text.trim())).toEqual(['d 4', 'a 5']);
  });

  test('are no longer followed once closed', () => {
    const { close, listeners } = setUp();
    close();
    expect(listeners.size).toBe(0);
  });
});
