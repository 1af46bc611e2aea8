import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';

import { Resources } from '../../platform/resources.ts';
import type { MeasuringTime } from './measuring/compare-with-limit.ts';
import { measurePapers } from './invoice-pdfs.ts';
import { withLongLog } from './projection-rates.ts';
import { measureRebuilds, measureWhatIf } from './rebuilds.ts';
import { resultRows, type Everything, markdownTable } from './result-rows.ts';
import { sampleProduct } from './samples/sample-products.ts';
import { measureStarts } from './shop/starts.ts';
import { measureReservations } from './stock-reservations.ts';
import { openStockedShop, type Size } from './shop/stocked-shop.ts';
import { measureVisible } from './shop/time-to-visible.ts';
import { measureShops, type Measurable } from './shop/whole-shop.ts';

type Scale = {
  readonly small: Size;
  readonly large: Size;
  /** Of products, and as many of orders, in the log that read models are rebuilt from. */
  readonly events: number;
  readonly rebuilds: number;
  readonly samples: number;
  readonly duration: MeasuringTime;
};

const FULL: Scale = {
  small: { products: 1_000, orders: 1_000 },
  large: { products: 100_000, orders: 100_000 },
  events: 1_000_000,
  rebuilds: 1,
  samples: 300,
  duration: { rounds: 5, seconds: 2 },
};

/** For a trial run: its figures are not meaningful. */
const QUICK: Scale = {
  small: { products: 200, orders: 200 },
  large: { products: 2_000, orders: 2_000 },
  events: 20_000,
  rebuilds: 1,
  samples: 30,
  duration: { rounds: 1, seconds: 0.5 },
};

const JSON_FILE = '.build/bench.json';

const machine = (): string => {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model.trim()}, Node ${process.versions.node}, Postgres 18 with fsync`;
};

const say = (doing: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${doing}`);

type Place = { readonly connectionString: string; readonly dataDir: string; readonly opened: Resources; readonly quick: boolean };

const inShops = async (dataDir: string, opened: Resources, { small, large, duration, samples }: Scale) => {
  const open = async (name: string, size: Size): Promise<Measurable> => {
    say(`A shop of ${size.products} products and ${size.orders} orders`);
    const own = opened.with(new Resources(), (each) => each.close());
    return { shop: await openStockedShop(path.join(dataDir, name), size, own), size, opened: own };
  };
  const [first, second] = [await open('small', small), await open('large', large)];
  say('Both side by side');
  const [ofSmall, ofLarge] = await measureShops([first, second], duration);
  await second.opened.close();
  say('From placing to being seen');
  const visible = await measureVisible(first.shop, sampleProduct(0).id, samples, first.opened);
  await first.opened.close();
  if (!ofSmall || !ofLarge) throw new Error('Two shops are measured');
  return { small: ofSmall, large: ofLarge, visible };
};

const report = async (everything: Everything): Promise<void> => {
  const { sizes } = everything;
  const count = ({ products, orders }: Size) => `${products.toLocaleString('en-US')} products, ${orders.toLocaleString('en-US')} orders`;
  const headings = ['', count(sizes.small), '', '×', count(sizes.large), '', '×', 'to reach', 'reached'];
  console.log(`\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
  console.log(markdownTable(headings, resultRows(everything)));
  await mkdir(path.dirname(JSON_FILE), { recursive: true });
  await writeFile(JSON_FILE, `${JSON.stringify({ at: new Date().toISOString(), machine: machine(), ...everything }, null, 2)}\n`);
  console.log(`\nThe figures are in ${JSON_FILE}`);
};

/** All figures of the shop in one table, each beside its limit in the same run. `quick`: a trial run. */
export const benchEverything = async ({ connectionString, dataDir, opened, quick }: Place): Promise<Everything> => {
  const scale = quick ? QUICK : FULL;
  say('First and second start of a fresh clone');
  const starts = await measureStarts(path.join(dataDir, 'clone'));
  const shops = await inShops(dataDir, opened, scale);
  say(`Rebuilding read models of ${scale.events} events, and recounting their orders`);
  const ofLongLog = await withLongLog(connectionString, scale.events, async (url) => ({
    rebuilds: await measureRebuilds(url, scale.rebuilds),
    whatIf: await measureWhatIf(url),
  }));
  say('Reading invoices');
  const own = new Resources();
  const papers = await measurePapers({ dataDir: path.join(dataDir, 'papers'), opened: own }).finally(own.close);
  say('Reserving bottles of one perfume');
  const reservations = await measureReservations({ connectionString, dataDir }, scale.duration);
  const everything = { sizes: { small: scale.small, large: scale.large }, ...shops, ...ofLongLog, starts, papers, reservations };
  await report(everything);
  return everything;
};
