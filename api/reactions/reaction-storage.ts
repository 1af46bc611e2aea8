import type { LogPosition, StreamName } from '#domain/event-store.ts';
import type { CheckpointStorage } from '#projections/follower/lease.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';

import type { CausedMail } from '../mail/outbox.ts';

/** A reaction's checkpoint, as known to the process that holds its lease. */
export type LeasedReaction = {
  readonly name: string;
  readonly holder: string;
  readonly place: CheckpointEvent;
  /** Where the reaction started: it never handles earlier events. */
  readonly startedAt: LogPosition;
  /** Raised by an erasure: what was made of events before it is not written. */
  readonly epoch: number;
};

/** A postponed event: its position, and how often it has failed. */
export type Due = { readonly stream: StreamName; readonly position: LogPosition; readonly attempts: number };

/** An event to retry in `wait` ms. `attempts` is 0 if it only waits behind another event of its stream. */
export type Postponement = Due & { readonly wait: number; readonly error: string };

/** Changes to write in one transaction. */
export type ReactionChanges = {
  /** The new checkpoint; may be unchanged. */
  readonly place: CheckpointEvent;
  /** For the outbox: one mail per cause, ever. */
  readonly mails?: readonly CausedMail[];
  /** Events postponed for the first time. */
  readonly postponed?: readonly Postponement[];
  /** A postponed event that has failed once more. */
  readonly failedAgain?: Postponement;
  /** A postponed event that was handled. */
  readonly done?: Due;
  /** Deletes all postponed events. */
  readonly forgetsPostponed?: boolean;
};

/** The key of a reaction's checkpoint. A reaction without one starts at `first()`. */
export type ReactionKey = { readonly name: string; readonly first: () => Promise<CheckpointEvent> };

/** The runner's storage, which also has the postponed events. Postgres for the shop, memory for the simulation. */
export interface ReactionStorage extends CheckpointStorage<ReactionKey, LeasedReaction, ReactionChanges> {
  /** Streams with a postponed event. */
  postponedStreams(name: string): Promise<ReadonlySet<StreamName>>;
  /** The first postponed event of each stream that is due; a few, longest due first. */
  dueNow(name: string): Promise<readonly Due[]>;
}

/** At most this many due events per query: new events wait meanwhile. */
export const DUE_AT_ONCE = 20;

/** An event that failed this often is parked: an operator has to look at it. */
export const PARKED_AFTER = 10;
