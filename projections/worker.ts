import type { Feed } from '#domain/event-store.ts';

import { applyPage, isBehind, type Applied } from './apply.ts';
import { claim, ensureCheckpoint, LEASE, type Held } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { BuildUnderWay, LogRewound, messageOf, Superseded } from './failures.ts';
import { newHolder, pause, whileHeld } from './lease.ts';
import type { Log } from './log.ts';
import type { Projector } from './projector.ts';
import { rebuild } from './rebuild.ts';
import { RecentRows } from './recent-rows.ts';
import { refuseRewound } from './rewound.ts';
import { slotOf, type Slot } from './slot.ts';

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** One process's part in keeping a read model up to date. */
class Worker {
  readonly #slot: Slot;
  readonly #holder = newHolder();
  #pause = FIRST_PAUSE;

  constructor(
    readonly projector: Projector,
    readonly feed: Feed,
    readonly database: ReadDatabase,
    readonly until: AbortSignal,
    readonly log: Log,
    readonly onBuilt: () => void,
  ) {
    this.#slot = slotOf(projector, 'live');
  }

  get #about(): object {
    return { model: this.projector.name, version: this.projector.version };
  }

  async run(): Promise<void> {
    while (!this.until.aborted) {
      try {
        await this.#takeTurn();
      } catch (error) {
        await this.#getOver(error);
      }
    }
  }

  /** Holds the slot for as long as it can, or waits a while when another process holds it. */
  async #takeTurn(): Promise<void> {
    const { database, until } = this;
    await ensureCheckpoint(database.pool, this.#slot);
    const held = await claim(database.pool, this.#slot, this.#holder);
    if (!held) return pause(LEASE / 3, until);
    await whileHeld(database, this.#slot, this.#holder, until, (signal) => (held.built ? this.#follow(held, signal) : this.#build(signal)));
  }

  async #build(until: AbortSignal): Promise<void> {
    this.log.info(this.#about, 'Building the read model');
    const position = await rebuild(this.projector, this.feed, this.database, { until });
    this.log.info({ ...this.#about, position: String(position) }, 'The read model is built');
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
        this.#pause = FIRST_PAUSE;
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
      this.log.error({ ...this.#about, stream, position: String(position), type, error }, 'Parked an event');
    }
    if (unknown > 0) this.log.warn({ ...this.#about, unknown }, 'Passed by events of types that this release does not know');
  }

  /** What ends a turn: somebody else's move, an outage, or the end. */
  async #getOver(error: unknown): Promise<void> {
    if (error instanceof LogRewound) {
      this.log.error({ ...this.#about, error: error.message }, 'The log was rewound: the projector halts');
      throw error;
    }
    if (this.until.aborted) return;
    if (error instanceof Superseded) {
      this.log.info({ ...this.#about, reason: error.message }, 'The read model was moved by somebody else: reading it anew');
      return;
    }
    if (error instanceof BuildUnderWay) return pause(LEASE / 3, this.until);
    this.log.warn({ ...this.#about, error: messageOf(error), pause: this.#pause }, 'The projector stopped and will try again');
    await pause(this.#pause, this.until);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
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
