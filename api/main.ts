import cluster from 'node:cluster';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

import { followProgress } from '#projections/reading/progress.ts';
import { readModels } from '#projections/read-models.ts';

import { openStaff, type Staff } from './composition/open-staff.ts';
import { readConfig, type Config } from './config.ts';
import { openErasing, type Erasing } from './erasure/open-erasure.ts';
import { openPayments, type OpenedPayments } from './payments/open-payments.ts';
import { CannotStart } from './platform/cannot-start.ts';
import { openLogger, type ShopLogger } from './platform/logger.ts';
import { Resources } from './platform/resources.ts';
import { withDatabaseThere } from './platform/postgres/postgres-client.ts';
import { aborted, stopSignal } from './platform/stop-signal.ts';
import { followProcesses, supervise, reportOpen, type ProcessTask } from './platform/supervisor.ts';
import { openWebServer, type WebServer } from './platform/web-server.ts';
import { restockNoticesWith } from './inbox/notices/restock-notices.ts';
import { outbox as outboxWith } from './mail/outbox.ts';
import { keysOf, openAccountsAndMail, type AccountsAndMail } from './composition/open-accounts-and-mail.ts';
import { openShop } from './composition/open-shop.ts';
import { openQueries, type Queries } from './composition/open-queries.ts';
import type { Shop } from './composition/types/shop.ts';
import { checkOpsPorts, opsApp, type Ops } from './composition/ops.ts';
import { startPaymentWorker, startProjections, startReactions, startReleasingStock } from './composition/background-work.ts';
import { openApp, watch, whenSignedIn } from './composition/open-app.ts';
import { seedCatalogue } from './catalogue/seed/seed-catalogue.ts';
import type { Tracing } from './observability/tracing/tracing.ts';
import { ADMIN_PASSWORD_FILE, adminPassword } from './composition/admin-password.ts';

const adminLine = async (config: Config): Promise<string> => {
  const { admin, dataDir } = config;
  if (!admin) return 'none: set ADMIN_EMAIL and ADMIN_PASSWORD to have one';
  if (admin.password !== undefined) return `${admin.email}, with ADMIN_PASSWORD`;
  const made = await adminPassword(config);
  if (made === undefined) return 'none: set ADMIN_PASSWORD to have one';
  return `${admin.email}, password ${made} (kept in ${path.join(dataDir, ADMIN_PASSWORD_FILE)})`;
};

type Running = { readonly url: string; readonly publicUrl: string; readonly embedded: readonly string[] };

/** Printed when the shop is open: its address, who may manage it, and where its data lie. */
const banner = async (config: Config, { url, publicUrl, embedded }: Running): Promise<string> => {
  const lines = [
    ['Shop', publicUrl === url ? url : `${publicUrl}, listening on ${url}`],
    ['API', `${publicUrl}/api`],
    ['Admin', await adminLine(config)],
    ...(config.auditor ? [['Auditor', `${config.auditor.email}, with AUDITOR_PASSWORD`]] : []),
    ['Data', config.databaseUrl === undefined ? config.dataDir : 'in the Postgres of DATABASE_URL'],
    ['Embedded', embedded.length > 0 ? embedded.join(', ') : 'nothing'],
  ];
  return ['', '  RUHANI is open', '', ...lines.map(([name = '', what = '']) => `  ${name.padEnd(10)}${what}`), ''].join('\n');
};

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

const seedAndCatchUp = async ({ execute, store, now }: Shop, { seed }: Config, queries: Queries | undefined): Promise<void> => {
  if (seed === 'catalogue') {
    const added = await seedCatalogue({ execute, streams: store, now });
    if (added > 0) console.log(`Added ${added} perfumes to the catalogue`);
  }
  await queries?.catalogue.waitFor(await store.head(['product']), CAUGHT_UP_WITHIN);
};

/** How long a start goes on that is asked to stop, in milliseconds. */
const START_ENDS_WITHIN = 5_000;

type OpenedParts = {
  readonly shop: Shop;
  readonly queries: Queries;
  readonly people: AccountsAndMail;
  readonly staff: Staff;
  readonly ops: Ops;
  readonly erasing: Erasing;
  readonly payments: OpenedPayments;
};

const nobody = (): boolean => false;

/** What this process is asked by whoever runs the shop; on a port of its own, if there is one. */
const openOps = async (
  shop: Shop,
  queries: Queries | undefined,
  isGatewayAvailable: () => boolean,
  { host, opsPort }: Config,
  opened: Resources,
): Promise<Ops | undefined> => {
  const notOpen = followProcesses();
  if (opsPort === undefined) return queries && watch(shop, queries.progress, isGatewayAvailable, notOpen);
  const progress = queries?.progress ?? opened.with(await followProgress(shop.read, readModels), (each) => each.close());
  const server = opened.with(await openWebServer({ host, port: opsPort, isOwn: true, variable: 'OPS_PORT' }), (each) => each.close());
  const ops = watch(shop, progress, isGatewayAvailable, notOpen);
  server.serve(opsApp(ops).callback());
  console.log(`Health and metrics are at ${server.url}`);
  return ops;
};

/** A process among others says no more than that it is open. */
const isQuiet = process.argv[3] === 'quiet';

const serveShop = async (parts: OpenedParts, server: WebServer, config: Config, log: ShopLogger): Promise<void> => {
  const publicUrl = config.publicUrl ?? server.url;
  const { dataDir, trustedProxies, opsPort, hero } = config;
  const maySeeOps = opsPort === undefined ? undefined : nobody;
  const app = await openApp(parts, { publicUrl, webDirectory: WEB, hero, dataDir, trustedProxies, maySeeOps }, log);
  server.serve(app);
  if (isQuiet) return;
  const { shop, people, payments } = parts;
  console.log(
    await banner(config, {
      url: server.url,
      publicUrl,
      embedded: [
        ...shop.embedded,
        ...(people.mailbox ? [`mail catcher, read at ${publicUrl}/dev/mailbox`] : []),
        ...(payments.testPages ? [`test payments at ${publicUrl}/dev/payments`] : []),
      ],
    }),
  );
};

/** The libraries for traces are loaded only where these are wanted. */
const tracingFor = async ({ traces }: Config, log: Logger): Promise<Tracing | undefined> =>
  traces && (await import('./observability/tracing/open-tracing.ts')).openTracing(traces, log);

/** Starts these parts of the shop. They end, in the reverse order, when `opened` is closed: first the web server, last the database. */
const start = async (parts: readonly Part[], config: Config, log: ShopLogger, opened: Resources): Promise<void> => {
  const server = parts.includes('http') ? await openWebServer(config) : undefined;
  const tracing = opened.with(await tracingFor(config, log), async (each) => each?.close());
  const shop = opened.with(await openShop({ ...config, tracing }, log), (each) => each.close());
  const { dataDir } = config;
  const erasing = opened.with(await openErasing(shop, { dataDir, keys: await keysOf(config) }, log), (each) => each.close());
  const queries = server && opened.with(await openQueries(shop, log, config), (each) => each.close());
  const publicUrl = config.publicUrl ?? server?.url ?? `http://${config.host}:${config.port}`;
  const payments = opened.with(await openPayments(shop, config, publicUrl, log), (each) => each.close());
  const place = queries && { publicUrl, onSignedIn: await whenSignedIn(shop, log) };
  const people = place && opened.with(await openAccountsAndMail(shop, config, place, log), (each) => each.close());
  if (parts.includes('projections')) {
    opened.with(startProjections(shop, log), (each) => each.close());
    const keys = await keysOf(config);
    const now = () => new Date(shop.now());
    const outbox = people?.outbox ?? outboxWith({ key: keys.mail, now, tracing });
    const notices = restockNoticesWith({ ...shop, db: shop.db, outbox, now, key: keys.notices, publicUrl });
    opened.with(startReactions(shop, { outbox, notices, publicUrl, seller: config.seller }, log), (each) => each.close());
    opened.with(startPaymentWorker(payments), (each) => each.close());
    opened.with(startReleasingStock(shop, log), (each) => each.close());
  }
  if (server) opened.with(server, (each) => each.close());
  const ops = await openOps(shop, queries, payments.isGatewayAvailable, config, opened);
  await seedAndCatchUp(shop, config, queries);
  if (server && queries && people && ops) {
    const staff = opened.with(openStaff(shop, queries, people, payments, log), (each) => each.close());
    await serveShop({ shop, queries, people, staff, ops, erasing, payments }, server, config, log);
  } else console.log('The projections are at work');
  reportOpen();
};

/** What a cluster is made of: one process for the projections, if they are wanted, and `workers` that share the port. */
const tasksFor = (parts: readonly Part[], { workers, opsPort }: Config): readonly ProcessTask[] => {
  const projections: ProcessTask[] = parts.includes('projections') ? [{ name: 'The projections', args: ['projections'] }] : [];
  const http = Array.from({ length: workers }, (_, index): ProcessTask => ({
    name: `Worker ${index + 1}`,
    args: index === 0 ? ['http'] : ['http', 'quiet'],
  }));
  // Each has its own figures, hence a port of its own to tell them at.
  const portOf = (index: number): string => (opsPort === undefined ? '' : String(opsPort === 0 ? 0 : opsPort + index));
  return [...projections, ...http].map((task, index) => ({ ...task, env: { OPS_PORT: portOf(index) } }));
};

const main = async (): Promise<void> => {
  const until = stopSignal();
  const parts = partsFrom(process.argv[2]);
  const config = readConfig(process.env);
  const log = openLogger(config.logLevel);
  const isCluster = cluster.isPrimary && config.workers > 1 && parts.includes('http');
  const tasks = isCluster ? tasksFor(parts, config) : [];
  if (parts.includes('http')) checkOpsPorts(config, tasks.length || 1);
  if (isCluster) return supervise({ file: fileURLToPath(import.meta.url), tasks, until, log });
  const opened = new Resources();
  try {
    const starting = withDatabaseThere(() => start(parts, config, log, opened));
    // What is half open cannot be closed: a start that is to be stopped has a while left to end.
    await Promise.race([starting, aborted(until).then(() => Promise.race([starting, pause(START_ENDS_WITHIN)]))]);
    await aborted(until);
    console.log('Closing: finishing what is under way');
  } finally {
    await opened.close();
    await log.end();
  }
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  },
);
