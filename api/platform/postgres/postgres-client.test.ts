import { expect, test, vi } from 'vitest';

import { EventStoreUnavailable } from '#domain/event-store.ts';

import { despiteLosses } from './postgres-client.ts';

const log = () => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() });

test('work of a start is done again when the event store did not answer, and the log says so', async () => {
  const work = vi.fn().mockRejectedValueOnce(new EventStoreUnavailable('late')).mockResolvedValueOnce('done');
  const to = log();
  expect(await despiteLosses(work, to)).toBe('done');
  expect(to.warn.mock.calls).toEqual([[expect.anything(), 'The event store was lost while the shop was starting: trying again']]);
});

test('work of a start that fails by itself is not done again', async () => {
  const work = vi.fn().mockRejectedValue(new Error('A wrong value'));
  await expect(despiteLosses(work, log())).rejects.toThrow('A wrong value');
  expect(work).toHaveBeenCalledOnce();
});
