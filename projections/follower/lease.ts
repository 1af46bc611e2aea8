import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { systemClock, type Clock } from './clock.ts';
import { LogRewound, Superseded, errorMessage } from './failures.ts';
import { repeatEvery } from './repeat-every.ts';

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
type Lease = { renew(): Promise<void>; release(): Promise<void> };

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

/** How long a standby process waits before it tries to get the lease. */
export const STANDBY_PAUSE_MS = LEASE_MS / 3;

/** Follows the log with a checkpoint under a lease: a read model, which writes rows, or a reaction, which calls handlers. */
export type Follower<Held> = {
  /** Names it in log lines. */
  readonly about: object;
  /** Takes the lease, if it is free or expired, and reads the checkpoint. */
  claim(holder: string): Promise<Held | undefined>;
  /** Throws `Superseded` when another process holds the lease, or has changed the checkpoint. */
  renew(holder: string, held: Held): Promise<void>;
  release(holder: string): Promise<void>;
  /** Follows the log from the checkpoint until the signal is aborted or the checkpoint has to be read again. */
  follow(held: Held, signal: AbortSignal): Promise<void>;
};

type FollowerParts = { readonly log: Log; readonly clock?: Clock | undefined; readonly holder?: string | undefined };

/**
 * Runs a follower until the signal is aborted. Of several processes one works and the others stand by. An outage is retried with a
 * back-off, and so is a rewound log, until a rebuild repairs the read model.
 */
export const runFollower = <Held>(
  { about, claim, renew, release, follow }: Follower<Held>,
  { log, clock = systemClock, holder = newHolderId() }: FollowerParts,
  signal: AbortSignal,
): Promise<void> => {
  const takeTurn = async (): Promise<void> => {
    try {
      const held = await claim(holder);
      if (held === undefined) return await clock.sleep(STANDBY_PAUSE_MS, signal);
      const lease = { renew: () => renew(holder, held), release: () => release(holder) };
      await withLease(lease, signal, (leased) => follow(held, leased), clock);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      if (!signal.aborted) log.info({ ...about, reason: error.message }, 'Another process changed the checkpoint: starting again from it');
    }
  };
  const onError = (error: unknown): void =>
    log[error instanceof LogRewound ? 'error' : 'warn']({ ...about, error: errorMessage(error) }, 'Failed, and will be retried');
  return repeatEvery(0, takeTurn, { signal, onError, clock });
};
