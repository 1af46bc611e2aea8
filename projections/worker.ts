import type { Feed } from '#domain/event-store.ts';

import { applyPage, isBehind, type Applied } from './apply.ts';
import { claim, ensureCheckpoint, type Held } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { newHolder, whileHeld } from './lease.ts';
import type { Log } from './log.ts';
import { pause } from './pause.ts';
import type { Projector } from './projector.ts';
import { rebuild } from './rebuild.ts';
import { RecentRows } from './recent-rows.ts';
import { refuseRewound } from './rewound.ts';
import { slotOf, type Slot } from './slot.ts';
import { Turns, WHILE_HELD } from './turns.ts';

/** One process's part in keeping a read model up to date. */
class Worker {
  readonly #slot: Slot;
  readonly #holder = newHolder();
  readonly #turns: Turns;

  constructor(
    readonly projector: Projector,
    readonly feed: Feed,
    readonly database: ReadDatabase,
    readonly until: AbortSignal,
    readonly log: Log,
    readonly onBuilt: () => void,
  ) {
    this.#slot = slotOf(projector, 'live');
    this.#turns = new Turns({ model: projector.name, version: projector.version }, log, until);
  }

  run(): Promise<void> {
    return this.#turns.take(() => this.#takeTurn());
  }

  /** Holds the slot for as long as it can, or waits a while when another process holds it. */
  async #takeTurn(): Promise<void> {
    const { database, until } = this;
    await ensureCheckpoint(database.pool, this.#slot);
    const held = await claim(database.pool, this.#slot, this.#holder);
    if (!held) return pause(WHILE_HELD, until);
    await whileHeld(database, this.#slot, this.#holder, until, (signal) => (held.built ? this.#follow(held, signal) : this.#build(signal)));
  }

  async #build(until: AbortSignal): Promise<void> {
    this.log.info(this.#turns.about, 'Building the read model');
    const position = await rebuild(this.projector, this.feed, this.database, { until });
    this.log.info({ ...this.#turns.about, position: String(position) }, 'The read model is built');
    this.onBuilt();
  }

  async #follow(begin: Held, signal: AbortSignal): Promise<void> {
    const { projector, feed, database } = this;
    await refuseRewound(feed, projector, begin);
    const client = await database.pool.connect();
    let failed = true;
    try {
      let held = begin;
      const recent = new RecentRows();
      for await (const page of feed.follow(held.position, projector.categories, signal)) {
        const applied = await applyPage(client, this.#slot, held, page, recent);
        held = applied.held;
        this.#turns.wentOn();
        this.#tell(applied);
        if (signal.aborted) break;
      }
      failed = false;
    } finally {
      client.release(failed);
    }
  }

  #tell({ parkings, unknown }: Applied): void {
    for (const parking of parkings) {
      if (isBehind(parking)) continue;
      const { error, event } = parking;
      const { stream, position, type } = event;
      this.log.error({ ...this.#turns.about, stream, position: String(position), type, error }, 'Parked an event');
    }
    if (unknown > 0) this.log.warn({ ...this.#turns.about, unknown }, 'Passed by events of types that this release does not know');
  }
}

/**
 * Keeps a read model up to date until the signal is aborted: builds it when this version of it is not there yet, follows the log,
 * and gets over outages of log and database. Any number of processes may run the same projector: one works, the others stand by,
 * and whatever happens to their clocks and connections every event is applied once. Throws `LogRewound` when the log no longer
 * holds the event that the read model stands at. `onBuilt` hears of each time that this process has built it.
 */
export const runProjector = (
  projector: Projector,
  feed: Feed,
  database: ReadDatabase,
  until: AbortSignal,
  log: Log,
  onBuilt: () => void = () => {},
): Promise<void> => new Worker(projector, feed, database, until, log, onBuilt).run();
