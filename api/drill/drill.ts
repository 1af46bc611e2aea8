import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { readModels } from '#projections/read-models.ts';
import { statusOf } from '#projections/status.ts';

import { openEmbeddedPostgres } from '../infrastructure/embedded-postgres.ts';
import { openLogger } from '../infrastructure/logger.ts';
import { Opened } from '../infrastructure/opened.ts';
import { openShop, type Shop } from '../open-shop.ts';
import { chanceOf } from './chance.ts';
import { CLERK, clerkUntil } from './clerk.ts';
import { openCutProxy } from './cut-proxy.ts';
import { openDyingMailServer } from './dying-mail-server.ts';
import { harass, type FaultCounts, type Victims } from './faults.ts';
import { judge } from './invariants.ts';
import { keepRunning, type KeptRunning } from './kept-running.ts';
import { shopUntil } from './shopper.ts';
import type { Verdict } from './verdicts.ts';
import { Visitor } from './visitor.ts';
import { nothingYet, type Witnessed } from './witnessed.ts';

export type DrillOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly shoppers: number;
  /** For the Postgres and for what the processes say (`processes.log`). */
  readonly dataDir: string;
};

export type Report = {
  readonly seed: number;
  readonly seconds: number;
  readonly faults: FaultCounts;
  /** How often each process was started. */
  readonly starts: Readonly<Record<string, number>>;
  /** How many requests were answered with each status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly witnessed: Witnessed['counts'] & { readonly added: number; readonly placed: number; readonly moved: number };
  readonly events: number;
  readonly placed: number;
  readonly mails: { readonly arrived: number; readonly again: number };
  /** How long after the last fault everything had caught up, in seconds. */
  readonly healedAfter: number;
  readonly verdicts: readonly Verdict[];
};

/** What node is started with to run the server as it is built, before its part. */
const PROGRAM = ['--enable-source-maps', path.resolve('.build/server/main.js')];

const SECRET = 'a secret that only this drill has, of more than 32 characters';

/** All must have caught up that long after the last fault, in ms: a lease to take over, reactions and mails to try again. */
const HEALED_WITHIN = 180_000;

/** Comes back when this is true. Throws when it is not in time; what fails meanwhile is not true yet. */
const eventually = async (isTrue: () => Promise<boolean>, within: number, what: string): Promise<void> => {
  const deadline = performance.now() + within;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not within ${within} ms: ${what}`);
    await pause(100);
  }
};

const start = async ({ seed, dataDir }: DrillOptions, opened: Opened): Promise<Victims> => {
  const onTrouble = () => {};
  const postgres = opened.with(await openEmbeddedPostgres({ dataDir, onTrouble }), (each) => each.close());
  const mailServer = opened.with(await openDyingMailServer(), (each) => each.close());
  const direct = new URL(postgres.url);
  const openProcess = async (name: string, part: string) => {
    const proxy = opened.with(await openCutProxy(() => Number(direct.port)), (each) => each.close());
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    const env = {
      PORT: '0',
      PUBLIC_URL: 'http://localhost',
      DATA_DIR: dataDir,
      DATABASE_URL: url.href,
      SMTP_URL: mailServer.url,
      SESSION_SECRET: SECRET,
      ADMIN_EMAIL: CLERK.email,
      ADMIN_PASSWORD: CLERK.password,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_FACTOR: '100000',
    };
    const onOutput = (text: string) => appendFileSync(path.join(dataDir, 'processes.log'), text);
    const kept = keepRunning({ name, args: [...PROGRAM, part], env, onOutput });
    return { kept: opened.with(kept, (each) => each.end()), proxy };
  };
  const workers = [await openProcess('worker 1', 'projections'), await openProcess('worker 2', 'projections')] as const;
  const apis = [await openProcess('API 1', 'http'), await openProcess('API 2', 'http')] as const;
  const isOpen = async () => apis.every(({ kept }) => kept.url() !== undefined);
  await eventually(isOpen, 120_000, `the shop of seed ${seed} opens`);
  return {
    url: postgres.url,
    apis: [apis[0].kept, apis[1].kept],
    workers: [workers[0].kept, workers[1].kept],
    proxies: [apis[0].proxy, apis[1].proxy, workers[0].proxy, workers[1].proxy],
    mailServer,
    dataDir,
  };
};

/** Nothing is on its way any more, neither to a read model nor to a reaction. */
const hasFollowed = async ({ store, read, pool }: Shop): Promise<boolean> => {
  for (const model of readModels) if ((await statusOf(model, store, read, new Date())).lag.events > 0) return false;
  const { rows } = await pool.query<{ waiting: boolean }>(
    `select exists (select from shop.postponed_reactions)
         or exists (select from shop.reactions where position < (select coalesce(max(position), 0) from log.events
                    where split_part(stream, '-', 1) = 'order')) as waiting`,
  );
  return rows[0]?.waiting === false;
};

const hasMailed = async ({ pool }: Shop): Promise<boolean> =>
  (await pool.query(`select from shop.outbox where state = 'waiting' limit 1`)).rowCount === 0;

/** Waits until the shop, which is left in peace, has done all that is to be done, and has nothing under way that nobody waits for. */
const healing = async (shop: Shop, apis: readonly KeptRunning[]): Promise<void> => {
  const isAtRest = async () => (await hasFollowed(shop)) && (await hasMailed(shop));
  await eventually(isAtRest, HEALED_WITHIN, 'read models, reactions and mails catch up');
  await Promise.all(apis.map((api) => api.end()));
  await eventually(() => hasFollowed(shop), HEALED_WITHIN, 'read models and reactions catch up with what the last requests did');
};

const load = async (
  { seed, shoppers }: DrillOptions,
  apis: readonly KeptRunning[],
  witnessed: Witnessed,
  answers: Map<string, number>,
  until: AbortSignal,
) => {
  const urls = () => apis.flatMap((api) => api.url() ?? []);
  const count = (status: string) => answers.set(status, (answers.get(status) ?? 0) + 1);
  const clerk = chanceOf(seed * 1_000 - 1);
  await Promise.all([
    clerkUntil({ at: new Visitor(urls, clerk.oneOf, count), chance: clerk, witnessed, until }),
    ...Array.from({ length: shoppers }, (_, number) => {
      const chance = chanceOf(seed * 1_000 + number);
      return shopUntil({ number, at: new Visitor(urls, chance.oneOf, count), chance, witnessed, until });
    }),
  ]);
};

/** Has shoppers shop while one thing after the other goes wrong, and then looks whether everything that must be true still is. */
export const drill = async (options: DrillOptions): Promise<Report> => {
  const { seed, seconds } = options;
  const opened = new Opened();
  const witnessed = nothingYet();
  const answers = new Map<string, number>();
  try {
    const victims = await start(options, opened);
    const over = AbortSignal.timeout(seconds * 1_000);
    const [faults] = await Promise.all([harass(victims, chanceOf(seed), over), load(options, victims.apis, witnessed, answers, over)]);
    const ended = performance.now();
    const where = { dataDir: options.dataDir, databaseUrl: victims.url, eventStoreUrl: undefined };
    let shop: Shop | undefined;
    await eventually(
      async () => (shop ??= await openShop(where, openLogger('silent'))) !== undefined,
      HEALED_WITHIN,
      'the database is back',
    );
    if (!shop) throw new Error('The shop did not open');
    const healed = opened.with(shop, (each) => each.close());
    await healing(healed, victims.apis);
    const healedAfter = (performance.now() - ended) / 1_000;
    const arrived = [...victims.mailServer.arrived.values()];
    const processes = [...victims.apis, ...victims.workers];
    return {
      seed,
      seconds,
      faults,
      starts: Object.fromEntries(processes.map(({ name, starts }) => [name, starts()])),
      answers: Object.fromEntries([...answers].sort()),
      witnessed: {
        ...witnessed.counts,
        added: [...witnessed.additions.values()].filter(({ isAnswered }) => isAnswered).length,
        placed: witnessed.placed.size,
        moved: witnessed.moved.length,
      },
      mails: { arrived: arrived.length, again: arrived.reduce((sum, times) => sum + times - 1, 0) },
      healedAfter,
      ...(await judge(healed, witnessed)),
    };
  } finally {
    await opened.close();
  }
};
