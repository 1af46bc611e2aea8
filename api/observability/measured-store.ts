import { Counter, Histogram, type Registry } from 'prom-client';

import { WrongRevision, type EventStore } from '#domain/event-store.ts';

import type { StoredLog } from '../event-store/stored-event.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const APPENDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** For `onCommit` of the store on Postgres: how many appends share a commit. */
export const commitSizes = (registry: Registry): ((appends: number) => void) => {
  const sizes = new Histogram({
    name: 'ruhani_commit_appends',
    help: 'Appends in one commit of the log',
    buckets: APPENDS,
    registers: [registry],
  });
  return (appends) => sizes.observe(appends);
};

/** The same store, with appends counted by outcome, and the duration of successful ones measured. */
export const measuredStore = <Store extends EventStore & StoredLog>(store: Store, registry: Registry): Store => {
  const appends = new Counter({
    name: 'ruhani_appends_total',
    help: 'Appends by their outcome: written, conflict (the stream went on meanwhile), failed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'ruhani_append_seconds',
    help: 'Time until an append was written',
    buckets: SECONDS,
    registers: [registry],
  });
  for (const outcome of ['written', 'conflict', 'failed']) appends.inc({ outcome }, 0);
  const append: EventStore['append'] = async (...asked) => {
    const began = performance.now();
    try {
      const appended = await store.append(...asked);
      appends.inc({ outcome: 'written' });
      seconds.observe((performance.now() - began) / 1_000);
      return appended;
    } catch (error) {
      appends.inc({ outcome: error instanceof WrongRevision ? 'conflict' : 'failed' });
      throw error;
    }
  };
  return { ...store, append };
};
