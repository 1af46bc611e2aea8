import type { Logger } from 'pino';

import type { EventStore, Recorded } from '#domain/event-store.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import type { TaxDocuments } from '#projections/invoices/queries.ts';
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

/** Tests plant these hooks in every process. Each wraps or replaces one component. */
export type FaultHooks = {
  /** The store of handlers and followers. */
  readonly store?: (store: Shop['store']) => Shop['store'];
  readonly execute?: (execute: Execute) => Execute;
  /** Interrupted placings are not released. */
  readonly isUnswept?: boolean;
  /** Replaces the read model by which the reaction finds issued invoices and credit notes. */
  readonly taxDocuments?: (taxDocuments: Pick<TaxDocuments, 'issued'>, store: Shop['store']) => Pick<TaxDocuments, 'issued'>;
  readonly aggregates?: (aggregates: Aggregates) => Aggregates;
  readonly models?: (storage: ReadModelStorage) => ReadModelStorage;
  /** Changes a page of the log before the reader gets it. */
  readonly page?: (events: readonly Recorded[], random: SeededRandom) => readonly Recorded[];
  readonly isUnpolled?: boolean;
  /** Replaces the function that derives an order id from a version of a cart. */
  readonly idOf?: (derived: OrderIds) => OrderIds;
  readonly forgetsRepeats?: boolean;
};

export type Scope = {
  readonly models: readonly Projector[];
  readonly reactions: readonly string[];
  readonly releases: boolean;
};

/** The environment that all processes share. It outlasts them. */
export type World = {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly store: EventStore & StoredLog;
  /** Calls back at each append, as long as this process lives. */
  readonly onAppended: (life: Life, tell: () => void) => void;
  readonly keys: SubjectKeys;
  readonly tables: SimulatedTables;
  readonly users: ReadonlyMap<string, User>;
  readonly scope: Scope;
  readonly plants: FaultHooks;
  readonly log: Logger;
  readonly newId: () => string;
  /** Requests that failed without an injected fault, which are errors of the shop. */
  readonly failures: string[];
  readonly refusals: StockRefusal[];
  odds: Odds;
  /** Aborted after the verdicts. Signals derived from it would otherwise keep the whole run in memory. */
  readonly over: AbortController;
};

export const getNetworkParts = (world: World): NetworkParts => ({
  scheduler: world.scheduler,
  network: world.network,
  odds: () => world.odds,
});
