import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { START, type Recorded, type StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import { Applier } from '../engine/applier.ts';
import type { Projector } from '../engine/define-projector.ts';
import { rebuild } from '../engine/rebuild.ts';
import { createTableSet } from '../engine/table-set.ts';
import type { AnyRow } from '../engine/read-model-storage.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';
import { MemoryLog } from './memory-log.ts';
import { allRows } from './read-rows.ts';

/** Each entry is a stream and its next events, in the order of the log. */
export type Happenings = readonly (readonly [StreamName, ...DomainEvent[]])[];

const signal = new AbortController().signal;

const createLog = (happenings: Happenings): MemoryLog => {
  const log = new MemoryLog();
  log.pageSize = Infinity;
  for (const [stream, ...events] of happenings) log.append(stream, ...events);
  return log;
};

/** Builds a read model on an empty log, then applies these pages; returns its rows. */
const rowsAfter = async (database: TestDatabase, projector: Projector, pages: readonly (readonly Recorded[])[]) => {
  await rebuild(projector, new MemoryLog(), database, { signal });
  const live = createTableSet(projector, 'live');
  const state = await database.storage.claim(live, 'test');
  if (!state) throw new Error('A new database is held by somebody');
  const applier = new Applier(database.storage, live, state);
  for (const page of pages) {
    const { parked } = await applier.apply(page);
    expect(parked.map(({ event, error }) => `${event.type} at ${event.position}: ${error}`)).toEqual([]);
  }
  return allRows(database, projector);
};

/**
 * Tests that a projector gives the same rows however its events are delivered: one by one, in batches, twice, or in a rebuild. `happenings`
 * should contain every event type of the projector; `expected`, if given, is compared.
 */
export const describeProjector = (
  projector: Projector,
  happenings: Happenings,
  expected?: Readonly<Record<string, readonly AnyRow[]>>,
): void => {
  describe(`${projector.name} gives the same rows`, () => {
    let log: MemoryLog;
    let database: TestDatabase;
    beforeEach(() => {
      log = createLog(happenings);
    });
    afterEach(() => database.close());

    const after = async (arrange: (events: readonly Recorded[]) => readonly (readonly Recorded[])[]) => {
      database = await openTestDatabase();
      return rowsAfter(database, projector, arrange(await log.page(START, Infinity, projector.categories)));
    };
    const rebuilt = async (batch?: number) => {
      database = await openTestDatabase();
      await rebuild(projector, log, database, { signal, ...(batch === undefined ? {} : { batch }) });
      return allRows(database, projector);
    };
    const oneByOne = async () => {
      const rows = await after((events) => events.map((event) => [event]));
      await database.close();
      return rows;
    };

    test('for events delivered one by one', async () => {
      const rows = await after((events) => events.map((event) => [event]));
      if (expected) expect(rows).toEqual(expected);
      else expect(Object.values(rows).flat()).not.toEqual([]);
    });

    test('for events delivered in one batch', async () => {
      const single = await oneByOne();
      expect(await after((events) => [events])).toEqual(single);
    });

    test('for events that are delivered twice', async () => {
      const single = await oneByOne();
      const halves = (events: readonly Recorded[]) => {
        const half = Math.ceil(events.length / 2);
        return [events.slice(0, half), events.slice(0, half), events, events];
      };
      expect(await after(halves)).toEqual(single);
    });

    test('for a rebuild that folds them in memory', async () => {
      const single = await oneByOne();
      expect(await rebuilt()).toEqual(single);
    });

    test('for a rebuild that commits each event', async () => {
      const single = await oneByOne();
      log.pageSize = 1;
      expect(await rebuilt(1)).toEqual(single);
    });
  });
};
