import { logPosition, type Category } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';
import { dueOrders, ordersWithWork } from '#projections/orders/payment-work.ts';
import { readModels } from '#projections/read-models.ts';
import { readStatus } from '#projections/storage/status.ts';

import { openLogger } from '../../platform/logger.ts';
import { Resources } from '../../platform/resources.ts';
import { openShop } from '../../composition/open-shop.ts';
import type { Shop } from '../../shop.ts';
import type { Request } from '../journeys/browsing.ts';
import { seededRandom } from '../journeys/seeded-random.ts';
import type { DrillBackup } from './operator-commands.ts';
import { CLERK, clerkUntil } from '../journeys/clerk.ts';
import { injectFaults } from './inject-faults.ts';
import { judge } from './invariants.ts';
import { eraseGuestsUntil } from './erasing-guest.ts';
import { verifyRestored } from './verify-restored.ts';
import { readLog } from '../journeys/log-book.ts';
import { shopUntil } from '../journeys/shopper.ts';
import { nobodyElseHolds } from '../journeys/stock-verdicts.ts';
import { waitUntil, openDrillEnvironment, type DrillEnvironment, type DrillEnvironmentOptions } from './drill-environment.ts';
import { everythingEnds } from '../journeys/verdicts.ts';
import { Visitor } from './visitor.ts';
import { RecordedAnswers } from '../journeys/recorded-answers.ts';

export type DrillOptions = DrillEnvironmentOptions & { readonly seconds: number; readonly shoppers: number };

/** Within this many ms, leases expire, and reactions and mails are retried. */
const HEALED_WITHIN = 180_000;

const hasFollowed = async ({ store, read, pool }: Shop): Promise<boolean> => {
  for (const model of readModels) if ((await readStatus(model, store, read, new Date())).lag.events > 0) return false;
  if ((await pool.query('select from shop.postponed_reactions limit 1')).rowCount !== 0) return false;
  const { rows } = await pool.query<{ categories: Category[]; position: string }>('select categories, position::text from shop.reactions');
  for (const { categories, position } of rows)
    if ((await store.page(logPosition(BigInt(position)), 1, categories)).length > 0) return false;
  return true;
};

/** Returns whether no payment is due, every refund is settled, and no payment page of a cancelled order is open. */
const hasSettled = async ({ read, now }: Shop): Promise<boolean> =>
  (await ordersWithWork(read.db)).length === 0 &&
  (await dueOrders(read.db, { until: now(), after: undefined, isReminder: false })).length === 0;

const isErased = async ({ pool }: Shop): Promise<boolean> =>
  (await pool.query('select from shop.erasures where finished_at is null limit 1')).rowCount === 0;

const hasMailed = async ({ pool }: Shop): Promise<boolean> =>
  (await pool.query(`select from shop.outbox where state = 'waiting' limit 1`)).rowCount === 0;

/** Returns whether the stock reserved by interrupted placings is released. */
export const hasReleased = async ({ store }: Shop): Promise<boolean> => nobodyElseHolds(await readLog(store)).broken.length === 0;

const askAsClerk = async ({ apis }: DrillEnvironment, { erased }: RecordedAnswers): Promise<readonly string[]> => {
  const random = seededRandom(0);
  const at = new Visitor(() => apis.flatMap((api) => api.url() ?? []), random.oneOf);
  const answers: string[] = [];
  const ask = (request: Request) =>
    waitUntil(
      async () => {
        const told = await at.ask(request);
        if (told === 'unknown') return false;
        answers.push(JSON.stringify(told.body));
        return true;
      },
      HEALED_WITHIN,
      `an answer to ${request.path}`,
    );
  await ask({ method: 'POST', path: '/api/user/login', body: CLERK });
  for (const { order } of erased) await ask({ method: 'GET', path: `/api/order/get-order/${order}` });
  await ask({ method: 'GET', path: '/api/admin/orders?limit=100' });
  return answers;
};

type Healed = { readonly answers: readonly string[]; readonly hung: readonly string[] };

/** Waits until read models, reactions, mails and erasures have caught up, then stops the APIs. It throws when that takes too long. */
export const healing = async (shop: Shop, environment: DrillEnvironment, recorded: RecordedAnswers): Promise<Healed> => {
  const { gateway } = environment;
  const isAtRest = async () =>
    gateway.isQuiet() &&
    (await hasFollowed(shop)) &&
    (await hasSettled(shop)) &&
    (await hasMailed(shop)) &&
    (await isErased(shop)) &&
    (await hasReleased(shop));
  await waitUntil(isAtRest, HEALED_WITHIN, 'read models, reactions, payments, mails, erasures and releases catch up');
  const answers = await askAsClerk(environment, recorded);
  const ends = await Promise.all(environment.apis.map(async (api) => ((await api.end()) ? [] : [api.name])));
  await waitUntil(() => hasFollowed(shop), HEALED_WITHIN, 'read models and reactions catch up with what the last requests did');
  return { answers, hung: ends.flat() };
};

/** Takes a backup now if faults interrupted all others. */
const lastBackup = async ({ operator }: DrillEnvironment): Promise<DrillBackup> => {
  if (operator.backups.length === 0) operator.backUp();
  await operator.ended();
  const backup = operator.backups.at(-1);
  if (!backup) throw new Error('No backup was completed, even without faults');
  return backup;
};

const load = async (
  { seed, shoppers }: DrillOptions,
  { apis, gateway }: Pick<DrillEnvironment, 'apis' | 'gateway'>,
  recorded: RecordedAnswers,
  answers: Map<string, number>,
  signal: AbortSignal,
) => {
  const urls = () => apis.flatMap((api) => api.url() ?? []);
  const count = (status: string) => answers.set(status, (answers.get(status) ?? 0) + 1);
  await Promise.all([
    ...[-1, -4, -5].map((number) => {
      const random = seededRandom(seed * 1_000 + number);
      return clerkUntil({ at: new Visitor(urls, random.oneOf, count), random, recorded, until: signal, onlyMoves: number !== -1 });
    }),
    ...Array.from({ length: shoppers }, (_, number) => {
      const random = seededRandom(seed * 1_000 + number);
      const bank = new Visitor(() => [gateway.url], random.oneOf);
      return shopUntil({ number, at: new Visitor(urls, random.oneOf, count), random, recorded, until: signal, bank });
    }),
    ...[-2, -3].map((number) => {
      const random = seededRandom(seed * 1_000 + number);
      const bank = new Visitor(() => [gateway.url], random.oneOf);
      return eraseGuestsUntil({ enter: () => new Visitor(urls, random.oneOf, count), bank, random, recorded, until: signal });
    }),
  ]);
};

export const drill = async (options: DrillOptions) => {
  const { seed, seconds } = options;
  const opened = new Resources();
  const recorded = new RecordedAnswers();
  const answers = new Map<string, number>();
  try {
    const environment = await openDrillEnvironment(options, recorded, opened);
    const { apis, workers, operator, mailServer, gateway, eventStoreDb } = environment;
    const over = AbortSignal.timeout(seconds * 1_000);
    const [faults] = await Promise.all([
      injectFaults(environment, seededRandom(seed), over),
      load(options, environment, recorded, answers, over),
    ]);
    const ended = performance.now();
    const quietAt = instant(new Date().toISOString());
    await operator.ended();
    const where = { dataDir: options.dataDir, eventStoreUrl: eventStoreDb?.connectionString, ...environment.databases };
    let shop: Shop | undefined;
    await waitUntil(
      async () => (shop ??= await openShop(where, openLogger('silent'))) !== undefined,
      HEALED_WITHIN,
      'the database is back',
    );
    if (!shop) throw new Error('The shop did not open');
    const healed = opened.with(shop, (each) => each.close());
    // The backup is taken while the shop is still recovering.
    const backup = eventStoreDb ? undefined : await lastBackup(environment);
    const { answers: toldStaff, hung } = await healing(healed, environment, recorded);
    const healedAfter = (performance.now() - ended) / 1_000;
    const arrived = [...mailServer.arrived.values()];
    const judgement = await judge(healed, recorded, { url: environment.url, quietAt, answers: toldStaff, links: gateway.links() });
    const ofBackup = backup ? await verifyRestored(environment, backup, recorded) : [];
    return {
      seed,
      seconds,
      faults,
      starts: Object.fromEntries([...apis, ...workers].map(({ name, starts }) => [name, starts()])),
      answers: Object.fromEntries([...answers].sort()),
      recorded: {
        ...recorded.counts,
        added: [...recorded.additions.values()].filter(({ isAnswered }) => isAnswered).length,
        placed: recorded.placed.size,
        moved: recorded.moved.length,
        erased: recorded.erased.length,
      },
      /** Only completed commands are counted, because a fault may interrupt them. */
      operator: { rebuilt: operator.rebuilt(), backups: operator.backups.length },
      mails: { arrived: arrived.length, again: arrived.reduce((sum, times) => sum + times - 1, 0) },
      /** Seconds from the last fault until everything had caught up. */
      healedAfter,
      ...judgement,
      verdicts: [...judgement.verdicts, everythingEnds(hung), ...ofBackup],
    };
  } finally {
    await opened.close();
  }
};

export type DrillReport = Awaited<ReturnType<typeof drill>>;
