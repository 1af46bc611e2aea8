import type { Category, LogPosition, StreamName } from '#domain/event-store.ts';
import type { CheckpointStorage } from '#projections/follower/lease.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';

import type { CausedMail } from '../mail/outbox.ts';

/** The process that holds the lease of a reaction knows its checkpoint like this. */
export type LeasedReaction = {
  readonly name: string;
  readonly holder: string;
  readonly place: CheckpointEvent;
  /** The reaction started here and never handles earlier events. */
  readonly startedAt: LogPosition;
  /** An erasure raises it, so that nothing is written that was made of earlier events. */
  readonly epoch: number;
  /** Only a newer release handles events of these types. */
  readonly lacks: readonly string[];
};

/** A postponed event is due: the fields are its position, and how often it has failed. */
export type Due = { readonly stream: StreamName; readonly position: LogPosition; readonly attempts: number };

/** The event is to be retried in `wait` ms. `attempts` is 0 if it only waits behind another event of its stream. */
export type Postponement = Due & { readonly wait: number; readonly error: string };

/** These changes are written in one transaction. */
export type ReactionChanges = {
  /** The new checkpoint may be unchanged. */
  readonly place: CheckpointEvent;
  /** The outbox gets these mails: each cause has one mail for ever. */
  readonly mails?: readonly CausedMail[];
  readonly postponed?: readonly Postponement[];
  readonly failedAgain?: Postponement;
  readonly done?: Due;
  readonly forgetsPostponed?: boolean;
};

/**
 * The key of a reaction's checkpoint, with the types that this release handles. The checkpoint has those of the newest release; who lacks
 * some of them takes only a lease that nobody has held for a while. A reaction without a checkpoint starts at `first()`.
 */
export type ReactionKey = {
  readonly name: string;
  readonly categories: readonly Category[];
  readonly handles: readonly string[];
  readonly first: () => Promise<CheckpointEvent>;
};

/** The runner's storage, which also has the postponed events. Postgres for the shop, memory for the simulation. */
export interface ReactionStorage extends CheckpointStorage<ReactionKey, LeasedReaction, ReactionChanges> {
  postponedStreams(name: string): Promise<ReadonlySet<StreamName>>;
  /** Returns the first postponed event of each stream that is due; only a few, longest due first. */
  dueNow(name: string): Promise<readonly Due[]>;
  /** Makes all postponed events due. */
  retryNow(name: string): Promise<void>;
}

/** A query returns at most this many due events, because new events wait meanwhile. */
export const DUE_AT_ONCE = 20;

/** A postponed event waits this many ms at most. */
export const LONGEST_WAIT_MS = 3_600_000;

/** An event that failed this often is parked: an operator has to look at it. */
export const PARKED_AFTER = 10;
