import { expect, test } from 'vitest';

import { logPosition } from '#domain/event-store.ts';

import { pageOf, pageWith, rowsIn } from './event-rows.ts';
import type { StoredEvent } from './stored-event.ts';

const stored: readonly StoredEvent[] = [
  {
    position: logPosition(9_007_199_254_740_993n),
    stream: 'order-5f0c6b1e-0000-8000-8000-000000000001',
    revision: 0,
    eventId: '00112233-4455-6677-8899-aabbccddeeff',
    type: 'OrderCreated',
    metadata: '{"version":1}',
    data: '{"city":"कोच्चि","total":"₹4,999"}',
  },
  {
    position: logPosition(9_007_199_254_740_999n),
    stream: 'order-b',
    revision: 2_000_000_000,
    eventId: 'ffffffff-0000-4000-8000-000000000000',
    type: 'X',
    metadata: '{}',
    data: '{}',
  },
  {
    position: logPosition(9_007_199_254_741_000n),
    stream: 'order-c',
    revision: 1,
    eventId: '10000000-0000-4000-8000-000000000009',
    type: 'Y',
    metadata: '{"a":"é"}',
    data: '[]',
  },
];

const shown = ({ position, stream, revision, eventId, type, metadata, data }: StoredEvent): StoredEvent => ({
  position,
  stream,
  revision,
  eventId,
  type,
  metadata,
  data,
});

test('events go into a page and come out of it as they were', () => {
  expect(rowsIn(pageOf(stored)).map(shown)).toEqual(stored);
  expect(rowsIn(pageOf([]))).toEqual([]);
});

test('texts take the place of the data that they were opened from, and of nothing else', () => {
  const rows = rowsIn(pageOf(stored));
  const [first, ...others] = rowsIn(pageWith(rows, ['{"city":"Kochi, कोच्चि"}', undefined, undefined])).map(shown);
  expect(first).toEqual({ ...stored[0], data: '{"city":"Kochi, कोच्चि"}' });
  expect(others).toEqual(stored.slice(1));
});

test('some rows of a page are a page of their own', () => {
  const rows = rowsIn(pageOf(stored));
  const nothing = [undefined, undefined];
  expect(rowsIn(pageWith(rows.slice(0, 2), nothing)).map(shown)).toEqual(stored.slice(0, 2));
  expect(rowsIn(pageWith(rows.slice(1), nothing)).map(shown)).toEqual(stored.slice(1));
  expect(rowsIn(pageWith([], []))).toEqual([]);
});

test('an event that does not open says why to whoever asks for its data, and those around it are whole', () => {
  const [first, second, third] = rowsIn(
    pageWith(rowsIn(pageOf(stored)), ['{}', { name: 'SealBroken', message: 'It does not open' }, undefined]),
  );
  expect(() => second?.data).toThrow('It does not open');
  expect([first?.data, second?.type, second?.metadata, third && shown(third)]).toEqual(['{}', 'X', '{}', stored[2]]);
});
