import { Applier, isBlockedByEarlier, type Applied } from './applier.ts';
import { BuildInProgress } from '../follower/failures.ts';
import { runFollower, STANDBY_PAUSE_MS, type Follower, type Log } from '../follower/lease.ts';
import { systemClock, type Clock } from '../follower/clock.ts';
import type { Projector } from './define-projector.ts';
import { rebuild } from './rebuild.ts';
import { retryParked } from './retry-parked.ts';
import { reprojectQueued } from './reprojection.ts';
import { assertNotRewound, type ReadableLog } from '../follower/log-rewind.ts';
import { createTableSet, type TableSet } from './table-set.ts';
import type { CheckpointState, ReadModelStorage } from './read-model-storage.ts';

export type WorkerOptions = {
  readonly clock?: Clock;
  readonly holder?: string;
};

class Worker implements Follower<TableSet, CheckpointState> {
  readonly about: object;
  readonly key: TableSet;
  readonly #clock: Clock;

  constructor(
    readonly projector: Projector,
    readonly events: ReadableLog,
    readonly storage: ReadModelStorage,
    readonly log: Log,
    readonly signal: AbortSignal,
    readonly options: WorkerOptions,
  ) {
    this.about = { model: projector.name, version: projector.version };
    this.key = createTableSet(projector, 'live');
    this.#clock = options.clock ?? systemClock;
  }

  tryParked = async (state: CheckpointState): Promise<boolean> => {
    const { projector, events, storage, log, about, key } = this;
    if (!state.built || state.blockedStreams.size === 0) return false;
    await assertNotRewound(events, projector, state);
    await reprojectQueued(storage, key, events);
    for await (const { stream, applied } of retryParked(projector, events, storage)) {
      if (applied > 0) log.info({ ...about, stream, applied }, 'Applied parked events');
      if (this.signal.aborted) break;
    }
    return true;
  };

  follow = (state: CheckpointState, signal: AbortSignal): Promise<void> => {
    // Events find all rows that they read: the checkpoint is claimed again when queued streams are reprojected.
    if (state.queuedStream !== undefined) return reprojectQueued(this.storage, this.key, this.events);
    return state.built ? this.#applyPages(state, signal) : this.#build(signal);
  };

  async #build(signal: AbortSignal): Promise<void> {
    const { projector, events, storage, log, about, options } = this;
    log.info(about, 'Building the read model');
    try {
      const position = await rebuild(projector, events, { storage }, { ...options, signal });
      log.info({ ...about, position: String(position) }, 'The read model is built');
    } catch (error) {
      if (!(error instanceof BuildInProgress)) throw error;
      await this.#clock.sleep(STANDBY_PAUSE_MS, signal);
    }
  }

  async #applyPages(state: CheckpointState, signal: AbortSignal): Promise<void> {
    const { projector, events, storage } = this;
    await assertNotRewound(events, projector, state);
    await storage.reserved(async (reserved) => {
      const applier = new Applier(reserved, this.key, state);
      for await (const page of events.follow(state.position, projector.categories, signal)) {
        this.#logResult(await applier.apply(page));
        if (signal.aborted) break;
      }
    });
  }

  #logResult({ parked, unknown }: Applied): void {
    for (const entry of parked) {
      if (isBlockedByEarlier(entry)) continue;
      const { error, event } = entry;
      const { stream, position, type } = event;
      this.log.error({ ...this.about, stream, position: String(position), type, error }, 'Parked an event');
    }
    if (unknown > 0) this.log.warn({ ...this.about, unknown }, 'Skipped events of types that this release does not know');
  }
}

/**
 * Keeps a read model up to date until the signal is aborted: builds this version if it is missing, follows the log, and retries after
 * outages of log or database. Several processes may run the same projector: one works, the others stand by, and each event is applied once
 * whatever happens to clocks and connections. While the log no longer has the event at the checkpoint, it waits for a rebuild.
 */
export const runProjector = (
  projector: Projector,
  events: ReadableLog,
  { storage }: { readonly storage: ReadModelStorage },
  signal: AbortSignal,
  log: Log,
  options: WorkerOptions = {},
): Promise<void> => runFollower(new Worker(projector, events, storage, log, signal, options), { log, ...options }, signal);
