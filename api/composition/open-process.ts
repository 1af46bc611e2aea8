import { followProgress } from '#projections/reading/progress.ts';
import { readModels } from '#projections/read-models.ts';

import { createApp, type AppDeps } from '../app.ts';
import { openAudit } from '../audit/open-audit.ts';
import { seedCatalogue } from '../catalogue/seed/seed-catalogue.ts';
import type { Config } from '../config.ts';
import { openErasing, type Erasing, type ErasingOptions } from '../erasure/open-erasure.ts';
import { createRestockNotices } from '../restock-notices/restock-notices.ts';
import { outbox as outboxWith } from '../mail/outbox.ts';
import { openLiveOrders } from '../orders/live-orders.ts';
import { openOrders } from '../orders/open-orders.ts';
import { createOrderIds } from '../orders/order-ids.ts';
import { createVisitorUsers } from '../orders/visitor-users.ts';
import { openPayments, type OpenedPayments } from '../payments/open-payments.ts';
import type { ShopLogger } from '../platform/logger.ts';
import { despiteLosses } from '../platform/postgres/postgres-client.ts';
import type { Resources } from '../platform/resources.ts';
import { followProcesses } from '../platform/supervisor.ts';
import { openWebServer } from '../platform/web-server.ts';
import { atSignIn } from './at-sign-in.ts';
import { unsentOrderMails } from '../mail/unsent-order-mails.ts';
import {
  startLogTree,
  startPaymentWorker,
  startProjections,
  startReactions,
  startReleasingStock,
  startRotatingKeys,
} from './background-work.ts';
import { deriveAccountKeys, openAccountsAndMail, type AccountsAndMail, type AccountsAndMailConfig } from './open-accounts-and-mail.ts';
import { openQueries, type Queries } from './open-queries.ts';
import { openShop } from './open-shop.ts';
import { openStaff } from './open-staff.ts';
import { opsApp, createOps, type Ops } from './ops.ts';
import { openLogKey } from '../transparency/log-key.ts';
import { createWitnesses } from '../transparency/witnesses.ts';
import type { Shop, ShopConfig } from '../shop.ts';

/** `http` answers requests. `jobs` sends payment reminders and refunds, and releases the bottles of interrupted placings. */
export type Part = 'http' | 'projections' | 'reactions' | 'jobs';

export type OpenedProcess = {
  readonly shop: Shop;
  readonly erasing: Erasing;
  readonly payments: OpenedPayments;
  /** With the part `http`. */
  readonly http:
    { readonly url: string; readonly publicUrl: string; readonly queries: Queries; readonly people: AccountsAndMail } | undefined;
};

type Options = Pick<AppDeps, 'webDirectory' | 'callsAtOnce'> &
  Pick<ErasingOptions, 'onStep'> & {
    readonly log: ShopLogger;
    /** Databases, event store and keys. Default: those of the configuration. */
    readonly where?: ShopConfig;
    /** How long the opening waits for the catalogue's read model, in ms: it may be up to a process that is not there yet. */
    readonly catchUpWithin?: number;
  };

const nobody = (): boolean => false;

/** Opens health checks and metrics, on their own port if one is configured. */
const openOps = async (
  shop: Shop,
  queries: Queries | undefined,
  isGatewayAvailable: () => boolean,
  { host, opsPort, keyRotationDays }: Config,
  opened: Resources,
): Promise<Ops | undefined> => {
  if (!queries && opsPort === undefined) return undefined;
  const progress = queries?.progress ?? opened.with(await followProgress(shop.read, readModels), (each) => each.close());
  const ops = createOps({ shop, progress, models: readModels, isGatewayAvailable, keyRotationDays, notOpen: followProcesses() });
  if (opsPort === undefined) return ops;
  const server = opened.with(await openWebServer({ host, port: opsPort, isOwn: true, variable: 'OPS_PORT' }), (each) => each.close());
  server.serve(opsApp(ops).callback());
  console.log(`Health and metrics are at ${server.url}`);
  return ops;
};

const seed = async ({ execute, store, now }: Shop): Promise<void> => {
  const added = await seedCatalogue({ execute, streams: store, now });
  if (added > 0) console.log(`Added ${added} perfumes to the catalogue`);
};

/** Opens these parts of the shop. They end, in the reverse order, when `opened` is closed: first the web server, last the database. */
export const openProcess = async (
  parts: readonly Part[],
  config: Config & Pick<AccountsAndMailConfig, 'hashingCost'>,
  options: Options,
  opened: Resources,
): Promise<OpenedProcess> => {
  const { log, where = config, onStep, webDirectory, callsAtOnce, catchUpWithin = 5_000 } = options;
  const { dataDir, host, port, hero, trustedProxies, witnessPolicy } = config;
  const server = parts.includes('http') ? await openWebServer(config) : undefined;
  const publicUrl = config.publicUrl ?? server?.url ?? `http://${host}:${port}`;
  const logKey = await openLogKey(config, parts.includes('projections'));
  const shop = opened.with(await openShop(where, log), (each) => each.close());
  const { db, tracing } = shop;
  const now = () => new Date(shop.now());
  const keys = await deriveAccountKeys(config);
  const erasing = opened.with(await openErasing(shop, { dataDir, keys, onStep }, log), (each) => each.close());
  const queries = server && opened.with(await openQueries(shop, log, config), (each) => each.close());
  const payments = opened.with(await openPayments(shop, config, publicUrl, log), (each) => each.close());
  const onSignedIn = atSignIn({ ...shop, log, idOf: await createOrderIds(db), visitors: createVisitorUsers(db, shop.now) });
  const people = server && opened.with(await openAccountsAndMail(shop, config, { publicUrl, onSignedIn }, log), (each) => each.close());
  if (parts.includes('projections')) {
    opened.with(startProjections(shop, log), (each) => each.close());
    const witnesses = createWitnesses(witnessPolicy, log);
    if (logKey) opened.with(startLogTree(shop, { ...logKey, dataDir, publicUrl, witnesses, witnessPolicy }, log), (each) => each.close());
  }
  if (parts.includes('reactions')) {
    const outbox = people?.outbox ?? outboxWith({ key: keys.mail, now, tracing });
    const notices = people?.restock.notices ?? createRestockNotices({ ...shop, outbox, now, key: keys.notices, publicUrl });
    const mails = people?.mails ?? unsentOrderMails({ db, outbox, now });
    opened.with(startReactions(shop, { outbox, mails, notices, publicUrl, seller: config.seller }, log), (each) => each.close());
  }
  if (parts.includes('jobs')) {
    opened.with(startPaymentWorker(payments), (each) => each.close());
    opened.with(startReleasingStock(shop, log), (each) => each.close());
    opened.with(startRotatingKeys(shop, config.keyRotationDays, log), (each) => each.close());
  }
  if (server) opened.with(server, (each) => each.close());
  const ops = await openOps(shop, queries, payments.isGatewayAvailable, config, opened);
  if (config.seed === 'catalogue') await despiteLosses(() => seed(shop), log);
  await queries?.catalogue.waitFor(await shop.store.head(['product']), catchUpWithin);
  if (!server || !queries || !people || !ops) return { shop, erasing, payments, http: undefined };
  const staff = opened.with(openStaff(shop, queries, people, payments, log), (each) => each.close());
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'An order could not be sent to its open page');
  const liveOrders = opened.with(openLiveOrders({ ...shop, ...queries, onTrouble }), async (each) => each.close());
  const audit = openAudit(shop, queries, people, config);
  const maySeeOps = config.opsPort === undefined ? undefined : nobody;
  const paymentMinutes = config.payments.windowMinutes;
  const site = {
    publicUrl,
    webDirectory,
    hero,
    paymentMinutes,
    dataDir,
    trustedProxies,
    seller: config.seller,
    maySeeOps,
    callsAtOnce,
  };
  const opening = { shop, queries, people, staff, liveOrders, erasing, payments, ops, audit, orders: await openOrders(shop) };
  server.serve(await createApp({ ...opening, ...site, log }));
  return { shop, erasing, payments, http: { url: server.url, publicUrl, queries, people } };
};
