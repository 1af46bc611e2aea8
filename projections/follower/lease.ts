import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { systemClock, type Clock } from './clock.ts';
import { LogRewound, Superseded, errorMessage } from './failures.ts';
import type { CheckpointEvent } from './log-rewind.ts';
import { repeatEvery } from './repeat-every.ts';

/** A lease lasts this long without renewal, by the clock of the storage. */
export const LEASE_MS = 3_000;

/** Workers log with this interface; a pino logger has this type. */
export interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** Makes a unique name for the holder of a lease, which contains host and process. */
export const newHolderId = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** A lease is a lock with a time limit: `renew` throws `Superseded` when another process holds it now. */
type Lease = { renew(): Promise<void>; release(): Promise<void> };

/** Renews the lease until `work` ends. The signal of `work` is aborted with `until`, or when another process took over. */
export const withLease = async <Result>(
  lease: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  clock: Clock = systemClock,
): Promise<Result> => {
  const ended = new AbortController();
  // During an outage of the database, `work` fails by itself; only a lost lease matters here.
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
    return await work(AbortSignal.any([signal, ended.signal]));
  } finally {
    ended.abort();
    await lease.release().catch(() => {});
  }
};

/** How long a standby process waits before it tries to get the lease. */
export const STANDBY_PAUSE_MS = LEASE_MS / 3;

/** Where followers keep their checkpoints: each has a key, and is moved by the process that holds its lease. */
export interface CheckpointStorage<Key, Held, Changes> {
  /** Takes the lease if it is free or expired; `undefined` otherwise. */
  claim(key: Key, holder: string): Promise<Held | undefined>;
  /** Renews the lease and returns the epoch. Throws `Superseded` when another process holds the lease. */
  renew(key: Key, holder: string): Promise<number>;
  /** Ends the lease at once. */
  release(key: Key, holder: string): Promise<void>;
  /**
   * Writes all changes or none, by compare-and-set on position, event, epoch and holder, and renews the lease. Returns the new checkpoint.
   * Throws `Superseded` when the stored one is not `held`.
   */
  commit(key: Key, held: Held, changes: Changes): Promise<Held>;
}

/** What a commit compares before it sets. */
type Compared = Pick<CheckpointEvent, 'position' | 'eventId'> & { readonly epoch: number; readonly holder: string | null };

/** Throws `Superseded` when the stored checkpoint is not the one that is held. */
export const assertUnchanged = (held: Compared, { position, eventId, epoch, holder }: Compared): void => {
  if (position !== held.position || eventId !== held.eventId || epoch !== held.epoch || holder !== held.holder)
    throw new Superseded(`The checkpoint at ${held.position} was moved to ${position} by ${holder ?? 'another process'}`);
};

/** Follows the log with a checkpoint under a lease: a read model, which writes rows, or a reaction, which calls handlers. */
export type Follower<Key, Held extends { readonly epoch: number; readonly built?: boolean }> = {
  /** Names it in log lines. */
  readonly about: object;
  readonly storage: Omit<CheckpointStorage<Key, Held, never>, 'commit'>;
  readonly key: Key;
  /**
   * Tries once more what is parked, because another release may have parked it. Called when this process takes the lease, before it
   * follows. Resolves to true if the checkpoint has to be read again.
   */
  tryParked(held: Held): Promise<boolean>;
  /** Follows the log from the checkpoint until the signal is aborted or the checkpoint has to be read again. */
  follow(held: Held, signal: AbortSignal): Promise<void>;
};

type FollowerParts = { readonly log: Log; readonly clock?: Clock | undefined; readonly holder?: string | undefined };

/**
 * Runs a follower until the signal is aborted. Of several processes one works and the others stand by. An outage is retried with a
 * back-off, and so is a rewound log, until a rebuild repairs the read model.
 */
export const runFollower = <Key, Held extends { readonly epoch: number; readonly built?: boolean }>(
  { about, storage, key, tryParked, follow }: Follower<Key, Held>,
  { log, clock = systemClock, holder = newHolderId() }: FollowerParts,
  signal: AbortSignal,
): Promise<void> => {
  let isStandby = true;
  const takeTurn = async (): Promise<void> => {
    try {
      const held = await storage.claim(key, holder);
      isStandby ||= held === undefined;
      if (held === undefined) return await clock.sleep(STANDBY_PAUSE_MS, signal);
      const work = async (leased: AbortSignal): Promise<void> => {
        const isChanged = isStandby && (await tryParked(held));
        isStandby = false;
        if (!isChanged) await follow(held, leased);
      };
      const renew = async (): Promise<void> => {
        const epoch = await storage.renew(key, holder);
        // Another process has changed the checkpoint: the follower starts again from it, even if no event arrives. A build ends first.
        if (held.built !== false && epoch !== held.epoch) throw new Superseded('The epoch was raised');
      };
      await withLease({ renew, release: () => storage.release(key, holder) }, signal, work, clock);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      if (!signal.aborted) log.info({ ...about, reason: error.message }, 'Another process changed the checkpoint: starting again from it');
    }
  };
  const onError = (error: unknown): void =>
    log[error instanceof LogRewound ? 'error' : 'warn']({ ...about, error: errorMessage(error) }, 'Failed, and will be retried');
  return repeatEvery(0, takeTurn, { signal, onError, clock });
};
