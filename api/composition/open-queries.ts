import { Counter } from 'prom-client';

import { openListing } from '#projections/catalogue/listing.ts';
import { stockQueries } from '#projections/catalogue/stock-queries.ts';
import { openReadDatabase } from '#projections/database.ts';
import type { Log } from '#projections/follower/lease.ts';
import { myOrdersQueries } from '#projections/orders/my-orders-queries.ts';
import { ordersDeskQueries } from '#projections/orders/orders-desk-queries.ts';
import { readModels } from '#projections/read-models.ts';
import { followProgress, type Progress } from '#projections/reading/progress.ts';
import { primaryOnly, withReplica } from '#projections/reading/replica.ts';
import { statsQueries } from '#projections/stats/queries.ts';

import { cachedFigures } from '../admin/counts.ts';
import type { Config } from '../config.ts';
import { countGuests } from '../customers/list-customers.ts';
import { orderListsFrom, cachedOrderLists } from '../orders/order-lists.ts';
import { Resources } from '../platform/resources.ts';
import { openRates } from '../tax/todays-rates.ts';
import type { Shop } from '../shop.ts';

/** If a replica is slower than this many ms, the primary is queried instead. */
const REPLICA_TIMEOUTS = { connectionTimeoutMillis: 1_000, query_timeout: 5_000 };

type Reading = Pick<Shop, 'read' | 'registry' | 'store' | 'execute' | 'now'>;

const openReplica = (connectionString: string, { read: primary, registry }: Reading, progress: Progress, log: Log) => {
  const onTrouble = (error: unknown) => log.warn({ error }, 'The replica could not be asked');
  const database = openReadDatabase({ connectionString, timeouts: REPLICA_TIMEOUTS, onIdleError: onTrouble });
  const queries = new Counter({
    name: 'ruhani_queries_total',
    help: 'Queries of read models that a replica may answer, by who did',
    labelNames: ['database'],
    registers: [registry],
  });
  const onAsked = (asked: 'primary' | 'replica') => queries.inc({ database: asked });
  return { readers: withReplica({ primary, replica: database, progress, onAsked, onTrouble }), close: () => database.close() };
};

/** Starts following the read models, and fills those in memory. */
export const openQueries = async (shop: Reading, log: Log, { databaseReadUrl }: Partial<Pick<Config, 'databaseReadUrl'>> = {}) => {
  const { read } = shop;
  const opened = new Resources();
  try {
    const progress = opened.with(await followProgress(read, readModels), (each) => each.close());
    const replica =
      databaseReadUrl === undefined ? undefined : opened.with(openReplica(databaseReadUrl, shop, progress, log), (each) => each.close());
    const catalogue = opened.with(await openListing({ db: read.db, progress, log }), (each) => each.close());
    const rates = opened.with(await openRates(shop, log), (each) => each.close());
    const stats = statsQueries(read);
    const figures = opened.with(cachedFigures(stats, progress), async (each) => each.close());
    const readers = replica?.readers ?? primaryOnly(read);
    const orders = opened.with(replica ? orderListsFrom(readers) : cachedOrderLists(read, progress), async (each) => each.close());
    const guests = opened.with(countGuests(read, progress), async (each) => each.close());
    const { close } = opened;
    return {
      progress,
      /** The routers answer queries that may be a little behind. */
      readers,
      catalogue,
      rates,
      stocks: stockQueries(read.db),
      myOrders: myOrdersQueries(read),
      desk: ordersDeskQueries(read),
      orders,
      figures,
      guests,
      stats,
      close,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

export type Queries = Readonly<Awaited<ReturnType<typeof openQueries>>>;
