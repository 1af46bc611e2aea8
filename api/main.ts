import cluster from 'node:cluster';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

import { readConfig, type Config } from './config.ts';
import { CannotStart } from './platform/cannot-start.ts';
import { openLogger, type ShopLogger } from './platform/logger.ts';
import { Resources } from './platform/resources.ts';
import { withDatabaseThere } from './platform/postgres/postgres-client.ts';
import { aborted, stopSignal } from './platform/stop-signal.ts';
import { supervise, reportOpen, type ProcessTask } from './platform/supervisor.ts';
import { openProcess, type OpenedProcess, type Part } from './composition/open-process.ts';
import { checkOpsPorts } from './composition/ops.ts';
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

/** The banner is printed when the shop is open: its address, who may manage it, and where its data are. */
const banner = async (
  config: Config,
  { shop, payments }: OpenedProcess,
  { url, publicUrl, people }: NonNullable<OpenedProcess['http']>,
): Promise<string> => {
  const embedded = [
    ...shop.embedded,
    ...(people.mailbox ? [`mail catcher, read at ${publicUrl}/dev/mailbox`] : []),
    ...(payments.testPages ? [`test payments at ${publicUrl}/dev/payments`] : []),
  ];
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

const WORKING = ['projections', 'reactions', 'jobs'] as const;
const PARTS = { both: ['http', ...WORKING], http: ['http'], projections: WORKING } as const;

const partsFrom = (wanted = 'both'): readonly Part[] => {
  if (Object.hasOwn(PARTS, wanted)) return PARTS[wanted as keyof typeof PARTS];
  throw new CannotStart(`There is no part ${wanted} to start. There are: ${Object.keys(PARTS).join(', ')}.`);
};

/** The build of `web` is in this directory; every script starts the server in the root of the project. */
const WEB = path.resolve('.build/web');

/** A start that is asked to stop may continue for this many ms. */
const START_ENDS_WITHIN = 5_000;

/** A process among others reports only that it is open. */
const isQuiet = process.argv[3] === 'quiet';

/** The libraries for traces are loaded only where traces are wanted. */
const tracingFor = async ({ traces }: Config, log: Logger): Promise<Tracing | undefined> =>
  traces && (await import('./observability/tracing/open-tracing.ts')).openTracing(traces, log);

const start = async (parts: readonly Part[], config: Config, log: ShopLogger, opened: Resources): Promise<void> => {
  const tracing = opened.with(await tracingFor(config, log), async (each) => each?.close());
  const running = await openProcess(parts, config, { log, where: { ...config, tracing }, webDirectory: WEB }, opened);
  if (!running.http) console.log('The projections are at work');
  else if (!isQuiet) console.log(await banner(config, running, running.http));
  reportOpen();
};

/** Returns the processes of a cluster: one for the projections, if they are wanted, and `workers` that share the port. */
const tasksFor = (parts: readonly Part[], { workers, opsPort }: Config): readonly ProcessTask[] => {
  const projections: ProcessTask[] = parts.includes('projections') ? [{ name: 'The projections', args: ['projections'] }] : [];
  const http = Array.from({ length: workers }, (_, index): ProcessTask => ({
    name: `Worker ${index + 1}`,
    args: index === 0 ? ['http'] : ['http', 'quiet'],
  }));
  // Each process has its own metrics, and so its own port for them.
  const getPort = (index: number): string => (opsPort === undefined ? '' : String(opsPort === 0 ? 0 : opsPort + index));
  return [...projections, ...http].map((task, index) => ({ ...task, env: { OPS_PORT: getPort(index) } }));
};

const main = async (): Promise<void> => {
  const signal = stopSignal();
  const parts = partsFrom(process.argv[2]);
  const config = readConfig(process.env);
  const log = openLogger(config.logLevel);
  const isCluster = cluster.isPrimary && config.workers > 1 && parts.includes('http');
  const tasks = isCluster ? tasksFor(parts, config) : [];
  if (parts.includes('http')) checkOpsPorts(config, tasks.length || 1);
  if (isCluster) return supervise({ file: fileURLToPath(import.meta.url), tasks, signal, log });
  const opened = new Resources();
  try {
    const starting = withDatabaseThere(() => start(parts, config, log, opened));
    // A part that is half open cannot be closed, so a start that is to be stopped has a while left to end.
    await Promise.race([starting, aborted(signal).then(() => Promise.race([starting, pause(START_ENDS_WITHIN)]))]);
    await aborted(signal);
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
