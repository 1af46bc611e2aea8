import type { Logger } from 'pino';

import type { EventStore, Recorded } from '#domain/event-store.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import type { Papers } from '#projections/invoices/queries.ts';
import type { ReadModelStorage } from '#projections/engine/read-model-storage.ts';

import type { User } from '../../accounts/user.ts';
import type { Aggregates } from '../../command-handler/aggregates.ts';
import type { Execute } from '../../command-handler/execute.ts';
import type { SeededRandom } from '../journeys/seeded-random.ts';
import type { StockRefusal } from '../journeys/stock-verdicts.ts';
import type { StoredLog } from '../../event-store/stored-event.ts';
import type { SubjectKeys } from '../../event-store/encryption/subject-keys.ts';
import type { Shop } from '../../shop.ts';
import type { OrderIds } from '../../orders/order-ids.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { SimulatedTables } from './simulated-tables.ts';
import type { Network, Odds, NetworkParts } from './simulated-network.ts';

/** Planted by tests in every process: each wraps or replaces one component. */
export type FaultHooks = {
  /** Of handlers and followers. */
  readonly store?: (store: Shop['store']) => Shop['store'];
  readonly execute?: (execute: Execute) => Execute;
  /** Interrupted placings are not released. */
  readonly isUnswept?: boolean;
  /** Replaces the read model by which the reaction finds issued invoices and credit notes. */
  readonly papers?: (papers: Pick<Papers, 'issued'>, store: Shop['store']) => Pick<Papers, 'issued'>;
  readonly aggregates?: (aggregates: Aggregates) => Aggregates;
  /** The workers' storage of read models. */
  readonly models?: (storage: ReadModelStorage) => ReadModelStorage;
  /** Changes a page of the log before the reader gets it. */
  readonly page?: (events: readonly Recorded[], random: SeededRandom) => readonly Recorded[];
  /** The log reader does not poll. */
  readonly isUnpolled?: boolean;
  /** From a version of a cart to its order id. */
  readonly idOf?: (derived: OrderIds) => OrderIds;
  /** A repeated request is not recognised. */
  readonly forgetsRepeats?: boolean;
};

/** Which projections and reactions the workers run. */
export type Scope = {
  readonly models: readonly Projector[];
  /** Of these names. */
  readonly reactions: readonly string[];
  readonly releases: boolean;
};

/** Shared by all processes, which they outlast. */
export type World = {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly store: EventStore & StoredLog;
  /** At each append, as long as this process lives. */
  readonly onAppended: (life: Life, tell: () => void) => void;
  readonly keys: SubjectKeys;
  readonly tables: SimulatedTables;
  readonly users: ReadonlyMap<string, User>;
  readonly scope: Scope;
  readonly plants: FaultHooks;
  readonly log: Logger;
  /** Twelve unique hex digits. */
  readonly newId: () => string;
  /** Requests that failed without an injected fault: errors of the shop. */
  readonly failures: string[];
  readonly refusals: StockRefusal[];
  odds: Odds;
  /** Aborted after the judgement: signals that are made of it would keep all of it in memory. */
  readonly over: AbortController;
};

export const networkPartsOf = (world: World): NetworkParts => ({
  scheduler: world.scheduler,
  network: world.network,
  odds: () => world.odds,
});
