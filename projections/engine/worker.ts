import { Applier, isBehind, type Applied } from './applier.ts';
import type { ReadDatabase } from '../database.ts';
import { Superseded } from './failures.ts';
import { newHolder, type Log, Turns, WHILE_HELD, whileRenewed } from './lease.ts';
import { machineClock, type Clock } from './clock.ts';
import type { Projector } from './define-projector.ts';
import { rebuild } from './rebuild.ts';
import { claimCurrent } from './reprojection.ts';
import { refuseRewound, type ReadableLog } from './log-rewind.ts';
import { slotOf, type Slot } from './table-set.ts';
import type { Held, ReadModelStorage } from './read-model-storage.ts';

export type WorkerOptions = {
  readonly clock?: Clock;
  /** The name under which it holds what it works on; nobody else's. */
  readonly holder?: string;
};

/** One process's part in keeping a read model up to date. */
class Worker {
  readonly #slot: Slot;
  readonly #holder: string;
  readonly #clock: Clock;
  readonly #turns: Turns;

  constructor(
    readonly projector: Projector,
    readonly events: ReadableLog,
    readonly storage: ReadModelStorage,
    readonly until: AbortSignal,
    readonly log: Log,
    readonly options: WorkerOptions,
  ) {
    this.#slot = slotOf(projector, 'live');
    this.#holder = options.holder ?? newHolder();
    this.#clock = options.clock ?? machineClock;
    this.#turns = new Turns({ model: projector.name, version: projector.version }, log, until, this.#clock);
  }

  run(): Promise<void> {
    return this.#turns.take(() => this.#takeTurn());
  }

  /** Holds the slot for as long as it can, or waits a while when another process holds it. */
  async #takeTurn(): Promise<void> {
    const { storage, until, events } = this;
    const held = await claimCurrent(storage, this.#slot, this.#holder, events);
    if (!held) return this.#clock.pause(WHILE_HELD, until);
    const lease = { renew: () => this.#renew(held), release: () => storage.release(this.#slot, this.#holder) };
    await whileRenewed(lease, until, (signal) => (held.built ? this.#follow(held, signal) : this.#build(signal)), this.#clock);
  }

  async #renew({ built, epoch }: Held): Promise<void> {
    const now = await this.storage.renew(this.#slot, this.#holder);
    // Also when no event comes that would show it: what others have queued for this slot is done at the beginning of a turn.
    if (built && now !== epoch) throw new Superseded(`Somebody else has changed ${this.projector.name}`);
  }

  async #build(until: AbortSignal): Promise<void> {
    const { projector, events, storage, log } = this;
    log.info(this.#turns.about, 'Building the read model');
    const position = await rebuild(projector, events, { storage }, { until, clock: this.#clock, holder: this.#holder });
    log.info({ ...this.#turns.about, position: String(position) }, 'The read model is built');
  }

  async #follow(held: Held, signal: AbortSignal): Promise<void> {
    const { projector, events, storage } = this;
    await refuseRewound(events, projector, held);
    await storage.reserved(async (reserved) => {
      const applier = new Applier(reserved, this.#slot, held);
      for await (const page of events.follow(held.position, projector.categories, signal)) {
        this.#tell(await applier.apply(page));
        this.#turns.wentOn();
        if (signal.aborted) break;
      }
    });
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
 * holds the event that the read model stands at.
 */
export const runProjector = (
  projector: Projector,
  events: ReadableLog,
  { storage }: Pick<ReadDatabase, 'storage'>,
  until: AbortSignal,
  log: Log,
  options: WorkerOptions = {},
): Promise<void> => new Worker(projector, events, storage, until, log, options).run();
