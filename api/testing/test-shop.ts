import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';

import type { Seller } from '#domain/invoice/events.ts';
import type { HeroVariant } from '#domain/site/pictures.ts';
import { readModels } from '#projections/read-models.ts';

import type { Erasing } from '../erasure/open-erasure.ts';
import type { StepName } from '../erasure/steps.ts';
import type { AccountsAndMail, AccountsAndMailConfig } from '../composition/open-accounts-and-mail.ts';
import { openProcess, type Part } from '../composition/open-process.ts';
import type { Queries } from '../composition/open-queries.ts';
import type { KeyConfig } from '../event-store/encryption/keyring.ts';
import type { Config } from '../config.ts';
import type { OpenedPayments } from '../payments/open-payments.ts';
import type { DeadlineClock } from '../platform/postgres/database-clock.ts';
import { openLogger, type ShopLogger } from '../platform/logger.ts';
import { Resources } from '../platform/resources.ts';
import type { Shop } from '../shop.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { freshDatabase } from './database-per-test.ts';
import { keyEncryptionKey } from './test-keyring.ts';
import { QUICK_HASHING } from './quick-hashing.ts';

/** The whole shop in this process, on its own database, with an empty catalogue. */
export type TestShop = Shop &
  Queries & {
    readonly people: AccountsAndMail;
    readonly erasing: Pick<Erasing, 'eraseLapsed'>;
    readonly payments: OpenedPayments;
    readonly url: string;
    readonly databaseUrl: string;
    /** Each database has its own directory, which lasts until the test run ends. */
    readonly dataDir: string;
    close(): Promise<void>;
  };

type Options = {
  readonly publicUrl?: string;
  /** By default the database is new. With another shop's database it is a second instance. */
  readonly databaseUrl?: string | undefined;
  /** Connects as the owner. By default the shop's role owns its tables. */
  readonly databaseMigrationUrl?: string;
  /** The URL is that of a replica. By default there is none. */
  readonly databaseReadUrl?: string;
  /** By default there is no build, so that only the API answers. */
  readonly webDirectory?: string;
  /** By default the site content decides about the hero. */
  readonly hero?: HeroVariant;
  /** Runs the read models, without which the catalogue is empty. By default it does not. */
  readonly projecting?: boolean;
  /** Runs reactions and jobs: mails about orders, refunds, tax documents, notices. By default it does not. */
  readonly reacting?: boolean;
  /** By default there are no first accounts and no third party, and the limits are a hundred times as high. */
  readonly people?: Partial<AccountsAndMailConfig>;
  /** By default the test gateway is used, reminders are sent after an hour, and a day is left for paying. */
  readonly payments?: Partial<Config['payments']> & { readonly isProduction?: boolean };
  /** The URL is that of an EventStoreDB double that the test breaks. By default it is the log of all tests. */
  readonly eventStoreUrl?: string;
  /** The URL is that of the database of which `databaseUrl` is a copy: in an EventStoreDB both have one log. */
  readonly copyOf?: string;
  /** By default the key-encryption key is that of all tests. */
  readonly keys?: KeyConfig;
  /** By default the seller has no GSTIN. */
  readonly seller?: Seller;
  /** By default nobody cosigns the log. */
  readonly witnessPolicy?: Config['witnessPolicy'];
  /** By default the number is that of production. */
  readonly callsAtOnce?: number;
  /** By default commands wait for a minute, since a busy machine is slow with a hundred commands at once. */
  readonly answerWithin?: number;
  /** By default deadlines are judged by the clock of the database, which no test can move. */
  readonly deadlineClock?: DeadlineClock;
  /** By default there is no tracing. */
  readonly tracing?: Tracing;
  /** The function is called at each step of an erasure; an error interrupts it. */
  readonly onErasureStep?: (step: StepName) => void;
  /** By default the logger is silent. */
  readonly log?: ShopLogger;
};

const CONFIG: Omit<Config, 'dataDir'> & Pick<AccountsAndMailConfig, 'hashingCost'> = {
  host: '127.0.0.1',
  port: 0,
  opsPort: undefined,
  workers: 1,
  // Embedded, as far as the shop behaves differently then.
  databaseUrl: undefined,
  databaseMigrationUrl: undefined,
  databaseReadUrl: undefined,
  eventStoreUrl: undefined,
  smtpUrl: undefined,
  publicUrl: 'http://localhost',
  sessionSecret: 'a secret of thirty-two characters',
  keyEncryptionKey,
  previousKeyEncryptionKey: undefined,
  logSigningKey: undefined,
  witnessPolicy: { witnesses: [], quorum: 0 },
  witness: { port: 0, dir: '/nowhere' },
  keyRotationDays: 30,
  admin: undefined,
  auditor: undefined,
  google: undefined,
  payments: { razorpay: undefined, reminderMinutes: 60, windowMinutes: 1_440 },
  seller: { name: 'RUHANI', address: 'Kannauj 209725, India', state: 'Uttar Pradesh' },
  logLevel: 'silent',
  hashingCost: QUICK_HASHING,
  rateLimitFactor: 100,
  trustedProxies: 0,
  seed: 'none',
  hero: undefined,
  traces: undefined,
};

/** The value is false under `npm run test:eventstoredb`. */
export const isLogInPostgres = !process.env['TEST_LOG'];

/** On an EventStoreDB a new shop first passes by the streams of all earlier ones, for longer than a query waits. */
const CATCHES_UP_WITHIN_MS = 10_000;

/** On an EventStoreDB each database has its own streams. */
const chooseLog = (databaseUrl: string, double: string | undefined): { eventStoreUrl: string | undefined; streamPrefix?: string } => {
  if (isLogInPostgres && double === undefined) return { eventStoreUrl: undefined };
  const streamPrefix = `${new URL(databaseUrl).pathname.slice(1).replaceAll('_', '-')}-`;
  return { eventStoreUrl: double ?? process.env['EVENTSTORE_URL'], streamPrefix };
};

/** Waits until each read model has applied the whole log, for a minute each at most. */
export const catchUp = async ({ store, progress }: Pick<TestShop, 'store' | 'progress'>): Promise<void> => {
  for (const { name, categories } of readModels)
    expect(await progress.waitFor(name, await store.head(categories), 60_000), name).toBe('fresh');
};

/** Opens a shop as `main` does, on a free port. */
export const openTestShop = async (options: Options = {}): Promise<TestShop> => {
  const { projecting = false, reacting = false, people, keys, log = openLogger('silent'), onErasureStep: onStep } = options;
  const { databaseUrl = await freshDatabase(), databaseMigrationUrl, tracing, webDirectory = '/nowhere', callsAtOnce } = options;
  const { answerWithin = 60_000 } = options;
  const { isProduction = false, ...payments } = options.payments ?? {};
  const logPlace = chooseLog(options.copyOf ?? databaseUrl, options.eventStoreUrl);
  const dataDir = people?.dataDir ?? path.join(process.env['TEST_DATA'] ?? tmpdir(), path.basename(new URL(databaseUrl).pathname));
  await mkdir(dataDir, { recursive: true });
  const { publicUrl = CONFIG.publicUrl, databaseReadUrl, hero, seller = CONFIG.seller, witnessPolicy = CONFIG.witnessPolicy } = options;
  const config: Config = {
    ...CONFIG,
    dataDir,
    publicUrl,
    databaseReadUrl,
    hero,
    seller,
    witnessPolicy,
    eventStoreUrl: logPlace.eventStoreUrl,
    ...(isProduction && { databaseUrl }),
    ...people,
    payments: { ...CONFIG.payments, ...payments },
  };
  const where = {
    ...config,
    ...logPlace,
    answerWithin,
    databaseUrl,
    databaseMigrationUrl,
    tracing,
    deadlineClock: options.deadlineClock,
    ...keys,
  };
  const parts: Part[] = ['http', ...(projecting ? (['projections'] as const) : []), ...(reacting ? (['reactions', 'jobs'] as const) : [])];
  const opened = new Resources();
  const catchUpWithin = projecting ? CATCHES_UP_WITHIN_MS : 0;
  const { shop, http, ...rest } = await openProcess(
    parts,
    config,
    { log, where, webDirectory, callsAtOnce, onStep, catchUpWithin },
    opened,
  );
  if (!http) throw new Error('The shop does not answer requests');
  const { url, queries } = http;
  if (projecting) await catchUp({ ...shop, ...queries });
  return { ...shop, ...queries, ...rest, people: http.people, url, databaseUrl, dataDir, close: opened.close };
};

/** Opens a shop that is closed after the test. */
export const openShopForTest = async (options: Options = {}): Promise<TestShop> => {
  const shop = await openTestShop(options);
  onTestFinished(() => shop.close());
  return shop;
};

/** Opens a shop that is closed after the last test of the file. */
export const openShopForFile = async (options: Options = {}): Promise<TestShop> => {
  const shop = await openTestShop(options);
  afterAll(() => shop.close());
  return shop;
};
