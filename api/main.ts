import path from 'node:path';
import type { Logger } from 'pino';

import { banner } from './banner.ts';
import { mergeAtSignIn } from './cart/merge-at-sign-in.ts';
import { readConfig, type Config } from './config.ts';
import { CannotStart } from './infrastructure/cannot-start.ts';
import { openLogger } from './infrastructure/logger.ts';
import { Opened } from './infrastructure/opened.ts';
import { aborted, stopSignal } from './infrastructure/stop-signal.ts';
import { openWebServer, type WebServer } from './infrastructure/web-server.ts';
import { openPeople, type People } from './open-people.ts';
import { openQueries, openShop, type Queries, type Shop } from './open-shop.ts';
import { openApp, startProjections } from './parts.ts';
import { seedCatalogue } from './seed/seed-catalogue.ts';

const PARTS = { both: ['http', 'projections'], http: ['http'], projections: ['projections'] } as const;
type Part = 'http' | 'projections';

const partsFrom = (wanted = 'both'): readonly Part[] => {
  if (Object.hasOwn(PARTS, wanted)) return PARTS[wanted as keyof typeof PARTS];
  throw new CannotStart(`There is no part ${wanted} to start. There are: ${Object.keys(PARTS).join(', ')}.`);
};

/** Where the build of `web` is: every script starts the server in the root of the project. */
const WEB = path.resolve('.build/web');

/** How long the opening waits for the read model of the catalogue, in milliseconds: it may be up to a process that is not there yet. */
const CAUGHT_UP_WITHIN = 5_000;

const stock = async ({ execute, store, now }: Shop, { seed }: Config, queries: Queries | undefined): Promise<void> => {
  if (seed === 'catalogue') {
    const added = await seedCatalogue({ execute, streams: store, now });
    if (added > 0) console.log(`Added ${added} perfumes to the catalogue`);
  }
  await queries?.catalogue.waitFor(await store.head(['product']), CAUGHT_UP_WITHIN);
};

const openDoors = async (shop: Shop, queries: Queries, people: People, server: WebServer, config: Config, log: Logger): Promise<void> => {
  const publicUrl = config.publicUrl ?? server.url;
  const { dataDir, trustedProxies } = config;
  const app = await openApp(shop, queries, people, { publicUrl, webDirectory: WEB, dataDir, trustedProxies }, log);
  server.serve(app.callback());
  console.log(
    await banner(config, {
      url: server.url,
      publicUrl,
      embedded: [...shop.embedded, ...(people.mailbox ? [`mail catcher, read at ${publicUrl}/dev/mailbox`] : [])],
    }),
  );
};

/** Starts these parts of the shop. They end, in the reverse order, when `opened` is closed: first the doors, last the database. */
const start = async (parts: readonly Part[], config: Config, log: Logger, opened: Opened): Promise<void> => {
  const server = parts.includes('http') ? await openWebServer(config) : undefined;
  const shop = opened.with(await openShop(config, log), (each) => each.close());
  const queries = server && opened.with(await openQueries(shop, log), (each) => each.close());
  const place = { publicUrl: config.publicUrl ?? server?.url ?? '', onSignedIn: mergeAtSignIn(shop) };
  const people = server && opened.with(await openPeople(shop, config, place, log), (each) => each.close());
  if (parts.includes('projections')) opened.with(startProjections(shop, log), (each) => each.close());
  if (server) opened.with(server, (each) => each.close());
  await stock(shop, config, queries);
  if (server && queries && people) await openDoors(shop, queries, people, server, config, log);
  else console.log('The projections are at work');
};

const main = async (): Promise<void> => {
  const until = stopSignal();
  const parts = partsFrom(process.argv[2]);
  const config = readConfig(process.env);
  const log = openLogger(config.logLevel);
  const opened = new Opened();
  try {
    await start(parts, config, log, opened);
    await aborted(until);
    console.log('Closing: finishing what is under way');
  } finally {
    await opened.close();
    log.flush();
  }
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  },
);
