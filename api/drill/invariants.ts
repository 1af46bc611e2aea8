import { readModels } from '#projections/read-models.ts';
import { statsIn } from '#projections/stats/queries.ts';
import { verify } from '#projections/verify.ts';

import { Books } from '../audit/books.ts';
import { liveLog } from '../audit/log-source.ts';
import type { Shop } from '../open-shop.ts';
import { orderIdsIn } from '../orders/order-ids.ts';
import { shopDatabase } from '../shop-tables.ts';
import { readLog } from './log-book.ts';
import {
  answeredIsInLog,
  chainsAreIntact,
  MODELS_MATCH,
  movesAreInLog,
  nobodySawAnothers,
  numbersAreUnique,
  oneConfirmationEach,
  oneOrderEach,
  repeatedIsDoneOnce,
  totalsAreEqual,
  type Verdict,
} from './verdicts.ts';
import type { Witnessed } from './witnessed.ts';

const bookedIn = async ({ store }: Pick<Shop, 'store'>): Promise<Books> => {
  const source = liveLog(store);
  const books = new Books();
  for await (const page of source.pages()) books.take(page, await source.open(page));
  return books;
};

const causesIn = async ({ pool }: Pick<Shop, 'pool'>): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ cause: string }>('select cause from shop.outbox');
  return rows.map(({ cause }) => cause);
};

const modelsMatch = async ({ store, read }: Pick<Shop, 'store' | 'read'>): Promise<Verdict> => {
  const broken: string[] = [];
  for (const model of readModels) {
    const { count, differences } = await verify(model, store, read, { until: new AbortController().signal });
    const [first] = differences;
    if (count > 0) broken.push(`${model.name} differs from its rebuild in ${count} rows, such as ${first?.table} ${first?.key}`);
  }
  return { invariant: MODELS_MATCH, broken };
};

type Judged = { readonly events: number; readonly placed: number; readonly verdicts: readonly Verdict[] };

/** Holds what the shop has against what its shoppers were told. Its read models and reactions must have caught up. */
export const judge = async (shop: Shop, witnessed: Witnessed): Promise<Judged> => {
  const log = await readLog(shop.store);
  const books = await bookedIn(shop);
  const now = shop.now();
  const verdicts = [
    answeredIsInLog(witnessed, log),
    movesAreInLog(witnessed, log),
    repeatedIsDoneOnce(witnessed, log),
    oneOrderEach(witnessed, log, await orderIdsIn(shopDatabase(shop.pool))),
    numbersAreUnique(log),
    oneConfirmationEach(await causesIn(shop), log),
    chainsAreIntact(books.conclude()),
    totalsAreEqual((await statsIn(shop.read).counted(now))?.figures, books.figuresAt(now)),
    await modelsMatch(shop),
    nobodySawAnothers(witnessed),
  ];
  return { events: log.events, placed: log.placings.size, verdicts };
};
