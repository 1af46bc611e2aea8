import { expect, test } from 'vitest';

import { logPosition } from '#domain/event-store.ts';

import { pageOf, pageWith, rowsIn, type EventRow } from './event-rows.ts';
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
  const page = pageOf(stored);
  const [first, , third] = rowsIn(page);
  if (!first || !third) return expect.fail();
  const opened = pageWith(page, [
    { row: first, text: '{"city":"Kochi, कोच्चि"}' },
    { row: third, text: '["₹"]' },
  ]);
  expect(rowsIn(opened).map(shown)).toEqual([
    { ...stored[0], data: '{"city":"Kochi, कोच्चि"}' },
    stored[1],
    { ...stored[2], data: '["₹"]' },
  ]);
  expect(rowsIn(pageWith(page, [])).map(shown)).toEqual(stored);
  expect(rowsIn(pageWith(pageOf([]), []))).toEqual([]);
});

test('an event that does not open says why to whoever asks for its data, and those around it are whole', () => {
  const page = pageOf(stored);
  const [one, other] = rowsIn(page);
  if (!one || !other) return expect.fail();
  const opened = pageWith(page, [
    { row: one, text: '{}' },
    { row: other, text: { name: 'SealBroken', message: 'It does not open' } },
  ]);
  const [first, second, third] = rowsIn(opened);
  expect(() => second?.data).toThrow('It does not open');
  expect([first?.data, second?.type, second?.metadata, third && shown(third)]).toEqual(['{}', 'X', '{}', stored[2]]);
});

/** A row with these metadata, between two whose metadata tell of others. */
const rowWith = (metadata: string): EventRow | undefined => {
  const [before, between, after] = stored;
  if (!before || !between || !after) return expect.fail();
  const others = { metadata: '{"actor":{"kind":"admin","id":"somebody else"}}' };
  return rowsIn(
    pageOf([
      { ...before, ...others },
      { ...between, metadata },
      { ...after, ...others },
    ]),
  ).at(1);
};

test('who acted is told without the rest of the metadata', () => {
  for (const kind of ['visitor', 'user', 'admin', 'system'] as const) {
    const actor = { kind, id: 'Meera कोच्चि' };
    expect(rowWith(JSON.stringify({ version: 1, commandId: 'c', actor, hash: 'abc' }))?.actor).toEqual(actor);
  }
});

test.each([
  ['is not told', '{"version":1}'],
  [
    'stands behind something of the kind',
    JSON.stringify({ note: '"actor":{"kind":"user","id":"x"}', actor: { kind: 'user', id: 'meera' } }),
  ],
  ['is told in another order', '{"actor":{"id":"meera","kind":"user"}}'],
  ['is told with spaces', '{"actor": {"kind": "user", "id": "meera"}}'],
  ['has an id with quotes', JSON.stringify({ actor: { kind: 'user', id: 'the "nose"' } })],
  ['has more to tell', '{"actor":{"kind":"user","id":"meera","seat":7}}'],
  ['has an id that is no text', '{"actor":{"kind":"user","id":7}}'],
  ['is of a kind that nobody is', '{"actor":{"kind":"owl","id":"meera"}}'],
])('nothing is said of who acted where that %s', (_, metadata) => {
  expect(rowWith(metadata)?.actor).toBeUndefined();
});

test('how metadata begin is told without the rest', () => {
  const row = rowWith('{"version":12}');
  expect(['{', '{"version":1', '{"version":12}', '{"version":2', '{"version":12}x'].map((text) => row?.metadataBegins(text))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
