import { expect, test } from 'vitest';

import { askOnce, formatActorName } from './actor-name.ts';

test('the name of a member of staff is asked for once, however many rows have it', async () => {
  const asked: string[] = [];
  const names = askOnce({
    nameOf: (id) => {
      asked.push(id);
      return Promise.resolve(id === 'gone' ? undefined : `Name of ${id}`);
    },
  });
  const rows = ['ravi', 'gone', 'ravi', 'gone'].map((id) => formatActorName({ kind: 'admin', id }, names));
  expect(await Promise.all(rows)).toEqual(['Name of ravi', 'A former admin', 'Name of ravi', 'A former admin']);
  expect(asked).toEqual(['ravi', 'gone']);
});
