import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startEventStoreDbDouble } from '../../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { openEmbeddedPostgres } from '../../platform/postgres/embedded-postgres.ts';
import type { Resources } from '../../platform/resources.ts';
import { operatorCommandsFor } from './operator-commands.ts';
import { CLERK } from '../journeys/clerk.ts';
import { openCutProxy } from './cut-proxy.ts';
import { openDrillGateway } from './drill-gateway.ts';
import { openDyingMailServer } from './dying-mail-server.ts';
import { keepRunning } from './restarted-process.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';

export const stores = ['postgres', 'eventstoredb'] as const;

export type DrillEnvironmentOptions = {
  readonly seed: number;
  readonly store: (typeof stores)[number];
  /** The directory for Postgres and for the processes' output (`processes.log`). */
  readonly dataDir: string;
  /** A directory with another release, built, that runs half of the processes. */
  readonly before?: string | undefined;
  /** Leaves out the proxies, which would slow down the load because both run in the same process. */
  readonly isDirect?: boolean;
};

/** Connection strings of the shop's database, for the application's role and for the tables' owner. */
export type Databases = { readonly databaseUrl: string; readonly databaseMigrationUrl: string };

export const programIn = (directory = '.'): string => path.resolve(directory, '.build/server/main.js');

/** With these times, unpaid orders are cancelled during the drill. */
const PAYMENT_TIMES = { PAYMENT_REMINDER_MINUTES: '0.1', PAYMENT_WINDOW_MINUTES: '0.4' };

/** Runs before the program, and sets the clock that it sees ahead by a day. */
const CLOCK_AHEAD = `
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + 86_400_000); }
    static now() { return Real.now() + 86_400_000; }
  };`;

const SECRET = 'a secret that only this drill has, of more than 32 characters';

/** Throws when the condition does not become true in time. An error counts as not yet true. */
export const waitUntil = async (isTrue: () => Promise<boolean>, within: number, what: string): Promise<void> => {
  const deadline = performance.now() + within;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not within ${within} ms: ${what}`);
    await pause(100);
  }
};

const through = (url: string, port: number): string => {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
};

/** Starts two APIs, two workers and the servers that they need, with proxies for each process. Resolves when the shop is open. */
export const openDrillEnvironment = async (
  { seed, store, dataDir, before, isDirect = false }: DrillEnvironmentOptions,
  recorded: RecordedAnswers,
  opened: Resources,
) => {
  const postgres = opened.with(await openEmbeddedPostgres({ dataDir, onTrouble: () => {} }), (each) => each.close());
  const databases = { databaseUrl: postgres.applicationUrl, databaseMigrationUrl: postgres.url };
  const mailServer = opened.with(await openDyingMailServer(), (each) => each.close());
  const eventStoreDb =
    store === 'eventstoredb' ? opened.with(await startEventStoreDbDouble(), async (double) => double.close()) : undefined;

  const createEnvironment = (
    { databaseUrl, databaseMigrationUrl }: Databases,
    eventStoreUrl?: string,
  ): Readonly<Record<string, string>> => ({
    PORT: '0',
    PUBLIC_URL: 'http://localhost',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_MIGRATION_URL: databaseMigrationUrl,
    ...(eventStoreUrl !== undefined && { EVENTSTORE_URL: eventStoreUrl }),
    SMTP_URL: mailServer.url,
    SESSION_SECRET: SECRET,
    ADMIN_EMAIL: CLERK.email,
    ADMIN_PASSWORD: CLERK.password,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_FACTOR: '100000',
  });
  const runIn = (release: string | undefined, name: string, env: Readonly<Record<string, string>>, ...parts: readonly string[]) => {
    const onOutput = (text: string) => appendFileSync(path.join(dataDir, 'processes.log'), text);
    const args = ['--enable-source-maps', programIn(release), ...parts];
    return opened.with(keepRunning({ name, args, env, onOutput }), async (each) => void (await each.end()));
  };
  const run = (name: string, env: Readonly<Record<string, string>>, ...parts: readonly string[]) => runIn(undefined, name, env, ...parts);
  const wireTo = async (url: string) => {
    const port = Number(new URL(url).port);
    return opened.with(await openCutProxy(() => port), (each) => each.close());
  };
  const apiUrls: (() => string | undefined)[] = [];
  const gateway = opened.with(await openDrillGateway(() => apiUrls.flatMap((url) => url() ?? [])), (each) => each.close());
  const openProcess = async (name: string, part: string, release?: string) => {
    if (isDirect) {
      const env = { ...createEnvironment(databases, eventStoreDb?.connectionString), ...gateway.env, ...PAYMENT_TIMES };
      return { kept: runIn(release, name, env, part), wires: [] };
    }
    const wire = await wireTo(postgres.url);
    const eventStoreWire = eventStoreDb && (await wireTo(eventStoreDb.connectionString));
    const env = createEnvironment(
      { databaseUrl: through(databases.databaseUrl, wire.port), databaseMigrationUrl: through(databases.databaseMigrationUrl, wire.port) },
      eventStoreDb && eventStoreWire && through(eventStoreDb.connectionString, eventStoreWire.port),
    );
    const kept = runIn(release, name, { ...env, ...gateway.env, ...PAYMENT_TIMES }, part);
    return { kept, wires: eventStoreWire ? [wire, eventStoreWire] : [wire] };
  };
  const workers = [await openProcess('worker 1', 'projections'), await openProcess('worker 2', 'projections', before)] as const;
  const apis = [await openProcess('API 1', 'http'), await openProcess('API 2', 'http', before)] as const;
  const startAhead = () => {
    const env = { ...createEnvironment(databases, eventStoreDb?.connectionString), ...gateway.env, ...PAYMENT_TIMES };
    const ahead = `--import=data:text/javascript,${encodeURIComponent(CLOCK_AHEAD)}`;
    return run('worker with a clock ahead', { ...env, NODE_OPTIONS: ahead }, 'projections');
  };
  apiUrls.push(...apis.map(({ kept }) => kept.url));
  const isOpen = async () => (await Promise.all(apis.map(({ kept }) => fetch(new URL('/readyz', kept.url()))))).every(({ ok }) => ok);
  await waitUntil(isOpen, 120_000, `the shop of seed ${seed} opens`);
  return {
    /** The URL of the embedded Postgres, without a proxy. */
    url: postgres.url,
    databases,
    envOf: createEnvironment,
    run,
    apis: [apis[0].kept, apis[1].kept] as const,
    workers: [workers[0].kept, workers[1].kept] as const,
    wires: [...apis, ...workers].flatMap(({ wires }) => wires),
    mailServer,
    gateway,
    eventStoreDb,
    startAhead,
    operator: operatorCommandsFor({ dataDir, env: createEnvironment(databases, eventStoreDb?.connectionString), recorded }),
    dataDir,
  };
};

export type DrillEnvironment = Readonly<Awaited<ReturnType<typeof openDrillEnvironment>>>;
