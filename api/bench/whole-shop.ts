import type pg from 'pg';

import type { Opened } from '../infrastructure/opened.ts';
import { atRest } from './at-rest.ts';
import { insertInto, openBareTable, rateOf } from './bare-inserts.ts';
import { beside, type Beside, type Patience } from './beside.ts';
import { gaugeOf } from './gauges.ts';
import { questions } from './questions.ts';
import { besideKoa, CONNECTIONS } from './reads.ts';
import { sampleProduct } from './sample-products.ts';
import { journeysPerSecond } from './shop-journeys.ts';
import { stepsFor } from './shop.ts';
import { openStockedShop, type Size, type StockedShop } from './stocked-shop.ts';

/**
 * What was measured of a shop of one size, by the names of the operations. Memory of the whole shop in bytes, without its Postgres: the most
 * that it had after any of them.
 */
export type Measured = { readonly operations: Readonly<Record<string, Beside>>; readonly memory: number };

type Measure = () => Promise<Beside>;

const readsOf = (shop: StockedShop, size: Size, patience: Patience): [string, Measure][] =>
  questions.map(({ name, asked }) => [name, async () => besideKoa(shop.url, await asked(shop, size), patience)]);

/** So many perfumes visitors choose from. */
const CHOICE = 1_000;

const writesOf = (shop: StockedShop, { products }: Size, patience: Patience, pool: pg.Pool): [string, Measure][] => {
  const steps = stepsFor(Array.from({ length: Math.min(products, CHOICE) }, (_, product) => sampleProduct(product).id));
  const load = { url: shop.url, connections: CONNECTIONS, seconds: patience.seconds };
  const journeys = {
    'add to cart, ten each': steps.adds,
    'add to cart, new visitors': steps.firstAdds,
    'whole order, new visitors': steps.orders,
  };
  const inserts = async () => {
    await atRest(pool);
    return rateOf(CONNECTIONS, patience.seconds * 1_000, insertInto(pool));
  };
  return Object.entries(journeys).map(([name, journey]) => [name, () => beside(patience, inserts, () => journeysPerSecond(load, journey))]);
};

/** Of the process that answers requests and keeps the read models up to date, as it tells itself. */
const memoryOf = (url: string): Promise<number> => gaugeOf(url, 'process_resident_memory_bytes');

/** Measures a shop of this size, which `opened` ends; also hands it on. */
export const measureShop = async (
  dataDir: string,
  size: Size,
  patience: Patience,
  opened: Opened,
): Promise<{ readonly shop: StockedShop; readonly measured: Measured }> => {
  const shop = await openStockedShop(dataDir, size, opened);
  const pool = await openBareTable(shop.connectionString, CONNECTIONS, opened);
  const operations: Record<string, Beside> = {};
  let memory = await memoryOf(shop.url);
  for (const [name, measure] of [...readsOf(shop, size, patience), ...writesOf(shop, size, patience, pool)]) {
    operations[name] = await measure();
    memory = Math.max(memory, await memoryOf(shop.url));
  }
  return { shop, measured: { operations, memory } };
};
