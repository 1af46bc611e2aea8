import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';

import { myOrders } from '#projections/orders/my-orders.ts';

import { Resources } from '../../platform/resources.ts';
import { aborted, stopSignal } from '../../platform/stop-signal.ts';
import { loads, measure } from './load.ts';
import { ROOT, shopEnvironment, startShop } from './shop-server.ts';
import { openStockedShop, type StockedShop } from './stocked-shop.ts';
import { measureVisible } from './visible-elsewhere.ts';

const SIZE = { products: 1_000, orders: 50_000 };

const print = (name: string, figure: string): void => console.log(`${name.padEnd(44)}${figure.padStart(14)}`);
const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;

const rebuild = async ({ dataDir }: StockedShop, opened: Resources): Promise<void> => {
  const args = ['api/scripts/run.js', 'projections', 'rebuild', myOrders.name];
  const env = shopEnvironment({ DATA_DIR: dataDir });
  const command = opened.with(spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore' }), async (child) => child.kill());
  const [code] = await once(command, 'exit');
  if (code !== 0) throw new Error(`The rebuild ended with ${code}`);
};

const inShop = async (dataDir: string, opened: Resources): Promise<void> => {
  const shop = await openStockedShop(dataDir, SIZE, opened);
  print('placed → in My Orders of another process', `${(await measureVisible(shop)).toFixed(0)} ms`);
  for (const load of loads) print(load.name, await measure(shop, load));
  const began = performance.now();
  await rebuild(shop, opened);
  print(`rebuild of ${myOrders.name}`, secondsSince(began));
};

/** Prints the ten figures of the built shop, in a new data directory, which is deleted afterwards. Returns the exit code. */
const main = async (): Promise<number> => {
  const signal = stopSignal();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-bench-'));
  const opened = new Resources();
  const work = async (): Promise<number> => {
    console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`);
    console.log(`${SIZE.products.toLocaleString('en-US')} products, ${SIZE.orders.toLocaleString('en-US')} orders are being written\n`);
    await inShop(dataDir, opened);
    await opened.close();
    const began = performance.now();
    await startShop(dataDir, opened);
    print('start of the built shop', secondsSince(began));
    return 0;
  };
  try {
    return await Promise.race([work(), aborted(signal).then(() => 1)]);
  } finally {
    // After an early stop, errors caused by the missing server do not matter.
    if (signal.aborted) process.on('uncaughtException', () => {});
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

process.exit(await main());
