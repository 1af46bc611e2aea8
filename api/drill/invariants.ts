import { readModels } from '#projections/read-models.ts';
import { statsIn } from '#projections/stats/queries.ts';
import { verify } from '#projections/verify.ts';

import type { Shop } from '../open-shop.ts';
import { orderIdsIn } from '../orders/order-ids.ts';
import { shopDatabase } from '../shop-tables.ts';
import { judged, type Judged } from './judging.ts';
import type { Witnessed } from './witnessed.ts';

const causesIn = async ({ pool }: Pick<Shop, 'pool'>): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ cause: string }>('select cause from shop.outbox');
  return rows.map(({ cause }) => cause);
};

const differencesIn = async ({ store, read }: Pick<Shop, 'store' | 'read'>): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const model of readModels) {
    const { count, differences } = await verify(model, store, read, { until: new AbortController().signal });
    const [first] = differences;
    if (count > 0) found.push(`${model.name} differs from its rebuild in ${count} rows, such as ${first?.table} ${first?.key}`);
  }
  return found;
};

/** Holds what the shop has against what its shoppers were told. Its read models and reactions must have caught up. */
export const judge = async (shop: Shop, witnessed: Witnessed): Promise<Judged> => {
  const now = shop.now();
  const standing = {
    store: shop.store,
    now,
    idOf: await orderIdsIn(shopDatabase(shop.pool)),
    causes: await causesIn(shop),
    figures: (await statsIn(shop.read).counted(now))?.figures,
    differences: await differencesIn(shop),
  };
  return judged(standing, witnessed);
};
