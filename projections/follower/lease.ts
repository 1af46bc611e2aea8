import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { BuildInProgress, LogRewound, Superseded, errorMessage } from './failures.ts';
import { systemClock, type Clock } from './clock.ts';

/** How long a lease lasts without renewal, by the clock of the storage. */
export const LEASE_MS = 3_000;

/** The logger of workers. A pino logger is one. */
export interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** A unique name for the holder of a lease, which shows host and process. */
export const newHolderId = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** A lock with a time limit: `renew` throws `Superseded` when another process holds it now. */
export type Lease = { renew(): Promise<void>; release(): Promise<void> };

/** Renews the lease until `work` ends. The signal of `work` is aborted with `until`, or when another process took over. */
export const withLease = async <Result>(
  lease: Lease,
  until: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  clock: Clock = systemClock,
): Promise<Result> => {
  const ended = new AbortController();
  // If the database is away, `work` fails by itself; only a lost lease matters here.
  const renewOnce = () => lease.renew().catch((error) => error instanceof Superseded && ended.abort(error));
  const renewing = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LEASE_MS / 3, ended.signal);
      if (ended.signal.aborted) return;
      void renewOnce();
    }
  };
  void renewing();
  try {
    return await work(AbortSignal.any([until, ended.signal]));
  } finally {
    ended.abort();
    await lease.release().catch(() => {});
  }
};

const FIRST_BACKOFF = 100;
const LONGEST_BACKOFF = 5_000;

/** How long a standby process waits before it tries to get the lease, in ms. */
export const STANDBY_PAUSE = LEASE_MS / 3;

/** Repeats work that one process does at a time, with backoff after errors. */
export class RetryLoop {
  #backoff = FIRST_BACKOFF;

  /** `about` names the work in log lines. */
  constructor(
    readonly about: object,
    readonly log: Log,
    readonly until: AbortSignal,
    readonly clock: Clock = systemClock,
  ) {}

  /** Repeats the attempt until the signal is aborted, after errors too. Throws `LogRewound`, which no retry can repair. */
  async run(attempt: () => Promise<void>): Promise<void> {
    while (!this.until.aborted) await attempt().catch((error: unknown) => this.#handleError(error));
  }

  /** After a success, the next error is retried soon. */
  resetBackoff(): void {
    this.#backoff = FIRST_BACKOFF;
  }

  async #handleError(error: unknown): Promise<void> {
    if (error instanceof LogRewound) {
      this.log.error({ ...this.about, error: error.message }, 'The log was rewound: the projector stops');
      throw error;
    }
    if (this.until.aborted) return;
    if (error instanceof Superseded) {
      this.log.info({ ...this.about, reason: error.message }, 'Another process changed the checkpoint: starting again from it');
      return;
    }
    if (error instanceof BuildInProgress) return this.clock.sleep(STANDBY_PAUSE, this.until);
    this.log.warn({ ...this.about, error: errorMessage(error), pause: this.#backoff }, 'Failed, and will be retried');
    await this.clock.sleep(this.#backoff, this.until);
    this.#backoff = Math.min(2 * this.#backoff, LONGEST_BACKOFF);
  }
}
