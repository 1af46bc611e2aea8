import { onTestFinished } from 'vitest';

import type { ReadDatabase } from '../database.ts';
import type { Log } from '../follower/lease.ts';
import type { Projector } from '../engine/define-projector.ts';
import type { ReadableLog } from '../follower/log-rewind.ts';
import { runProjector } from '../engine/worker.ts';
import { followProgress } from '../reading/progress.ts';
import { bottleShop } from './bottles.ts';
import { MemoryLog } from './memory-log.ts';
import { openTestDatabase } from './test-database.ts';

export class RecordedLog implements Log {
  readonly lines: string[] = [];
  info = (_: object, message: string): void => void this.lines.push(message);
  warn = this.info;
  error = this.info;
}

export type Running = {
  readonly log: RecordedLog;
  /** Settles when the worker ends. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export const startWorker = (projector: Projector, log: ReadableLog, database: Pick<ReadDatabase, 'storage'>): Running => {
  const until = new AbortController();
  const said = new RecordedLog();
  const ended = runProjector(projector, log, database, until.signal, said);
  const stop = () => {
    until.abort();
    return ended;
  };
  return { log: said, ended, stop };
};

/** Opens a new database and an empty log, for workers on the read model of bottles. All end with the test. */
export const openBottleShop = async () => {
  const database = await openTestDatabase();
  const progress = await followProgress(database, [bottleShop]);
  const log = new MemoryLog();
  const workers: Running[] = [];
  const start = (projector: Projector = bottleShop, on: Pick<ReadDatabase, 'storage'> = database): Running => {
    const worker = startWorker(projector, log, on);
    workers.push(worker);
    return worker;
  };
  onTestFinished(async () => {
    await Promise.allSettled(workers.map((worker) => worker.stop()));
    await progress.close();
    await database.close();
  });
  return { database, progress, log, start };
};

export type BottleShop = Awaited<ReturnType<typeof openBottleShop>>;
