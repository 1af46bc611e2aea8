import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

import { statsIn } from '#projections/stats/queries.ts';

import { openLogger } from '../platform/logger.ts';
import { openShop } from './open-shop.ts';
import type { Shop, ShopConfig } from './types/shop.ts';
import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { checkBooks, type CheckLine } from '../audit/books/check-books.ts';
import { savedHeadsIn } from '../audit/saved-heads.ts';

/**
 * A program: checks the books of the shop that its parent names in its first message, sends the result line by line, and ends, with its
 * parent at the latest. It has a lower priority than the shop.
 */
const log = openLogger('warn');

/** Between two lines of progress, in ms. */
const TOLD_APART = 200;

/** Resolves once the line is sent: lines do not pile up in memory. */
const send = (line: CheckLine): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send || !process.connected) return reject(new Error('The parent is gone'));
    process.send(line, (error: Error | null) => (error ? reject(error) : resolve()));
  });

/** How long this process has waited for a processor, in ms; 0 where it is not known: everywhere but on Linux. */
const SCHEDULED = '/proc/self/schedstat';
const keptWaiting = (): number => (existsSync(SCHEDULED) ? Number(readFileSync(SCHEDULED, 'utf8').split(' ')[1]) / 1e6 : 0);

/** In ms. */
const LONGEST_REST = 500;

/**
 * Reads more slowly while the processors are busy, since Postgres reads a page with the priority of the shop's own queries: before each
 * page this process rests for as long as it has waited for a processor since the last one.
 */
const gently = (store: Shop['store']): Shop['store'] => {
  let waited = keptWaiting();
  const afterARest =
    <Asked extends readonly unknown[], Page>(read: (...asked: Asked) => Promise<Page>) =>
    async (...asked: Asked): Promise<Page> => {
      const rest = Math.min(keptWaiting() - waited, LONGEST_REST);
      if (rest >= 1) await pause(rest);
      waited = keptWaiting();
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

const check = async (where: ShopConfig, until: AbortSignal): Promise<void> => {
  const shop = await openShop(where, log);
  try {
    const { read, pool, now } = shop;
    const store = gently(shop.store);
    const savedHeads = savedHeadsIn(shopDatabase(pool), () => new Date(now()));
    let [of, told] = ['', 0];
    for await (const line of checkBooks({ store, read, now, stats: statsIn(read), savedHeads }, until)) {
      if (until.aborted) return;
      const isProgress = 'of' in line;
      if (isProgress && line.of === of && performance.now() - told < TOLD_APART) continue;
      [of, told] = [isProgress ? line.of : '', performance.now()];
      await send(line);
    }
  } finally {
    await shop.close();
  }
};

/** On Linux priorities are those of threads, and the garbage collection's, a third of the work, exist already. */
const THREADS = '/proc/self/task';
for (const thread of existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0])
  setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
const leaving = new AbortController();
process.once('disconnect', () => leaving.abort());
// A terminal sends Ctrl-C to both processes; the parent ends this one.
process.on('SIGINT', () => undefined);
process.once('message', (where) => {
  // The parent, of the same build, sends nothing else.
  check(where as ShopConfig, leaving.signal).then(
    () => process.exit(0),
    async (error: unknown) => {
      if (!leaving.signal.aborted) log.error({ err: error }, 'The books could not be checked');
      await log.end();
      process.exit(1);
    },
  );
});
