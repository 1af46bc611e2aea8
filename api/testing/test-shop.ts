import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Seller } from '#domain/invoice/events.ts';
import type { HeroVariant } from '#domain/site/pictures.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { readModels } from '#projections/read-models.ts';

import { openStaff } from '../composition/open-staff.ts';
import { openErasing, type Erasing } from '../erasure/open-erasure.ts';
import type { StepName } from '../erasure/steps.ts';
import type { KeyConfig } from '../event-store/encryption/keyring.ts';
import type { Config } from '../config.ts';
import { openPayments, type OpenedPayments } from '../payments/open-payments.ts';
import { openLogger, type ShopLogger } from '../platform/logger.ts';
import { Resources } from '../platform/resources.ts';
import { keysOf, openAccountsAndMail, type AccountsAndMail, type AccountsAndMailConfig } from '../composition/open-accounts-and-mail.ts';
import { openShop } from '../composition/open-shop.ts';
import { openQueries, type Queries } from '../composition/open-queries.ts';
import type { Shop } from '../composition/types/shop.ts';
import { startPaymentWorker, startProjections, startReactions, startReleasingStock } from '../composition/background-work.ts';
import { openApp, whenSignedIn } from '../composition/open-app.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { freshDatabase } from './database-per-test.ts';
import { keyEncryptionKey } from './test-keyring.ts';
import { listening } from './listening.ts';

/** The whole shop in this process, on its own database, with an empty catalogue. */
export type TestShop = Shop &
  Queries & {
    readonly people: AccountsAndMail;
    readonly erasing: Pick<Erasing, 'eraseLapsed'>;
    readonly payments: OpenedPayments;
    readonly url: string;
    readonly databaseUrl: string;
    close(): Promise<void>;
  };

type Options = {
  readonly publicUrl?: string;
  /** Default: a new one. With another shop's it is a second instance. */
  readonly databaseUrl?: string;
  /** As its owner. Default: the shop owns its tables. */
  readonly databaseMigrationUrl?: string;
  /** Of a replica. Default: none. */
  readonly databaseReadUrl?: string;
  /** Default: none, so only the API answers. */
  readonly webDirectory?: string;
  /** Default: the site content decides. */
  readonly hero?: HeroVariant;
  /** Default: true. */
  readonly projecting?: boolean;
  /** Default: as `projecting`. */
  readonly reacting?: boolean;
  /** Default: no first accounts, no third party, a hundred times the limits. */
  readonly people?: Partial<AccountsAndMailConfig>;
  /** Default: the test gateway, reminders after an hour, and a day for paying. */
  readonly payments?: Partial<Config['payments']> & { readonly isProduction?: boolean };
  /** Of an EventStoreDB double that the test breaks. Default: the log of all tests. */
  readonly eventStoreUrl?: string;
  /** Default: the key-encryption key of all tests. */
  readonly keys?: KeyConfig;
  /** Default: one without GSTIN. */
  readonly seller?: Seller;
  /** Default: as in production. */
  readonly callsAtOnce?: number;
  /** Default: none. */
  readonly tracing?: Tracing;
  /** Called at each step of an erasure; an error interrupts it. */
  readonly onErasureStep?: (step: StepName) => void;
  /** Default: a silent one. */
  readonly log?: ShopLogger;
};

const SELLER: Seller = { name: 'RUHANI', address: 'Kannauj 209725, India', state: 'Uttar Pradesh' };

const NOWHERE = '/nowhere';

const PEOPLE: Omit<AccountsAndMailConfig, 'eventStoreUrl'> = {
  admin: undefined,
  auditor: undefined,
  databaseUrl: undefined,
  dataDir: NOWHERE,
  google: undefined,
  rateLimitFactor: 100,
  sessionSecret: 'a secret of thirty-two characters',
  smtpUrl: undefined,
};

/** Not under `npm run test:eventstoredb`. */
export const isLogInPostgres = !process.env['TEST_LOG'];

/** In ms. On an EventStoreDB a new shop first passes by the streams of all earlier ones, for longer than a query waits. */
const CATCHES_UP_WITHIN = 10_000;

/** On an EventStoreDB each database has its own streams. */
const logOf = (
  databaseUrl: string,
  double: string | undefined,
): { eventStoreUrl: string | undefined; streamPrefix?: string; answerWithin?: number } => {
  if (isLogInPostgres && double === undefined) return { eventStoreUrl: undefined };
  const streamPrefix = `${new URL(databaseUrl).pathname.slice(1).replaceAll('_', '-')}-`;
  // It is further away than the tests' Postgres, and slow with a hundred commands at once.
  return { eventStoreUrl: double ?? process.env['EVENTSTORE_URL'], streamPrefix, answerWithin: 60_000 };
};

/** As `main` does, on a free port. */
export const openTestShop = async (options: Options = {}): Promise<TestShop> => {
  const { publicUrl = 'http://localhost', webDirectory = NOWHERE, projecting = true, reacting = projecting } = options;
  const { log = openLogger('silent') } = options;
  const opened = new Resources();
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const { databaseMigrationUrl } = options;
  const where = {
    dataDir: NOWHERE,
    keyEncryptionKey,
    databaseUrl,
    databaseMigrationUrl,
    ...logOf(databaseUrl, options.eventStoreUrl),
    tracing: options.tracing,
    ...options.keys,
  };
  const shop = opened.with(await openShop(where, log), (each) => each.close());
  const config = { ...PEOPLE, eventStoreUrl: where.eventStoreUrl, ...options.people };
  const { dataDir } = config;
  // Erasures are written to it, where no other shop finds them.
  const listDir = options.people?.dataDir ?? path.join(tmpdir(), `ruhani-shop-${randomUUID()}`);
  const { onErasureStep: onStep, callsAtOnce, hero } = options;
  const erasing = opened.with(await openErasing(shop, { dataDir: listDir, keys: await keysOf(config), onStep }, log), (each) =>
    each.close(),
  );
  const queries = opened.with(await openQueries(shop, log, options), (each) => each.close());
  const place = { publicUrl, onSignedIn: await whenSignedIn(shop, log) };
  const people = opened.with(await openAccountsAndMail(shop, config, place, log), (each) => each.close());
  if (projecting) opened.with(startProjections(shop, log), (each) => each.close());
  const payDir = options.people?.dataDir ?? path.join(tmpdir(), `ruhani-pay-${path.basename(new URL(databaseUrl).pathname)}`);
  await mkdir(payDir, { recursive: true });
  const { isProduction = false, ...times } = options.payments ?? {};
  const paying = { razorpay: undefined, reminderMinutes: 60, windowMinutes: 1_440, ...times };
  const payments = opened.with(
    await openPayments(
      shop,
      { dataDir: payDir, databaseUrl: isProduction ? databaseUrl : undefined, payments: paying },
      options.publicUrl ?? 'http://localhost',
      log,
    ),
    (each) => each.close(),
  );
  const { seller = SELLER } = options;
  if (reacting) opened.with(startReactions(shop, { ...people, ...people.restock, publicUrl, seller }, log), (each) => each.close());
  if (reacting) opened.with(startPaymentWorker(payments), (each) => each.close());
  if (reacting) opened.with(startReleasingStock(shop, log), (each) => each.close());
  const staff = opened.with(openStaff(shop, queries, people, payments, log), (each) => each.close());
  const app = await openApp(
    { shop, queries, people, staff, erasing, payments },
    { publicUrl, webDirectory, hero, dataDir, trustedProxies: 0, callsAtOnce },
    log,
  );
  const { url } = opened.with(await listening(app), (each) => each.close());
  if (projecting && !isLogInPostgres) {
    const caughtUp = async ({ name, categories }: Projector) =>
      queries.progress.waitFor(name, await shop.store.head(categories), CATCHES_UP_WITHIN);
    await Promise.all(readModels.map(caughtUp));
  }
  return { ...shop, ...queries, people, erasing, payments, url, databaseUrl, close: opened.close };
};
