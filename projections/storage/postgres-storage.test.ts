import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { logPosition, START, type Recorded, type StreamName } from '#domain/event-store.ts';

import { RefusedValues, Superseded } from '../follower/failures.ts';
import type { Clock } from '../follower/clock.ts';
import { defineProjector, rowsTable, sumsTable } from '../engine/define-projector.ts';
import { asCheckpointEvent } from '../follower/log-rewind.ts';
import { createTableSet, type TableSet } from '../engine/table-set.ts';
import { type AnyRow, type RowChanges, type Commit, type CheckpointState, type ReadModelStorage } from '../engine/read-model-storage.ts';
import { LEASE_MS } from '../follower/lease.ts';
import { bottle, filled } from '../testing/bottles.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { MemoryStorage } from '../testing/memory-storage.ts';

type Note = { readonly id: string; readonly text: string | null; readonly says: string | null };
type Count = { readonly day: string; readonly notes: number };

const notes = defineProjector<never>()({
  name: 'notes',
  version: 1,
  categories: ['product'],
  tables: {
    notes: rowsTable<Note>({ key: 'id', columns: { id: 'text', text: 'text', says: 'json' } }),
    parcels: rowsTable<Omit<Note, 'says'>>({ key: 'id', columns: { id: 'uuid', text: 'text' } }),
    counts: sumsTable<Count, 'day'>({ key: 'day', columns: { day: 'day', notes: 'integer' } }),
  },
  on: {},
});
const live = createTableSet(notes, 'live');
const next = createTableSet(notes, 'next');

type Kept = {
  readonly storage: ReadModelStorage;
  readonly wait: () => Promise<unknown>;
  readonly queue: (tableSet: TableSet, ...streams: readonly StreamName[]) => Promise<unknown>;
  close(): Promise<void>;
};

const inMemory = async (): Promise<Kept> => {
  let now = 0;
  const clock: Clock = { now: () => now, sleep: async () => {} };
  const storage = new MemoryStorage(clock);
  return {
    storage,
    wait: async () => (now += LEASE_MS + 1),
    queue: async (tableSet, ...streams) => streams.forEach((stream) => storage.stored(tableSet)?.queue.add(stream)),
    close: async () => {},
  };
};

const inPostgres = async (): Promise<Kept> => {
  const database = await openTestDatabase();
  const { storage, pool } = database;
  return {
    storage,
    wait: () => pool.query(`update read.checkpoints set held_until = clock_timestamp() - interval '1 ms'`),
    queue: ({ name }, ...streams) =>
      pool.query(`insert into read.reprojections select 'notes', 1, $1, unnest($2::text[])`, [name, streams]),
    close: () => database.close(),
  };
};

const note = (id: string, says: unknown = id): Note => ({
  id,
  text: 'a "quoted" \\ text',
  says: says === null ? null : JSON.stringify(says),
});
const put = (...rows: readonly AnyRow[]): RowChanges => ({ upserts: rows, deletes: [] });
const commitOf = (changes: Readonly<Record<string, RowChanges>>, more: Partial<Commit> = {}): Commit => ({
  changes: new Map(Object.entries(changes)),
  parked: [],
  unknown: 0,
  ...more,
});

const log = new MemoryLog();
for (let index = 0; index < 3; index++) log.append(bottle('oud'), filled('Oud'));
const events: readonly Recorded[] = await log.page(START, 10, ['product']);
const eventAt = (index: number): Recorded => {
  const event = events[index];
  if (!event) throw new Error('There are three events');
  return event;
};
const place = (index: number) => asCheckpointEvent(eventAt(index));

describe.each([
  ['memory', inMemory],
  ['Postgres', inPostgres],
])('read models stored in %s', (_, open) => {
  let kept: Kept;
  let storage: ReadModelStorage;
  beforeEach(async () => {
    kept = await open();
    ({ storage } = kept);
  });
  afterEach(() => kept.close());

  const claimed = async (tableSet = live, holder = 'one'): Promise<CheckpointState> => {
    const state = await storage.claim(tableSet, holder);
    if (!state) throw new Error('Somebody else holds it');
    return state;
  };
  const built = async (): Promise<CheckpointState> => {
    const empty = await storage.empty(next, await claimed(next, 'builder'));
    await storage.index(next, empty);
    await storage.replaceLive(next, async () => empty);
    return claimed();
  };
  const loaded = async (table: string, ...keys: readonly string[]) => (await storage.load(live, new Map([[table, keys]]))).get(table);

  test('give a lease to one holder, until it is released or expires', async () => {
    expect(await claimed()).toMatchObject({ position: START, epoch: 0, holder: 'one', built: false, queuedStream: undefined });
    expect(await storage.claim(live, 'other')).toBeUndefined();
    await storage.release(live, 'other');
    expect(await storage.claim(live, 'other')).toBeUndefined();
    await storage.release(live, 'one');
    expect(await storage.claim(live, 'other')).toMatchObject({ holder: 'other' });
    await kept.wait();
    expect(await storage.claim(live, 'one')).toMatchObject({ holder: 'one' });
    await expect(storage.renew(live, 'other')).rejects.toThrow(Superseded);
    expect(await storage.renew(live, 'one')).toBe(0);
  });

  test('write rows, sums, parked events and the checkpoint together', async () => {
    const state = await built();
    const first = commitOf(
      { notes: put(note('a'), note('b')), counts: put({ day: '2026-11-14', notes: 2 }) },
      { to: place(0), unknown: 1 },
    );
    const after = await storage.commit(live, state, first);
    expect(after).toMatchObject({ ...place(0), holder: 'one', built: true });
    const parked = [{ event: eventAt(1), error: 'Torn' }];
    const changes = { notes: { upserts: [note('a', 'again')], deletes: ['b'] }, counts: put({ day: '2026-11-14', notes: -3 }) };
    const last = await storage.commit(live, after, commitOf(changes, { to: place(1), parked }));
    expect([...last.blockedStreams]).toEqual([bottle('oud')]);
    expect(await loaded('notes', 'a', 'b')).toEqual([note('a', 'again')]);
    expect(await loaded('counts', '2026-11-14')).toEqual([{ day: '2026-11-14', notes: -1 }]);
    expect(await claimed()).toEqual(last);
  });

  test.each<[string, (state: CheckpointState) => CheckpointState]>([
    ['position', (state) => ({ ...state, position: logPosition(7n) })],
    ['event', (state) => ({ ...state, eventId: 'another' })],
    ['epoch', (state) => ({ ...state, epoch: state.epoch + 1 })],
    ['holder', (state) => ({ ...state, holder: 'other' })],
  ])('write nothing with an outdated %s', async (_, believed) => {
    const state = await built();
    const commit = commitOf({ notes: put(note('a')) }, { to: place(0), parked: [{ event: eventAt(0), error: 'Torn' }] });
    await expect(storage.commit(live, believed(state), commit)).rejects.toThrow(Superseded);
    expect(await loaded('notes', 'a')).toEqual([]);
    expect(await claimed()).toEqual(state);
  });

  test('write nothing if a getter of a row throws', async () => {
    const state = await built();
    const mute = {
      id: 'b',
      get text(): string {
        throw new Error('No word');
      },
      says: null,
    };
    const commit = commitOf({ counts: put({ day: '2026-11-14', notes: 1 }), notes: put(note('a'), mute) }, { to: place(0) });
    await expect(storage.commit(live, state, commit)).rejects.toThrow(RefusedValues);
    expect(await loaded('notes', 'a')).toEqual([]);
    expect(await loaded('counts', '2026-11-14')).toEqual([]);
    expect(await claimed()).toEqual(state);
  });

  const HARD = ['"', '\\', 'null', '\n', '₹ “dark”', '', { nested: ['a,b', '{}', null] }, 0];
  test.each<[string, readonly Note[]]>([
    ['texts that arrays or lists of texts would have to quote', HARD.map((says, index) => note(String(index), says))],
    ['one alone that is not there', [note('1', null)]],
    ['some that are not there', [note('1', null), note('2', 'there'), note('3', null)]],
  ])('store JSON unchanged: %s', async (_, rows) => {
    await storage.commit(live, await built(), commitOf({ notes: put(...rows) }, { to: place(0) }));
    const there = await loaded('notes', ...rows.map(({ id }) => id));
    expect(there?.toSorted((one, other) => Number(one['id']) - Number(other['id']))).toEqual(rows);
  });

  test('write, read and delete rows by a UUID as key', async () => {
    const [one, other] = ['0b0e92f4-1c55-8d1a-8e77-2f9a5b3c6d10', 'ffffffff-ffff-8fff-bfff-ffffffffffff'];
    const [sent, lost] = [
      { id: one, text: 'sent' },
      { id: other, text: null },
    ];
    const state = await storage.commit(live, await built(), commitOf({ parcels: put(sent, lost) }, { to: place(0) }));
    expect(await loaded('parcels', one)).toEqual([sent]);
    await storage.commit(live, state, commitOf({ parcels: { upserts: [], deletes: [one] } }, { to: place(1) }));
    expect(await loaded('parcels', one, other)).toEqual([lost]);
  });

  test('make the holder start again after another process wrote under the lock', async () => {
    const state = await built();
    const parked = [{ event: eventAt(0), error: 'Torn' }];
    const before = await storage.commit(live, state, commitOf({}, { to: place(0), parked }));
    await storage.locked(live, async (now, locked) => {
      expect(now).toEqual(before);
      await locked.commit(live, now, commitOf({ notes: put(note('a')) }, { unparked: eventAt(0).position }));
    });
    await expect(storage.commit(live, before, commitOf({}, { to: place(1) }))).rejects.toThrow(Superseded);
    expect(await claimed()).toEqual({ ...before, epoch: before.epoch + 1, blockedStreams: new Set() });
    expect(await loaded('notes', 'a')).toHaveLength(1);
  });

  test('do not apply an event again that is no longer parked', async () => {
    const parked = [{ event: eventAt(0), error: 'Torn' }];
    await storage.commit(live, await built(), commitOf({}, { to: place(0), parked }));
    const apply = () =>
      storage.locked(live, (now, locked) => {
        const changes = { counts: put({ day: '2026-11-14', notes: 1 }) };
        return locked.commit(live, now, commitOf(changes, { unparked: eventAt(0).position }));
      });
    await apply();
    await expect(apply()).rejects.toThrow(Superseded);
    expect(await loaded('counts', '2026-11-14')).toEqual([{ day: '2026-11-14', notes: 1 }]);
  });

  test('keep queued streams until they are reprojected', async () => {
    const state = await built();
    await kept.queue(live, 'product-oud', 'product-lake');
    for (const stream of ['product-lake', 'product-oud'] as const) {
      expect((await claimed()).queuedStream).toBe(stream);
      await storage.locked(live, (now, locked) => locked.commit(live, now, commitOf({}, { reprojected: stream })));
    }
    expect(await claimed()).toEqual({ ...state, epoch: state.epoch + 2 });
  });

  test('keep only those events of a reprojected stream parked that failed again', async () => {
    const parked = [0, 1].map((index) => ({ event: eventAt(index), error: 'Torn' }));
    await storage.commit(live, await built(), commitOf({}, { to: place(1), parked }));
    await storage.locked(live, (now, locked) =>
      locked.commit(live, now, commitOf({}, { reprojected: 'product-oud', parked: parked.slice(1) })),
    );
    expect((await claimed()).blockedStreams).toEqual(new Set(['product-oud']));
    await storage.locked(live, (now, locked) => locked.commit(live, now, commitOf({}, { reprojected: 'product-oud' })));
    expect((await claimed()).blockedStreams).toEqual(new Set());
  });

  test('replace the live tables and their checkpoint after a build', async () => {
    const state = await built();
    await storage.commit(live, state, commitOf({ notes: put(note('old')) }, { to: place(2) }));
    const empty = await storage.empty(next, await claimed(next, 'builder'));
    const full = await storage.commit(next, empty, commitOf({ notes: put(note('new')) }, { to: place(1) }));
    await expect(storage.replaceLive(next, async () => empty)).rejects.toThrow(Superseded);
    await kept.queue(live, 'product-lake');
    await storage.replaceLive(next, async (position) => {
      await kept.queue(next, 'product-oud');
      expect(position).toBe(place(2).position);
      return storage.commit(next, full, commitOf({}, { to: place(2) }));
    });
    expect(await claimed()).toEqual({ ...state, ...place(2), epoch: state.epoch + 1, queuedStream: 'product-oud' });
    expect(await loaded('notes', 'old', 'new')).toEqual([note('new')]);
    await expect(storage.renew(next, 'builder')).rejects.toThrow(Superseded);
  });
});
