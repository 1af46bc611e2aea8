import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { BuildInProgress, LogRewound, errorMessage, Superseded } from './failures.ts';
import { systemClock, type Clock } from './clock.ts';
import { LEASE_MS } from './read-model-storage.ts';

/** Where workers say what they do: what it is about, then a sentence. A pino logger is one. */
export interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** A name under which to hold a slot: says where to look for the process, and is never given twice. */
export const newHolderId = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** Something of which one process is the holder: `renew` throws `Superseded` when it no longer is. */
export type Lease = { renew(): Promise<void>; release(): Promise<void> };

/**
 * Runs `work` while renewing the lease beside it; the signal that `work` gets is aborted with `until`, or when somebody else took over.
 * Lets go at the end, whatever the end is.
 */
export const withLease = async <Result>(
  lease: Lease,
  until: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  clock: Clock = systemClock,
): Promise<Result> => {
  const turn = new AbortController();
  // A database that is away fails the work itself; only a lost turn is news from here.
  const beat = () => lease.renew().catch((error) => error instanceof Superseded && turn.abort(error));
  const renewing = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LEASE_MS / 3, turn.signal);
      if (turn.signal.aborted) return;
      void beat();
    }
  };
  void renewing();
  try {
    return await work(AbortSignal.any([until, turn.signal]));
  } finally {
    turn.abort();
    await lease.release().catch(() => {});
  }
};

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** How long one process waits while another one is at what it would do, in ms. */
export const STANDBY_PAUSE = LEASE_MS / 3;

/** The turns that one process takes at work which only one does at a time, and what it does about what ends them. */
export class RetryLoop {
  #pause = FIRST_PAUSE;

  /** `about` is what the work is on, for the log; whoever does the work says the same there. */
  constructor(
    readonly about: object,
    readonly log: Log,
    readonly until: AbortSignal,
    readonly clock: Clock = systemClock,
  ) {}

  /** Takes one turn after the other until the signal is aborted, and gets over outages. Throws `LogRewound`, which takes more than another turn. */
  async run(turn: () => Promise<void>): Promise<void> {
    while (!this.until.aborted) await turn().catch((error: unknown) => this.#getOver(error));
  }

  /** Something has worked: after the next outage it is soon tried again. */
  resetBackoff(): void {
    this.#pause = FIRST_PAUSE;
  }

  async #getOver(error: unknown): Promise<void> {
    if (error instanceof LogRewound) {
      this.log.error({ ...this.about, error: error.message }, 'The log was rewound: the projector halts');
      throw error;
    }
    if (this.until.aborted) return;
    if (error instanceof Superseded) {
      this.log.info({ ...this.about, reason: error.message }, 'Moved by somebody else: reading it anew');
      return;
    }
    if (error instanceof BuildInProgress) return this.clock.sleep(STANDBY_PAUSE, this.until);
    this.log.warn({ ...this.about, error: errorMessage(error), pause: this.#pause }, 'Stopped, and will try again');
    await this.clock.sleep(this.#pause, this.until);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }
}
