import { Semaphore } from 'async-mutex';
import { setTimeout as pause } from 'node:timers/promises';

import { openShop } from '../../composition/open-shop.ts';
import { openLogger } from '../../platform/logger.ts';
import { Resources } from '../../platform/resources.ts';
import { CLERK } from '../journeys/clerk.ts';
import type { Browsing } from '../journeys/browsing.ts';
import { RecordedAnswers } from '../journeys/recorded-answers.ts';
import { seededRandom } from '../journeys/seeded-random.ts';
import { everythingEnds, type InvariantResult } from '../journeys/verdicts.ts';
import { hasReleased, healing } from './drill.ts';
import { openDrillEnvironment, waitUntil, type DrillEnvironment, type DrillEnvironmentOptions } from './drill-environment.ts';
import { buyOne, type Ending } from './hurried-shopper.ts';
import { judge } from './invariants.ts';
import { Visitor } from './visitor.ts';

export type FlashOptions = Omit<DrillEnvironmentOptions, 'isDirect'> & { readonly bottles: number; readonly shoppers: number };

/** The drill counts the stock of this perfume. */
const PERFUME = 'assam-oud-noir';
const ARRIVE_WITHIN_MS = 5_000;
const ANSWERED_WITHIN = 30_000;
const RELEASED_WITHIN = 60_000;
/** A shopper gives up after this many ms without an answer. */
const SHOPPING_TIMEOUT_MS = 120_000;
const CATCHES_UP_WITHIN = 60_000;
/** Each shopper keeps a connection for the whole visit; shoppers above this number wait for one. */
const MOST_CONNECTIONS = 2_000;

const countBottles = async (at: Browsing, bottles: number): Promise<void> => {
  await at.ask({ method: 'POST', path: '/api/user/login', body: CLERK });
  const told = await at.ask({ method: 'PUT', path: `/api/admin/stock/${PERFUME}`, body: { count: bottles } });
  if (told === 'unknown' || told.status !== 200) throw new Error(`The bottles could not be counted: ${JSON.stringify(told)}`);
};

const counted = (all: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(all)].sort().map((one) => [one, all.filter((each) => each === one).length]));

const rush = async ({ seed, bottles, shoppers }: FlashOptions, { apis }: Pick<DrillEnvironment, 'apis'>, recorded: RecordedAnswers) => {
  const random = seededRandom(seed);
  const victim = random.oneOf(apis);
  const afterPlaced = 1 + random.upTo(bottles - 1);
  const urls = () => apis.flatMap((api) => api.url() ?? []);
  const answers: string[] = [];
  const seconds: number[] = [];
  const door = new Semaphore(MOST_CONNECTIONS);
  const signal = AbortSignal.timeout(SHOPPING_TIMEOUT_MS);
  const began = performance.now();
  const sinceBegin = (): number => (performance.now() - began) / 1_000;
  let soldOutAfter = Number.NaN;
  const shop = async (number: number, arrives: number): Promise<Ending> => {
    await pause(arrives);
    const arrived = performance.now();
    const at = new Visitor(urls, random.oneOf, (told) => answers.push(told), ANSWERED_WITHIN);
    const ending = await door.runExclusive(() => buyOne({ number, product: PERFUME, at, recorded, until: signal }));
    seconds.push((performance.now() - arrived) / 1_000);
    if (ending.how === 'placed' && recorded.placed.size === afterPlaced) victim.signal('SIGKILL');
    if (ending.how === 'placed') soldOutAfter = sinceBegin();
    return ending;
  };
  const endings = await Promise.all(Array.from({ length: shoppers }, (_, number) => shop(number, random.upTo(ARRIVE_WITHIN_MS))));
  seconds.sort((one, other) => one - other);
  const at = (part: number): number => seconds[Math.ceil(part * seconds.length) - 1] ?? 0;
  return {
    placed: endings.filter(({ how }) => how === 'placed').length,
    /** The number of shoppers who were too late, by the code of their answer. */
    tooLate: counted(endings.flatMap(({ how, told }) => (how === 'too late' ? [told] : []))),
    answers: counted(answers),
    killed: { name: victim.name, afterPlaced },
    /** Seconds from a shopper's arrival to the final answer. */
    answered: { half: at(0.5), most: at(0.99), last: at(1) },
    /** Seconds from the first arrival until the last bottle was sold, and until everybody had an answer. */
    soldOutAfter,
    overAfter: sinceBegin(),
    endings,
  };
};

const ofRush = (
  { bottles }: FlashOptions,
  { placed, endings, answered, killed }: Awaited<ReturnType<typeof rush>>,
  starts: number,
): readonly InvariantResult[] => {
  const unclear = endings.filter(({ how }) => how === 'unclear');
  return [
    { invariant: 'as many orders are placed as there are bottles', broken: placed === bottles ? [] : [`${placed} of ${bottles}`] },
    { invariant: 'everybody else is told that nothing is left', broken: unclear.map(({ told }) => `Somebody was told ${told}`) },
    {
      invariant: `everybody is answered within ${ANSWERED_WITHIN / 1_000} s`,
      broken: answered.last * 1_000 <= ANSWERED_WITHIN ? [] : [`The last after ${answered.last.toFixed(1)} s`],
    },
    { invariant: 'a process was killed, and started again', broken: starts > 1 ? [] : [`${killed.name} was not`] },
  ];
};

/** Lets many shoppers compete for few bottles while one of two processes is killed, then checks all invariants. */
export const flash = async (options: FlashOptions) => {
  const opened = new Resources();
  const recorded = new RecordedAnswers();
  try {
    const environment = await openDrillEnvironment({ ...options, isDirect: true }, recorded, opened);
    const { apis, eventStoreDb, databases, gateway, url } = environment;
    const where = { dataDir: options.dataDir, eventStoreUrl: eventStoreDb?.connectionString, ...databases };
    const shop = opened.with(await openShop(where, openLogger('silent')), (each) => each.close());
    const urls = () => apis.flatMap((api) => api.url() ?? []);
    await countBottles(new Visitor(urls, ([first]) => first), options.bottles);

    const rushed = await rush(options, environment, recorded);
    const ended = performance.now();
    await waitUntil(() => hasReleased(shop), RELEASED_WITHIN, 'bottles that are reserved for nobody are released');
    const releasedAfter = (performance.now() - ended) / 1_000;
    await waitUntil(async () => urls().length === apis.length, CATCHES_UP_WITHIN, 'the killed process is back');
    const starts = apis.find(({ name }) => name === rushed.killed.name)?.starts() ?? 0;
    const { answers, hung } = await healing(shop, environment, recorded);
    const { verdicts } = await judge(shop, recorded, { url, quietAt: shop.now(), answers, links: gateway.links() });
    const { endings: _, ...report } = rushed;
    return {
      seed: options.seed,
      ...report,
      /** Seconds from the last answer until no stock was reserved for an order that is not placed. */
      releasedAfter,
      verdicts: [...ofRush(options, rushed, starts), ...verdicts, everythingEnds(hung)],
    };
  } finally {
    await opened.close();
  }
};

export const flashText = (report: Awaited<ReturnType<typeof flash>>): string => {
  const { seed, placed, tooLate, answers, killed, answered, soldOutAfter, overAfter, releasedAfter } = report;
  const counts = (named: Readonly<Record<string, number>>): string =>
    Object.entries(named)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const s = (value: number): string => `${value.toFixed(1)} s`;
  return [
    `Seed ${seed}`,
    `Shoppers    ${placed} placed an order; too late: ${counts(tooLate)}`,
    `Answers     ${counts(answers)}`,
    `Killed      ${killed.name}, after ${killed.afterPlaced} orders`,
    `Waited      half of them at most ${s(answered.half)}, 99% ${s(answered.most)}, the last ${s(answered.last)}`,
    `Sold out    after ${s(soldOutAfter)}, everybody answered after ${s(overAfter)}, nothing reserved for nobody ${s(releasedAfter)} later`,
  ].join('\n');
};
