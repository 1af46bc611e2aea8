import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { LEASE, release, renew } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { Superseded } from './failures.ts';
import { machineClock, type Clock } from './pause.ts';
import type { Slot } from './slot.ts';

/** A name under which to hold a slot: says where to look for the process, and is never given twice. */
export const newHolder = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** Something of which one process is the holder: `renew` throws `Superseded` when it no longer is. */
export type Lease = { renew(): Promise<void>; release(): Promise<void> };

/**
 * Runs `work` while renewing the lease beside it; the signal that `work` gets is aborted with `until`, or when somebody else took over.
 * Lets go at the end, whatever the end is.
 */
export const whileRenewed = async <Result>(
  lease: Lease,
  until: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
  clock: Clock = machineClock,
): Promise<Result> => {
  const turn = new AbortController();
  // A database that is away fails the work itself; only a lost turn is news from here.
  const beat = () => lease.renew().catch((error) => error instanceof Superseded && turn.abort(error));
  const renewing = async (): Promise<void> => {
    for (;;) {
      await clock.pause(LEASE / 3, turn.signal);
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

/** `whileRenewed` of the lease of a slot. */
export const whileHeld = <Result>(
  { pool }: ReadDatabase,
  slot: Slot,
  holder: string,
  until: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => whileRenewed({ renew: () => renew(pool, slot, holder), release: () => release(pool, slot, holder) }, until, work);
