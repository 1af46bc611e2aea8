import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openEmbeddedPostgres } from '../infrastructure/embedded-postgres.ts';
import { Opened } from '../infrastructure/opened.ts';
import { aborted, stopSignal } from '../infrastructure/stop-signal.ts';
import { benchProjections } from './projections.ts';
import { benchShop } from './shop.ts';
import { benchStore } from './store.ts';
import { benchWeb } from './web.ts';

type Place = { readonly connectionString: string; readonly dataDir: string; readonly opened: Opened };

const BENCHES: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  store: benchStore,
  projections: benchProjections,
  shop: benchShop,
  web: benchWeb,
};

/** `npm run bench -- <name>`: on a Postgres of its own, as durable as the shop's, which is gone afterwards. Answers with the exit code. */
const main = async (args: readonly string[]): Promise<number> => {
  const [name = ''] = args;
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (!bench || args.length > 1) {
    console.log(`Usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
    return 1;
  }
  const until = stopSignal();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-bench-'));
  const opened = new Opened();
  const postgres = opened.with(await openEmbeddedPostgres({ dataDir }), (each) => each.close());
  try {
    return await Promise.race([bench({ connectionString: postgres.url, dataDir, opened }).then(() => 0), aborted(until).then(() => 1)]);
  } finally {
    // Stopped early it is in the middle of its work, and what breaks there when its server goes is of no interest.
    if (until.aborted) process.on('uncaughtException', () => {});
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

process.exit(await main(process.argv.slice(2)));
