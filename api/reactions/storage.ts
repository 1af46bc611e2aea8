import type { LogPosition, StreamName } from '#domain/event-store.ts';
import type { Place } from '#projections/rewound.ts';

import type { CausedMail } from '../mail/outbox.ts';

/** A reaction's checkpoint as the process knows it that holds the reaction. */
export type Held = {
  readonly name: string;
  readonly holder: string;
  readonly place: Place;
  /** Where the reaction began: what came before is none of its business. */
  readonly startedAt: LogPosition;
};

/** A postponed event: where it is, and how often it has failed. */
export type Due = { readonly stream: StreamName; readonly position: LogPosition; readonly attempts: number };

/** An event to be reacted to in `wait` ms. `attempts` is 0 for one that only stands behind another of its stream. */
export type Postponement = Due & { readonly wait: number; readonly error: string };

/** What is written in one transaction. */
export type Changes = {
  /** Where the checkpoint moves; it may stay where it is. */
  readonly place: Place;
  /** For the outbox: one mail a cause, ever. */
  readonly mails?: readonly CausedMail[];
  /** Postponed for the first time. */
  readonly postponed?: readonly Postponement[];
  /** A postponed event that has failed once more. */
  readonly failedAgain?: Postponement;
  /** A postponed event that was reacted to at last. */
  readonly done?: Due;
  /** No event is postponed any more. */
  readonly forgetsPostponed?: boolean;
};

/** What the runner keeps: checkpoints with their leases, and postponed events. Postgres for the shop, memory for the simulation; one contract. */
export type ReactionStorage = {
  /**
   * Takes the reaction for the length of a lease, when nobody holds it or its holder has been silent for that long; otherwise `undefined`.
   * One that has no checkpoint yet begins at `first()`.
   */
  claim(name: string, holder: string, first: () => Promise<Place>): Promise<Held | undefined>;
  /** Throws `Superseded` when the holder no longer is the holder. */
  renew(name: string, holder: string): Promise<void>;
  /** Lets the next one in without waiting for the lease to end. */
  release(name: string, holder: string): Promise<void>;
  /** All of the changes or none, by compare-and-set on checkpoint and holder, and renews the lease. Throws `Superseded` when these are not as `held` says. */
  commit(held: Held, changes: Changes): Promise<Held>;
  /** Streams with a postponed event. */
  postponedStreams(name: string): Promise<ReadonlySet<StreamName>>;
  /** The first postponed event of each stream, where its time has come; a few, the longest due first. */
  dueNow(name: string): Promise<readonly Due[]>;
};

/** How many postponed events `dueNow` answers with at most: new events wait meanwhile. */
export const DUE_AT_ONCE = 20;

/** An event that failed so often is parked: it needs somebody to look at it. */
export const PARKED_AFTER = 10;
