import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { openEmbeddedPostgres } from '../../platform/postgres/embedded-postgres.ts';
import { Resources } from '../../platform/resources.ts';
import { aborted, stopSignal } from '../../platform/stop-signal.ts';
import { benchEventStoreDb } from './eventstoredb-writes.ts';
import { benchEverything } from './full-run.ts';
import { benchPapers } from './invoice-pdfs.ts';
import { benchProjections, benchWhatIf } from './projection-rates.ts';
import { benchShop } from './shop/shop-writes.ts';
import { benchStore } from './event-store-writes.ts';
import { benchStock } from './stock-reservations.ts';
import { benchWeb } from './web.ts';

type Place = { readonly connectionString: string; readonly dataDir: string; readonly opened: Resources } & Pick<Wish, 'visits' | 'quick'>;

const BENCHES: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  store: benchStore,
  projections: benchProjections,
  'what-if': benchWhatIf,
  papers: benchPapers,
  shop: benchShop,
  stock: benchStock,
  web: benchWeb,
  eventstoredb: benchEventStoreDb,
  '': benchEverything,
};

type Wish = {
  readonly name: string;
  /** By `web`, of each page. */
  readonly visits: number;
  readonly quick: boolean;
};

const OPTIONS = { visits: { type: 'string', default: '5' }, quick: { type: 'boolean', default: false } } as const;

/** Undefined for an unknown bench. */
const wishOf = (args: string[]): Wish | undefined => {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const [name = '', ...more] = positionals;
    const visits = Number(values.visits);
    const isOne = Object.hasOwn(BENCHES, name) && more.length === 0 && Number.isInteger(visits) && visits > 0;
    return isOne ? { name, visits, quick: values.quick } : undefined;
  } catch {
    return undefined;
  }
};

/**
 * `npm run bench` for everything in one table, `npm run bench -- <name>` for a part, on a new Postgres, as durable as the shop's, which is
 * deleted afterwards. Returns the exit code.
 */
const main = async (args: string[]): Promise<number> => {
  const wish = wishOf(args);
  const bench = wish && BENCHES[wish.name];
  if (!bench) {
    console.log(`Usage: npm run bench [-- --quick | ${Object.keys(BENCHES).filter(Boolean).join(' | ')} [--visits 5]]`);
    return 1;
  }
  const until = stopSignal();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-bench-'));
  const opened = new Resources();
  const postgres = opened.with(await openEmbeddedPostgres({ dataDir }), (each) => each.close());
  try {
    return await Promise.race([
      bench({ connectionString: postgres.url, dataDir, opened, ...wish }).then(() => 0),
      aborted(until).then(() => 1),
    ]);
  } finally {
    // After an early stop, errors caused by the missing server do not matter.
    if (until.aborted) process.on('uncaughtException', () => {});
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

process.exit(await main(process.argv.slice(2)));
