import { Applier, isBlockedByEarlier, type Applied } from './applier.ts';
import { Superseded } from '../follower/failures.ts';
import { newHolderId, type Log, RetryLoop, STANDBY_PAUSE, withLease } from '../follower/lease.ts';
import { systemClock, type Clock } from '../follower/clock.ts';
import type { Projector } from './define-projector.ts';
import { rebuild } from './rebuild.ts';
import { claimUpToDate } from './reprojection.ts';
import { assertNotRewound, type ReadableLog } from '../follower/log-rewind.ts';
import { tableSetOf, type TableSet } from './table-set.ts';
import type { CheckpointState, ReadModelStorage } from './read-model-storage.ts';

export type WorkerOptions = {
  readonly clock?: Clock;
  /** The unique name of the holder of the lease. */
  readonly holder?: string;
};

/** Keeps one read model up to date, in one process. */
class Worker {
  readonly #tableSet: TableSet;
  readonly #holder: string;
  readonly #clock: Clock;
  readonly #retryLoop: RetryLoop;

  constructor(
    readonly projector: Projector,
    readonly events: ReadableLog,
    readonly storage: ReadModelStorage,
    readonly until: AbortSignal,
    readonly log: Log,
    readonly options: WorkerOptions,
  ) {
    this.#tableSet = tableSetOf(projector, 'live');
    this.#holder = options.holder ?? newHolderId();
    this.#clock = options.clock ?? systemClock;
    this.#retryLoop = new RetryLoop({ model: projector.name, version: projector.version }, log, until, this.#clock);
  }

  run(): Promise<void> {
    return this.#retryLoop.run(() => this.#holdLease());
  }

  /** Works as long as it holds the lease; if another process holds it, waits a little. */
  async #holdLease(): Promise<void> {
    const { storage, until, events } = this;
    const state = await claimUpToDate(storage, this.#tableSet, this.#holder, events);
    if (!state) return this.#clock.sleep(STANDBY_PAUSE, until);
    const lease = { renew: () => this.#renew(state), release: () => storage.release(this.#tableSet, this.#holder) };
    await withLease(lease, until, (signal) => (state.built ? this.#follow(state, signal) : this.#build(signal)), this.#clock);
  }

  async #renew({ built, epoch }: CheckpointState): Promise<void> {
    const now = await this.storage.renew(this.#tableSet, this.#holder);
    // Also when no event arrives: streams queued by others are reprojected when the worker starts again.
    if (built && now !== epoch) throw new Superseded(`Another process has changed ${this.projector.name}`);
  }

  async #build(until: AbortSignal): Promise<void> {
    const { projector, events, storage, log } = this;
    log.info(this.#retryLoop.about, 'Building the read model');
    const position = await rebuild(projector, events, { storage }, { until, clock: this.#clock, holder: this.#holder });
    log.info({ ...this.#retryLoop.about, position: String(position) }, 'The read model is built');
  }

  async #follow(state: CheckpointState, signal: AbortSignal): Promise<void> {
    const { projector, events, storage } = this;
    await assertNotRewound(events, projector, state);
    await storage.reserved(async (reserved) => {
      const applier = new Applier(reserved, this.#tableSet, state);
      for await (const page of events.follow(state.position, projector.categories, signal)) {
        this.#logResult(await applier.apply(page));
        this.#retryLoop.resetBackoff();
        if (signal.aborted) break;
      }
    });
  }

  #logResult({ parked, unknown }: Applied): void {
    for (const entry of parked) {
      if (isBlockedByEarlier(entry)) continue;
      const { error, event } = entry;
      const { stream, position, type } = event;
      this.log.error({ ...this.#retryLoop.about, stream, position: String(position), type, error }, 'Parked an event');
    }
    if (unknown > 0) this.log.warn({ ...this.#retryLoop.about, unknown }, 'Skipped events of types that this release does not know');
  }
}

/**
 * Keeps a read model up to date until the signal is aborted: builds this version if it is missing, follows the log, and retries after
 * outages of log or database. Several processes may run the same projector: one works, the others stand by, and each event is applied once
 * whatever happens to clocks and connections. Throws `LogRewound` when the log no longer has the event at the checkpoint.
 */
export const runProjector = (
  projector: Projector,
  events: ReadableLog,
  { storage }: { readonly storage: ReadModelStorage },
  until: AbortSignal,
  log: Log,
  options: WorkerOptions = {},
): Promise<void> => new Worker(projector, events, storage, until, log, options).run();
