import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { migrations } from './migrate.ts';

test('every migration in the folder is made, in the order of their dates', async () => {
  const files = await readdir(import.meta.dirname);
  const named = files.filter((file) => /^\d{4}-/.test(file)).map((file) => file.replace(/\.ts$/, ''));
  expect(Object.keys(migrations).toSorted()).toEqual(named.toSorted());
});
