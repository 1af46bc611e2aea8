import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Category, StreamHistory, LogPosition, Recorded, StreamHead, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import { followProgress, type Progress } from '../reading/progress.ts';
import { defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';
import { rebuild } from '../engine/rebuild.ts';
import { sleep } from '../follower/clock.ts';
import { type ReadModelStorage } from '../engine/read-model-storage.ts';
import { LEASE_MS } from '../follower/lease.ts';
import { reproject } from './reprojection-queue.ts';
import { createTableSet } from '../engine/table-set.ts';
import { bottleShop, bottle, filled, labelled, sold, type BottleEvent } from '../testing/bottles.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { allRows } from '../testing/read-rows.ts';
import { startWorker, type Running } from '../testing/run-worker.ts';
import { isBuilt } from './status.ts';
import { verify } from './verify.ts';

type LabelRow = { readonly bottle_id: string; readonly label: string };

/** Projects the labels of the bottles; the label `torn` makes the handler throw. */
const labelsOf = <const Version extends number>(version: Version) =>
  defineProjector<BottleEvent>()({
    name: 'labels',
    version,
    categories: ['product'],
    tables: { labels: rowsTable<LabelRow>({ key: 'bottle_id', columns: { bottle_id: 'text', label: 'text' } }) },
    on: {
      BottleFilled: ({ labels }, { stream }) => labels.set({ bottle_id: streamId(stream), label: '' }),
      BottleLabelled: ({ labels }, { stream, data: { label } }) => {
        if (label === 'torn') throw new Error('It is torn');
        labels.set({ bottle_id: streamId(stream), label });
      },
      BottleSold: ({ labels }, { stream }) => {
        if (!labels.get(streamId(stream))) throw new Error('There is no bottle to sell');
      },
      BottleBroken: ({ labels }, { stream }) => labels.delete(streamId(stream)),
    },
  });
const labels = labelsOf(2);

/** Makes a log in which the labels of some streams read `erased` from some time on. */
class ErasableLog extends MemoryLog {
  readonly erased = new Set<StreamName>();
  afterPage: () => Promise<void> = async () => {};
  beforeRead: () => Promise<void> = async () => {};

  #asItReads = (event: Recorded): Recorded =>
    this.erased.has(event.stream) && event.type === 'BottleLabelled' ? { ...event, data: { label: 'erased' } } : event;

  override async page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]> {
    const page = (await super.page(after, limit, categories)).map(this.#asItReads);
    await this.afterPage();
    return page;
  }

  override async read<Event extends DomainEvent>(stream: StreamName, after?: StreamHead): Promise<StreamHistory<Event>> {
    await this.beforeRead();
    const { events, head } = await super.read<Event>(stream, after);
    return { events: (events as readonly Recorded[]).map(this.#asItReads) as never, head };
  }
}

const signal = new AbortController().signal;
const [oud, lake, attar] = [bottle('oud'), bottle('lake'), bottle('attar')];

let database: TestDatabase;
let progress: Progress;
let log: ErasableLog;
let worker: Running;

beforeEach(async () => {
  database = await openTestDatabase();
  progress = await followProgress(database, [labels]);
  log = new ErasableLog();
  for (const each of [oud, lake, attar]) log.append(each, filled('A scent'), labelled(`For Meera, ${each}`));
  worker = startWorker(labels, log, database);
  await progress.waitFor('labels', log.last, 60_000);
});
afterEach(async () => {
  await worker.stop();
  await progress.close();
  await database.close();
});

const rows = async () =>
  Object.fromEntries(((await allRows(database, labels))['labels'] ?? []).map((row) => [row['bottle_id'], row['label']]));
const differences = async () => (await verify(labels, log, database, { signal })).differences;

describe('reprojecting streams', () => {
  test('gives the same rows as a rebuild, and leaves all others unchanged', async () => {
    log.erased.add(oud).add(lake);
    expect(await differences()).toHaveLength(2);
    await reproject(labels, [oud, lake, bottle('that never was')], log, database);
    expect(await rows()).toEqual({ oud: 'erased', lake: 'erased', attar: 'For Meera, product-attar' });
    expect(await differences()).toEqual([]);
  });

  test('lets the worker continue from its position with the new rows', async () => {
    log.erased.add(oud);
    await reproject(labels, [oud], log, database);
    log.append(oud, labelled('For Meera again'));
    log.append(attar, labelled('Attar'));
    expect(await progress.waitFor('labels', log.last, 60_000)).toBe('fresh');
    expect(await rows()).toMatchObject({ oud: 'erased', attar: 'Attar' });
    expect(await differences()).toEqual([]);
  });

  test('retries parked events of the streams, and keeps no old error message', async () => {
    for (const each of [oud, lake]) log.append(each, labelled('torn'));
    expect(await progress.waitFor('labels', log.last, 60_000)).toBe('parked');
    log.erased.add(oud);
    await reproject(labels, [oud], log, database);
    expect(await rows()).toMatchObject({ oud: 'erased' });
    expect((await database.pool.query('select stream from read.parked')).rows).toEqual([{ stream: lake }]);
  });

  test('deletes the rows of another release immediately, and leaves those of other streams', async () => {
    const older = labelsOf(1);
    await rebuild(older, log, database, { signal });
    log.erased.add(oud);
    await reproject(labels, [oud], log, database);
    expect((await allRows(database, older))['labels']).toMatchObject([{ bottle_id: 'attar' }, { bottle_id: 'lake' }]);
    expect(await isBuilt(older, database)).toBe(true);
  });

  test('lets another release reproject them when its worker starts, or is idle', async () => {
    const older = labelsOf(1);
    await rebuild(older, log, database, { signal });
    const labelOf = async (id: string) => (await allRows(database, older))['labels']?.find((row) => row['bottle_id'] === id)?.['label'];
    log.erased.add(oud);
    await reproject(labels, [oud], log, database);
    const again = startWorker(older, log, database);
    await expect.poll(() => labelOf('oud')).toBe('erased');
    log.erased.add(lake);
    await reproject(labels, [lake], log, database);
    await expect.poll(() => labelOf('lake')).toBe('erased');
    log.append(lake, labelled('For Ravi'));
    await expect.poll(() => labelOf('lake')).toBe('erased');
    expect((await database.pool.query('select * from read.parked')).rows).toEqual([]);
    await again.stop();
  });

  test('is noticed by a process that waits for the checkpoint while streams are queued', async () => {
    const older = labelsOf(1);
    await rebuild(older, log, database, { signal });
    const client = await database.pool.connect();
    await client.query('begin');
    const { rows: queued } = await client.query<{ epoch: number }>(
      "update read.checkpoints set epoch = epoch + 1 where (model, version, slot) = ('labels', 1, 'live') returning epoch",
    );
    await client.query("insert into read.reprojections values ('labels', 1, 'live', $1)", [oud]);
    const waiting = database.storage.locked(createTableSet(older, 'live'), async (state) => state);
    await expect.poll(async () => (await database.pool.query('select from pg_locks where not granted')).rowCount).toBeGreaterThan(0);
    await client.query('commit');
    client.release();
    expect(await waiting).toMatchObject({ epoch: queued[0]?.epoch, queuedStream: oud });
  });

  test('does nothing for a read model that is not built, and refuses one with sums', async () => {
    await reproject(labelsOf(3), [oud], log, database);
    await expect(reproject(bottleShop, [oud], log, database)).rejects.toThrow(/sums/);
  });
});

describe('an erasure during a build', () => {
  /** Erases a bottle after the build has read this many pages. */
  const eraseAfter = (pages: number): void => {
    let read = 0;
    log.pageSize = 1;
    log.afterPage = async () => {
      if (++read !== pages) return;
      log.erased.add(oud);
      await reproject(labels, [oud], log, database);
    };
  };

  test.each([3, 4, 6])('is handled by a rebuild that has read %s pages, and parks no event whose row is missing', async (pages) => {
    await worker.stop();
    log.append(oud, sold(100));
    eraseAfter(pages);
    await rebuild(labels, log, database, { signal, batch: 2 });
    expect(await rows()).toEqual({ oud: 'erased', lake: 'For Meera, product-lake', attar: 'For Meera, product-attar' });
    expect(await differences()).toEqual([]);
    expect((await database.pool.query('select * from read.parked')).rows).toEqual([]);
  });

  test.each([3, 4, 6])('is handled by a verify that has read %s pages', async (pages) => {
    await worker.stop();
    eraseAfter(pages);
    const { differences: found } = await verify(labels, log, database, { signal, batch: 2 });
    expect(log.erased).toContain(oud);
    expect(found).toEqual([]);
  });

  test('is handled by the first build of a version, while another version serves', async () => {
    await worker.stop();
    const next = labelsOf(3);
    eraseAfter(4);
    await rebuild(next, log, database, { signal, batch: 2 });
    expect((await allRows(database, next))['labels']).toContainEqual({ bottle_id: 'oud', label: 'erased' });
    expect(await rows()).toMatchObject({ oud: 'erased' });
  });

  test('is handled by the first build of this version, even when the process restarts during it', async () => {
    await worker.stop();
    const next = labelsOf(3);
    const seen = await followProgress(database, [next]);
    const builtAt: boolean[] = [];
    seen.onAdvance('labels', () => builtAt.push(seen.isBuilt('labels')));
    log.pageSize = 1;
    const erased = new Promise<void>((resolve, reject) => {
      log.afterPage = async () => {
        log.afterPage = () => sleep(LEASE_MS);
        log.erased.add(oud);
        await reproject(next, [oud], log, database).then(resolve, reject);
      };
    });
    const first = startWorker(next, log, database);
    await erased;
    await first.stop();
    expect(builtAt).not.toContain(true);
    log.afterPage = async () => {};
    const again = startWorker(next, log, database);
    expect(await seen.waitFor('labels', log.last, 60_000)).toBe('fresh');
    expect((await allRows(database, next))['labels']).toContainEqual({ bottle_id: 'oud', label: 'erased' });
    await again.stop();
    await seen.close();
  });

  const LOCK_NOT_AVAILABLE = '55P03';
  const isLiveLocked = (): Promise<boolean> =>
    database.pool.query("select from read.checkpoints where model = 'labels' and slot = 'live' for update nowait").then(
      () => false,
      ({ code }: { code?: string }) => code === LOCK_NOT_AVAILABLE,
    );

  /** Erases all bottles once the build has locked the live tables. Reading them again takes longer than the lock may be held. */
  const eraseWhileLocked = async () => {
    await worker.stop();
    const { storage } = database;
    let erasing: Promise<void> | undefined;
    const claim: ReadModelStorage['claim'] = async (tableSet, holder) => {
      if (!erasing && (await isLiveLocked())) {
        let slow = 3;
        log.beforeRead = () => sleep(slow-- > 0 ? LEASE_MS * 0.4 : 0);
        for (const each of [oud, lake, attar]) log.erased.add(each);
        erasing = reproject(labels, [oud, lake, attar], log, database);
        while ((await database.pool.query("select from read.reprojections where slot = 'next'")).rowCount === 0);
      }
      return storage.claim(tableSet, holder);
    };
    const get = (_: unknown, name: keyof ReadModelStorage) => (name === 'claim' ? claim : storage[name].bind(storage));
    return {
      database: { ...database, storage: new Proxy<ReadModelStorage>(storage, { get }) },
      erased: () => erasing ?? expect.fail('was never locked'),
    };
  };

  test('does not end a rebuild that is replacing the live tables', async () => {
    const { database: watched, erased } = await eraseWhileLocked();
    await rebuild(labels, log, watched, { signal });
    await erased();
    expect(await rows()).toEqual({ oud: 'erased', lake: 'erased', attar: 'erased' });
    expect(await differences()).toEqual([]);
  });

  test('does not end a verify that is about to compare', async () => {
    const { database: watched, erased } = await eraseWhileLocked();
    expect((await verify(labels, log, watched, { signal })).differences).toEqual([]);
    await erased();
  });
});
