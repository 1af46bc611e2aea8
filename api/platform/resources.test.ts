import { expect, test, vi } from 'vitest';

import { Resources } from './resources.ts';

test('resources are closed in reverse order, even those after one that fails to close', async () => {
  const closed = vi.fn<(name: string) => Promise<void>>();
  closed.mockImplementation(async (name) => {
    if (name !== 'database') throw new Error(`The ${name} does not close`);
  });
  const opened = new Resources();
  for (const name of ['database', 'worker', 'server']) opened.with(name, closed);
  await expect(opened.close()).rejects.toThrow('The server does not close');
  expect(closed.mock.calls).toEqual([['server'], ['worker'], ['database']]);
});
