import { START, type LogPosition } from '#domain/event-store.ts';

import { Applier } from './applier.ts';
import type { ReadDatabase } from './database.ts';
import { BuildUnderWay, RefusedValues, Superseded } from './failures.ts';
import { newHolder, whileRenewed } from './lease.ts';
import { pagesOf } from './pages.ts';
import { machineClock, type Clock } from './pause.ts';
import type { Projector } from './projector.ts';
import { claimCurrent } from './reprojection.ts';
import type { ReadableLog } from './rewound.ts';
import { slotOf, type Slot } from './slot.ts';
import type { Held, ReadModelStorage } from './storage.ts';

/** What a build tells while it goes on: how many events it has applied, and up to where. */
export type OnProgress = (progress: { readonly events: number; readonly position: LogPosition }) => void;

export type BuildOptions = {
  readonly until: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Last position to apply; default: as far as the log goes. */
  readonly upTo?: LogPosition;
  /** How many events are committed together. */
  readonly batch?: number;
  readonly clock?: Clock;
  /** The name under which the slot is held while it is built; nobody else's. */
  readonly holder?: string;
};

/** So many events are committed together, and so many rows of a table stay in memory for the events that follow. */
const BATCH = 10_000;
const REMEMBERED = 20_000;

/** One build of a slot that its caller holds: what a worker does, into tables of its own, and with larger batches. */
export class Build {
  #events = 0;
  #applier: Applier;
  #reached: LogPosition = START;
  /** Some row was refused up to here. Which event it came from shows only when they are committed page by page, and then one by one. */
  #carefulUntil: LogPosition = START;

  constructor(
    readonly storage: ReadModelStorage,
    readonly slot: Slot,
    readonly holder: string,
    readonly log: ReadableLog,
    readonly options: BuildOptions,
    held: Held,
  ) {
    this.#applier = this.#applierAt(held);
  }

  #applierAt = (held: Held): Applier => new Applier(this.storage, this.slot, held, REMEMBERED);

  /** The slot as it was last written. */
  get held(): Held {
    return this.#applier.held;
  }

  /** Fills the slot from the first event. Throws `Superseded` when somebody else has taken it over meanwhile. */
  async run(): Promise<void> {
    this.#applier = this.#applierAt(await this.storage.empty(this.slot, this.held));
    await this.catchUp();
    await this.#evenIfChanged(() => this.storage.index(this.slot, this.held));
    await this.catchUp();
  }

  /** Applies what follows; as far as the log goes at this moment: whoever chases its end while events arrive never comes to one. */
  async catchUp(upTo = this.options.upTo): Promise<Held> {
    const { categories } = this.slot.projector;
    const end = upTo ?? (await this.log.head(categories));
    await this.#evenIfChanged(async () => {
      for (;;) {
        try {
          return await this.#apply(end);
        } catch (error) {
          await this.#applier.abandon();
          if (!(error instanceof RefusedValues)) throw error;
          this.#carefulUntil = this.#reached;
        }
      }
    });
    return this.held;
  }

  async #apply(end: LogPosition): Promise<void> {
    const applier = this.#applier;
    const { batch = BATCH, onProgress, until } = this.options;
    for await (const page of pagesOf(this.log, applier.held.position, this.slot.projector.categories, end)) {
      this.#reached = page.at(-1)?.position ?? this.#reached;
      if (applier.held.position < this.#carefulUntil) await applier.apply(page);
      else await applier.take(page);
      // Written beside the folding of what follows.
      if (applier.taken >= batch) await applier.begin();
      this.#events += page.length;
      onProgress?.({ events: this.#events, position: applier.position });
      until.throwIfAborted();
    }
    await applier.commit();
  }

  /** Somebody may have queued streams to be projected anew. Then that comes first, and the work goes on from what was written. */
  async #evenIfChanged(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await this.#reclaim();
        return await work();
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
        this.options.until.throwIfAborted();
      }
    }
  }

  async #reclaim(): Promise<void> {
    const held = await claimCurrent(this.storage, this.slot, this.holder, this.log);
    if (!held) throw new BuildUnderWay(this.slot.projector.name);
    const { position, epoch } = this.held;
    if (held.position !== position || held.epoch !== epoch) this.#applier = this.#applierAt(held);
  }
}

/** Builds the slot beside the live one and holds it for `work`. Throws `BuildUnderWay` when another process is at it. */
export const buildBeside = async <Result>(
  projector: Projector,
  log: ReadableLog,
  storage: ReadModelStorage,
  options: BuildOptions,
  work: (build: Build, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const next = slotOf(projector, 'next');
  const { clock = machineClock, holder = newHolder() } = options;
  const held = await storage.claim(next, holder);
  if (!held) throw new BuildUnderWay(projector.name);
  const renew = async () => void (await storage.renew(next, holder));
  const build = (until: AbortSignal) =>
    storage.reserved(async (reserved) => {
      const built = new Build(reserved, next, holder, log, { ...options, until }, held);
      await built.run();
      until.throwIfAborted();
      return work(built, until);
    });
  return whileRenewed({ renew, release: () => storage.release(next, holder) }, options.until, build, clock);
};

/**
 * Builds a read model from the first event, beside the live tables, which serve until the new ones take their place in one
 * transaction. Answers with the position reached. Throws `BuildUnderWay` when another process is at it; what an interrupted build
 * leaves behind is cleaned up by the following one.
 */
export const rebuild = (
  projector: Projector,
  log: ReadableLog,
  { storage }: Pick<ReadDatabase, 'storage'>,
  options: BuildOptions,
): Promise<LogPosition> =>
  buildBeside(projector, log, storage, options, async (build, until) => {
    for (;;) {
      try {
        await storage.replaceLive(build.slot, (live) => build.catchUp(live));
        return build.held.position;
      } catch (error) {
        // Streams were queued between catching up and taking the place.
        if (!(error instanceof Superseded)) throw error;
        until.throwIfAborted();
        await build.catchUp();
      }
    }
  });
