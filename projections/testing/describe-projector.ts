import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

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
    let events: readonly Recorded[];
    let database: TestDatabase;
    let oneByOne: Record<string, readonly AnyRow[]>;

    const after = (pages: readonly (readonly Recorded[])[]) => rowsAfter(database, projector, pages);
    const rebuilt = async (batch?: number) => {
      await rebuild(projector, log, database, { signal, ...(batch === undefined ? {} : { batch }) });
      return allRows(database, projector);
    };

    beforeAll(async () => {
      events = await createLog(happenings).page(START, Infinity, projector.categories);
      database = await openTestDatabase();
      oneByOne = await after(events.map((event) => [event]));
      await database.close();
    });
    beforeEach(async () => {
      log = createLog(happenings);
      database = await openTestDatabase();
    });
    afterEach(() => database.close());

    test('for events delivered one by one', () => {
      if (expected) expect(oneByOne).toEqual(expected);
      else expect(Object.values(oneByOne).flat()).not.toEqual([]);
    });

    test('for events delivered in one batch', async () => expect(await after([events])).toEqual(oneByOne));

    test('for events that are delivered twice', async () => {
      const half = Math.ceil(events.length / 2);
      expect(await after([events.slice(0, half), events.slice(0, half), events, events])).toEqual(oneByOne);
    });

    test('for a rebuild that folds them in memory', async () => expect(await rebuilt()).toEqual(oneByOne));

    test('for a rebuild that commits each event', async () => {
      log.pageSize = 1;
      expect(await rebuilt(1)).toEqual(oneByOne);
    });
  });
};
