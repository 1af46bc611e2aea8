import { expect, test } from 'vitest';

import { newVisitorId } from './session-store.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids of visitors are distinct UUIDs in the order in which they were made', () => {
  const moments = ['2026-11-21T18:00:00.000Z', '2026-11-21T18:00:00.001Z', '2031-01-01T00:00:00.000Z'].map((text) => new Date(text));
  const ids = moments.map(newVisitorId);
  for (const id of ids) expect(id).toMatch(VERSION_7);
  expect(ids.toSorted()).toEqual(ids);
  expect(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(moments[0]?.getTime());

  const [moment = new Date()] = moments;
  expect(new Set(Array.from({ length: 1_000 }, () => newVisitorId(moment))).size).toBe(1_000);
});
