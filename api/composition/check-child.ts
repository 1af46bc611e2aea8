import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

import { statsQueries } from '#projections/stats/queries.ts';

import { openLogger } from '../platform/logger.ts';
import { openShop } from './open-shop.ts';
import type { Shop } from '../shop.ts';
import { checkBooks, type CheckLine } from '../audit/books/check-books.ts';
import type { ChildTask } from '../audit/books/check-in-child.ts';
import { createSavedHeads } from '../audit/saved-heads.ts';
import { whatIfLines, type WhatIfLine } from '../audit/what-if/what-if-lines.ts';

/**
 * This program checks the books of the shop that its parent names in its first message, or recalculates its orders under other rules. It
 * sends the result line by line, and ends with its parent at the latest. It has a lower priority than the shop.
 */
const log = openLogger('warn');

/** Two lines of progress are this many ms apart. */
const REPORT_INTERVAL_MS = 200;

type Line = CheckLine | WhatIfLine;

/** Resolves once the parent asks for the next line, or has left. */
const send = (line: Line): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send || !process.connected) return reject(new Error('The parent is gone'));
    const go = (): void => {
      process.off('message', go).off('disconnect', go);
      resolve();
    };
    if (!('done' in line)) process.on('message', go).on('disconnect', go);
    process.send(line, (error: Error | null) => (error ? reject(error) : 'done' in line && resolve()));
  });

/** Returns how many ms this process has waited for a processor; 0 where that is not known, which is everywhere except on Linux. */
const SCHEDULED = '/proc/self/schedstat';
const readSchedulerWait = (): number => (existsSync(SCHEDULED) ? Number(readFileSync(SCHEDULED, 'utf8').split(' ')[1]) / 1e6 : 0);

const LONGEST_REST_MS = 500;

/**
 * Reads more slowly while the processors are busy, since Postgres reads a page with the priority of the shop's own queries: before each
 * page this process pauses for as long as it has waited for a processor since the last one.
 */
const throttled = (store: Shop['store']): Shop['store'] => {
  let waited = readSchedulerWait();
  const afterARest =
    <Asked extends readonly unknown[], Page>(read: (...asked: Asked) => Promise<Page>) =>
    async (...asked: Asked): Promise<Page> => {
      const rest = Math.min(readSchedulerWait() - waited, LONGEST_REST_MS);
      if (rest >= 1) await pause(rest);
      waited = readSchedulerWait();
      return read(...asked);
    };
  const { storedStreams } = store;
  return {
    ...store,
    page: afterARest(store.page),
    storedPage: afterARest(store.storedPage),
    ...(storedStreams && { storedStreams: afterARest(storedStreams) }),
  };
};

const createLines = ({ store: whole, read, db, now }: Shop, { rules }: ChildTask, signal: AbortSignal): AsyncIterable<Line> => {
  const store = throttled(whole);
  if (rules) return whatIfLines(store, rules);
  const savedHeads = createSavedHeads(db, () => new Date(now()));
  return checkBooks({ store, read, now, stats: statsQueries(read), savedHeads }, signal);
};

const work = async (task: ChildTask, signal: AbortSignal): Promise<void> => {
  const shop = await openShop(task.where, log);
  try {
    let [of, told] = ['', 0];
    for await (const line of createLines(shop, task, signal)) {
      if (signal.aborted) return;
      const isProgress = 'of' in line;
      if (isProgress && line.of === of && performance.now() - told < REPORT_INTERVAL_MS) continue;
      [of, told] = [isProgress ? line.of : '', performance.now()];
      await send(line);
    }
  } finally {
    await shop.close();
  }
};

/** On Linux each thread has a priority, and the threads of the garbage collector, a third of the work, exist already. */
const THREADS = '/proc/self/task';
for (const thread of existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0])
  setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
const leaving = new AbortController();
process.once('disconnect', () => leaving.abort());
// A terminal sends Ctrl-C to both processes; the parent ends this one.
process.on('SIGINT', () => undefined);
process.once('message', (task) => {
  // The cast is safe: the parent belongs to the same build.
  work(task as ChildTask, leaving.signal).then(
    () => process.exit(0),
    async (error: unknown) => {
      if (!leaving.signal.aborted) log.error({ err: error }, 'The audit could not be finished');
      await log.end();
      process.exit(1);
    },
  );
});
