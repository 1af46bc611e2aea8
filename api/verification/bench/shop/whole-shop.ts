import type pg from 'pg';

import { Resources } from '../../../platform/resources.ts';
import { atRest } from './at-rest.ts';
import { insertInto, openBareTable, callsPerSecond } from '../measuring/bare-inserts.ts';
import { compareWithLimit, type Comparison, type MeasuredPair, type MeasuringTime } from '../measuring/compare-with-limit.ts';
import { forgetPeak, peakMemory } from '../measuring/peak-memory.ts';
import { readOperations } from './read-operations.ts';
import { compareWithStaticFiles, CONNECTIONS } from '../measuring/reads.ts';
import { sampleProduct } from '../samples/sample-products.ts';
import { journeysPerSecond, type Step } from './shop-journeys.ts';
import { stepsFor } from './shop-writes.ts';
import type { Size, StockedShop } from './stocked-shop.ts';

/** By operation. Memory in bytes, without Postgres: the peak during the measurements. */
export type ShopFigures = { readonly operations: Readonly<Record<string, Comparison>>; readonly memory: number };

/** `opened` owns the resources made for the shop. */
export type Measurable = { readonly shop: StockedShop; readonly size: Size; readonly opened: Resources };

type Prepare = (opened: Resources) => Promise<MeasuredPair>;

const readsOf = ({ shop, size }: Measurable, duration: MeasuringTime): Readonly<Record<string, Prepare>> =>
  Object.fromEntries(
    readOperations.map(({ name, asking }): [string, Prepare] => [
      name,
      async (opened) => compareWithStaticFiles(shop.url, await asking(shop, size), duration, opened),
    ]),
  );

const CHOICE = 1_000;

/** `rest` resolves when all shops are at rest. */
const writesOf = (
  { shop, size }: Measurable,
  pool: pg.Pool,
  rest: () => Promise<void>,
  { seconds }: MeasuringTime,
): Readonly<Record<string, Prepare>> => {
  const products = Array.from({ length: Math.min(size.products, CHOICE) }, (_, product) => sampleProduct(product).id);
  const [bare, keyed] = [stepsFor(products), stepsFor(products, true)];
  const load = { url: shop.url, connections: CONNECTIONS, seconds };
  const inserts = async () => {
    await rest();
    return callsPerSecond(CONNECTIONS, seconds * 1_000, insertInto(pool));
  };
  const journey =
    (steps: readonly Step[], settled?: () => Promise<void>): Prepare =>
    async () => ({ limit: inserts, rate: () => journeysPerSecond(load, steps, settled) });
  return {
    'add to cart, ten each': journey(bare.adds),
    'add to cart, ten each, with Idempotency-Key': journey(keyed.adds),
    'add to cart, new visitors': journey(bare.firstAdds),
    'whole order, new visitors': journey(bare.orders),
    'whole order, with Idempotency-Keys': journey(keyed.orders),
    'whole order, sustained': journey(bare.orders, rest),
  };
};

const measureOne = async (prepared: readonly Prepare[], duration: MeasuringTime): Promise<readonly Comparison[]> => {
  const opened = new Resources();
  try {
    const pairs: MeasuredPair[] = [];
    for (const prepare of prepared) pairs.push(await prepare(opened));
    return await compareWithLimit(duration, pairs);
  } finally {
    await opened.close();
  }
};

/** Measures the shops in turns, so that a slow moment of the machine does not show as a difference between them. */
export const measureShops = async (shops: readonly Measurable[], duration: MeasuringTime): Promise<readonly ShopFigures[]> => {
  const stocked: { readonly each: Measurable; readonly pool: pg.Pool }[] = [];
  for (const each of shops) stocked.push({ each, pool: await openBareTable(each.shop.connectionString, CONNECTIONS, each.opened) });
  const rest = async (): Promise<void> => {
    for (const { pool } of stocked) await atRest(pool);
  };
  const all = stocked.map(({ each, pool }) => ({ ...readsOf(each, duration), ...writesOf(each, pool, rest, duration) }));
  for (const { shop } of shops) await forgetPeak(shop.pid);
  const operationsOf = shops.map((): Record<string, Comparison> => ({}));
  for (const name of Object.keys(all[0] ?? {})) {
    const figures = await measureOne(
      all.flatMap((operations) => operations[name] ?? []),
      duration,
    );
    for (const [index, operations] of operationsOf.entries()) {
      const figure = figures[index];
      if (!figure) throw new Error(`${name} was not measured in every shop`);
      operations[name] = figure;
    }
  }
  return Promise.all(shops.map(async ({ shop }, index) => ({ operations: operationsOf[index] ?? {}, memory: await peakMemory(shop.pid) })));
};
