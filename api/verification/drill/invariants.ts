import type { Instant } from '#domain/shared/time.ts';
import { readModels } from '#projections/read-models.ts';
import { statsIn } from '#projections/stats/queries.ts';
import { verify } from '#projections/storage/verify.ts';

import { tablesWith } from '../../erasure/testing/person.ts';
import type { Shop } from '../../shop.ts';
import { orderIdsIn } from '../../orders/order-ids.ts';
import { judged, type Judged } from '../journeys/judging.ts';
import { erasedIsNowhere } from '../journeys/verdicts.ts';
import type { Erased, RecordedAnswers } from '../journeys/recorded-answers.ts';
import type { GatewayLinks } from '../journeys/verdicts.ts';

const causesIn = async ({ pool }: Pick<Shop, 'pool'>): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ cause: string }>('select cause from shop.outbox');
  return rows.map(({ cause }) => cause);
};

export const differencesIn = async ({ store, read }: Pick<Shop, 'store' | 'read'>): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const model of readModels) {
    const { count, differences } = await verify(model, store, read, { until: new AbortController().signal });
    const [first] = differences;
    if (count > 0) found.push(`${model.name} differs from its rebuild in ${count} rows, such as ${first?.table} ${first?.key}`);
  }
  return found;
};

/** The tables that contain texts of these people, readable without keys. */
export const textsLeftIn = async (databaseUrl: string, erased: readonly Erased[]): Promise<readonly string[]> => {
  if (erased.length === 0) return [];
  const tables = await tablesWith(
    databaseUrl,
    erased.flatMap(({ texts }) => texts),
  );
  return tables.map((table) => `A text of somebody who was erased stands in ${table}`);
};

/** `url` is the owner's, who may read every table; `answers`: what staff got about erased guests; `links`: all that the gateway has;
 * since `quietAt` there were no faults. */
export type Looked = { readonly quietAt: Instant; readonly url: string; readonly answers: readonly string[]; readonly links: GatewayLinks };

/** Compares the shop with the answers that its shoppers got. Read models and reactions must have caught up. */
export const judge = async (shop: Shop, recorded: RecordedAnswers, looked: Looked): Promise<Judged> => {
  const now = shop.now();
  const evidence = {
    store: shop.store,
    now,
    quietAt: looked.quietAt,
    idOf: await orderIdsIn(shop.db),
    causes: await causesIn(shop),
    links: looked.links,
    figures: (await statsIn(shop.read).counted(now))?.figures,
    differences: await differencesIn(shop),
  };
  const { verdicts, ...counts } = await judged(evidence, recorded);
  const { erased } = recorded;
  const shown = erased.filter(({ texts }) => texts.some((text) => looked.answers.some((answer) => answer.includes(text))));
  const left = [
    ...(await textsLeftIn(looked.url, erased)),
    ...shown.map(({ order }) => `The staff are shown whose the order ${order} was`),
  ];
  return { ...counts, verdicts: [...verdicts, erasedIsNowhere(left)] };
};
