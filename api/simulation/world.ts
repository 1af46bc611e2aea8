import type { Logger } from 'pino';

import type { EventStore, Recorded } from '#domain/event-store.ts';
import type { ReadModelStorage } from '#projections/storage.ts';

import type { User } from '../accounts/user.ts';
import type { Aggregates } from '../aggregates.ts';
import type { Chance } from '../drill/chance.ts';
import type { StoredLog } from '../event-store/stored-event.ts';
import type { SubjectKeys } from '../event-store/subject-keys.ts';
import type { Shop } from '../open-shop.ts';
import type { OrderIds } from '../orders/order-ids.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { Tables } from './tables.ts';
import type { Network, Odds, WireParts } from './wire.ts';

/** Faults that tests plant in every process, to see them found: each wraps one component, or takes something away from it. */
export type Plants = {
  /** The event store as handlers and followers have it. */
  readonly store?: (store: Shop['store']) => Shop['store'];
  readonly aggregates?: (aggregates: Aggregates) => Aggregates;
  /** Where workers keep read models. */
  readonly models?: (storage: ReadModelStorage) => ReadModelStorage;
  /** A page of the log as the reader gets it. */
  readonly page?: (events: readonly Recorded[], chance: Chance) => readonly Recorded[];
  /** The reader trusts its wake signal alone. */
  readonly isUnpolled?: boolean;
  /** The order that a version of a cart is. */
  readonly idOf?: (derived: OrderIds) => OrderIds;
  /** A request that comes again is not known to have come before. */
  readonly forgetsRepeats?: boolean;
};

/** What there is but one of, however many processes come and go. */
export type World = {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly store: EventStore & StoredLog;
  /** Has `tell` called for each append, as long as this process lives. */
  readonly onAppended: (life: Life, tell: () => void) => void;
  readonly keys: SubjectKeys;
  readonly tables: Tables;
  readonly users: ReadonlyMap<string, User>;
  readonly plants: Plants;
  readonly log: Logger;
  /** Twelve hex digits that nobody had before. */
  readonly newId: () => string;
  /** Requests that failed though nothing was away: mistakes. */
  readonly failures: string[];
  odds: Odds;
};

export const wirePartsOf = (world: World): WireParts => ({ scheduler: world.scheduler, network: world.network, odds: () => world.odds });
