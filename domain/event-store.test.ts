import { expect, test } from 'vitest';

import {
  EventStoreUnavailable,
  logPosition,
  maxPosition,
  NO_STREAM,
  readUnlessCut,
  StreamIncomplete,
  WrongHead,
  WrongRevision,
} from './event-store.ts';

test('a position of the log is never negative', () => {
  expect([logPosition(0n), logPosition(7n)]).toEqual([0n, 7n]);
  expect(() => logPosition(-1n)).toThrow('Not a log position: -1');
});

test('the newest of positions is the highest that is there', () => {
  expect(maxPosition([logPosition(2n), undefined, logPosition(9n), logPosition(3n)])).toBe(9n);
  expect(maxPosition([undefined])).toBeUndefined();
});

test('each error says what happened to which stream', () => {
  const said = [
    new WrongRevision('cart-1', 3, 5),
    new WrongHead('cart-1', 3),
    new EventStoreUnavailable('away'),
    new StreamIncomplete('order-1', 'deleted', 4),
    new StreamIncomplete('order-1', 'truncated', 0, 2),
  ].map(({ name, message }) => `${name}: ${message}`);
  expect(said).toEqual([
    'WrongRevision: cart-1 is at revision 5, not 3',
    'WrongHead: cart-1 ends at revision 3 with another event than expected',
    'EventStoreUnavailable: away',
    'StreamIncomplete: order-1 was deleted in the event store: all events from 4 on are missing',
    'StreamIncomplete: order-1 was truncated in the event store: the events 0 to 2 are missing',
  ]);
});

test('a stream that was cut reads as one without events, and other errors pass', async () => {
  const failing = (error: Error) => ({
    read: async () => {
      throw error;
    },
  });
  const cut = new StreamIncomplete('order-1', 'deleted', 0);
  let cuts = 0;
  expect(await readUnlessCut(failing(cut), 'order-1', () => (cuts += 1))).toEqual({ events: [], head: NO_STREAM });
  expect(await readUnlessCut(failing(cut), 'order-1')).toEqual({ events: [], head: { revision: -1, hash: '' } });
  expect(cuts).toBe(1);
  await expect(readUnlessCut(failing(new Error('away')), 'order-1')).rejects.toThrow('away');
  expect(await readUnlessCut({ read: async () => ({ events: [], head: { revision: 2, hash: 'x' } }) }, 'order-1')).toEqual({
    events: [],
    head: { revision: 2, hash: 'x' },
  });
});
