import { expect, test, vi } from 'vitest';

import { logPosition, START, type Category, type Recorded, type StreamName } from '#domain/event-store.ts';

import { RecentEvents, type Appended } from './recent-events.ts';
import type { StoredEvent } from './stored-event.ts';

const ALL = ['product', 'cart', 'order'] as const satisfies readonly Category[];

const stored = (position: number, stream: StreamName = `order-${position}`, data = '{}'): StoredEvent => ({
  stream,
  revision: 0,
  eventId: String(position),
  type: 'Happened',
  data,
  metadata: '{}',
  position: logPosition(BigInt(position)),
});

const appended = (...events: readonly StoredEvent[]): readonly Appended[] => events.map((event) => ({ stored: event }));

const recentEvents = (followed: readonly Category[] = ALL) => {
  let time = 0;
  const open = vi.fn(async (events: readonly StoredEvent[]) => events as unknown as readonly Recorded[]);
  const given = (event: StoredEvent): Recorded => event as unknown as Recorded;
  const recent = new RecentEvents({ open, given }, () => time);
  const after = async (position: number, categories: readonly Category[] = ALL, limit = 100): Promise<number[] | undefined> =>
    (await recent.after(logPosition(BigInt(position)), limit, categories))?.map((event) => Number(event.position));
  void recent.after(START, 1, followed);
  return { recent, open, after, pass: (milliseconds: number) => (time += milliseconds) };
};

test('what was appended is there for whoever comes to it, by category', async () => {
  const { recent, after } = recentEvents();
  recent.add(appended(stored(7), stored(8, 'cart-1')));
  recent.add(appended(stored(9)));
  expect(await after(6)).toEqual([7, 8, 9]);
  expect(await after(8)).toEqual([9]);
  expect(await after(6, ['order'])).toEqual([7, 9]);
  expect(await after(6, ALL, 2)).toEqual([7, 8]);
});

test('who comes from before it, or is at its end, has to ask the log', async () => {
  const { recent, after } = recentEvents();
  expect(await after(0)).toBeUndefined();
  recent.add(appended(stored(7)));
  expect(await after(5)).toBeUndefined();
  expect(await after(7)).toBeUndefined();
  expect(await after(6, ['cart'])).toBeUndefined();
});

test('of what nobody follows nothing is kept, and who begins to follow it asks the log first', async () => {
  const { recent, open, after } = recentEvents(['order']);
  recent.add(appended(stored(7), stored(8, 'cart-1')));
  recent.add(appended(stored(9), stored(10, 'cart-1')));
  expect(await after(6, ['order'])).toEqual([7, 9]);
  expect(await after(8, ['order'])).toEqual([9]);
  expect(open.mock.calls.flatMap(([events]) => events.map(({ stream }) => stream))).toEqual(['order-7', 'order-9']);
  expect(await after(9, ['cart'])).toBeUndefined();
  expect(await after(8, ['order'])).toBeUndefined();
  recent.add(appended(stored(11), stored(12, 'cart-1')));
  expect(await after(10, ['cart'])).toEqual([12]);
  expect(await after(10, ['order', 'cart'])).toEqual([11, 12]);
});

test('a rush of what nobody follows does not push out what is followed', async () => {
  const { recent, after } = recentEvents(['order']);
  recent.add(appended(stored(1)));
  for (let position = 2; position <= 1_000; position++) recent.add(appended(stored(position, 'cart-1')));
  expect(await after(0, ['order'])).toEqual([1]);
  expect(await after(1, ['order'])).toBeUndefined();
});

test('commits of two connections may come in the other order', async () => {
  const { recent, after } = recentEvents();
  recent.add(appended(stored(1)));
  recent.add(appended(stored(3), stored(4)));
  expect(await after(0)).toEqual([1]);
  recent.add(appended(stored(2)));
  expect(await after(0)).toEqual([1, 2, 3, 4]);
});

test('behind a gap that stays it begins anew', async () => {
  const { recent, after } = recentEvents();
  recent.add(appended(stored(1)));
  recent.add(appended(stored(3)));
  recent.add(appended(stored(5)));
  expect(await after(0)).toBeUndefined();
  expect(await after(4)).toEqual([5]);
  recent.add(appended(stored(6)));
  expect(await after(4)).toEqual([5, 6]);
});

test('for a second after another process has appended the log is asked', async () => {
  const { recent, after, pass } = recentEvents();
  recent.add(appended(stored(1)));
  recent.othersAppended();
  recent.add(appended(stored(3)));
  expect(await after(0)).toBeUndefined();
  expect(await after(2)).toBeUndefined();
  pass(1_000);
  expect(await after(0)).toBeUndefined();
  expect(await after(2)).toEqual([3]);
});

test('an event is opened once for those who come about the same time, and anew for who comes later', async () => {
  const { recent, open, after, pass } = recentEvents();
  recent.add(appended(stored(1)));
  await after(0);
  recent.add(appended(stored(2)));
  await after(0);
  expect(open.mock.calls.map(([events]) => events.length)).toEqual([1, 1]);
  pass(251);
  await after(0);
  expect(open.mock.calls.map(([events]) => events.length)).toEqual([1, 1, 2]);
});

test('an event is handed on as it was given, until it may have been forgotten whom it is about', async () => {
  const { recent, open, after, pass } = recentEvents();
  recent.add([{ stored: stored(1), given: { type: 'Happened', data: {} }, givenAt: -100 }]);
  pass(150);
  expect(await after(0)).toEqual([1]);
  expect(open.mock.calls.map(([events]) => events.length)).toEqual([0]);
  pass(1);
  expect(await after(0)).toEqual([1]);
  expect(open.mock.calls.map(([events]) => events.length)).toEqual([0, 1]);
});

test('what was appended a while ago is asked of the log, which may have been put back since', async () => {
  const { recent, after, pass } = recentEvents();
  recent.add(appended(stored(8), stored(9)));
  pass(2_001);
  expect(await after(8)).toBeUndefined();
  recent.add(appended(stored(8)));
  expect(await after(7)).toEqual([8]);
  expect(await after(8)).toBeUndefined();
});

test('it is no longer than what is appended in a moment', async () => {
  const { recent, after } = recentEvents();
  for (let position = 1; position <= 700; position++) recent.add(appended(stored(position)));
  expect(await after(0)).toBeUndefined();
  expect(await after(200, ALL, 1_000)).toHaveLength(500);
  recent.add(appended(stored(701, 'order-1', ' '.repeat(499_990))));
  expect(await after(500)).toBeUndefined();
  expect(await after(700)).toEqual([701]);
});
