import type { Instant } from '#domain/shared/time.ts';
import { readModels } from '#projections/read-models.ts';
import { statsQueries } from '#projections/stats/queries.ts';
import { verify } from '#projections/storage/verify.ts';

import { findTablesWith } from '../../erasure/testing/person.ts';
import type { Shop } from '../../shop.ts';
import { createOrderIds } from '../../orders/order-ids.ts';
import { judged, type Judged } from '../journeys/judging.ts';
import { erasedIsNowhere } from '../journeys/verdicts.ts';
import type { Erased, RecordedAnswers } from '../journeys/recorded-answers.ts';
import type { GatewayLinks } from '../journeys/verdicts.ts';

const listCauses = async ({ pool }: Pick<Shop, 'pool'>): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ cause: string }>('select cause from shop.outbox');
  return rows.map(({ cause }) => cause);
};

export const listDifferences = async ({ store, read }: Pick<Shop, 'store' | 'read'>): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const model of readModels) {
    const { count, differences } = await verify(model, store, read, { signal: new AbortController().signal });
    const [first] = differences;
    if (count > 0) found.push(`${model.name} differs from its rebuild in ${count} rows, such as ${first?.table} ${first?.key}`);
  }
  return found;
};

/** Returns the tables that contain these people's texts in a form readable without keys. */
export const findTextsLeft = async (databaseUrl: string, erased: readonly Erased[]): Promise<readonly string[]> => {
  if (erased.length === 0) return [];
  const tables = await findTablesWith(
    databaseUrl,
    erased.flatMap(({ texts }) => texts),
  );
  return tables.map((table) => `A text of somebody who was erased stands in ${table}`);
};

/**
 * `url` is the owner's, who may read every table. `answers` are those to staff about erased guests. `links` are all links of the gateway.
 * There were no faults since `quietAt`.
 */
export type Looked = { readonly quietAt: Instant; readonly url: string; readonly answers: readonly string[]; readonly links: GatewayLinks };

/** Compares the shop with the answers to its shoppers. Read models and reactions must have caught up. */
export const judge = async (shop: Shop, recorded: RecordedAnswers, looked: Looked, compare = listDifferences): Promise<Judged> => {
  const now = shop.now();
  const evidence = {
    store: shop.store,
    now,
    quietAt: looked.quietAt,
    idOf: await createOrderIds(shop.db),
    causes: await listCauses(shop),
    links: looked.links,
    figures: (await statsQueries(shop.read).counted(now))?.figures,
    differences: await compare(shop),
  };
  const { verdicts, ...counts } = await judged(evidence, recorded);
  const { erased } = recorded;
  const shown = erased.filter(({ texts }) => texts.some((text) => looked.answers.some((answer) => answer.includes(text))));
  const left = [
    ...(await findTextsLeft(looked.url, erased)),
    ...shown.map(({ order }) => `The staff are shown whose the order ${order} was`),
  ];
  return { ...counts, verdicts: [...verdicts, erasedIsNowhere(left)] };
};
