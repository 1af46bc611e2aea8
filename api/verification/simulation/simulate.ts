import { setMaxListeners } from 'node:events';

import { uuidFrom } from '#domain/shared/ids.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { taxDocuments } from '#projections/invoices/projector.ts';
import { readModels } from '#projections/read-models.ts';

import type { User } from '../../accounts/user.ts';
import { seededRandom } from '../journeys/seeded-random.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import { CLERK, clerkUntil } from '../journeys/clerk.ts';
import { shopUntil } from '../journeys/shopper.ts';
import type { InvariantResult } from '../journeys/verdicts.ts';
import { RecordedAnswers } from '../journeys/recorded-answers.ts';
import { eventCodec } from '../../event-store/codec/codec.ts';
import { memoryEventStore } from '../../event-store/testing/memory-event-store.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { memorySubjectKeys } from '../../event-store/testing/memory-subject-keys.ts';
import { createExecute } from '../../command-handler/execute.ts';
import { openLogger } from '../../platform/logger.ts';
import { openingCatalogue } from '../../catalogue/seed/opening-products.ts';
import { seedCatalogue } from '../../catalogue/seed/seed-catalogue.ts';
import { openApi, type ApiProcess } from './api-process.ts';
import type { Judged, JudgedCounts } from '../journeys/judging.ts';
import { Guest } from './guest.ts';
import { judgeTaxDocuments, judgeSimulation, judgeStock, type End } from './judge.ts';
import { rushUntil } from './rush.ts';
import { shipUntil } from './shipping-desk.ts';
import { Life, Scheduler } from './scheduler.ts';
import { SimulatedTables } from './simulated-tables.ts';
import { NO_FAULTS, type Odds } from './simulated-network.ts';
import { isAtEnd, openWorker } from './worker-process.ts';
import type { FaultHooks, Scope, World } from './world.ts';

export type Run = JudgedCounts & {
  readonly seed: number;
  /** The trace has one line per step, and is the same for the same seed and program. */
  readonly trace: readonly string[];
  readonly killed: number;
  readonly verdicts: readonly InvariantResult[];
};

const FAULTY: Odds = { lost: 2, unanswered: 3, late: 6, slow: 4, unwoken: 20, killed: 5, stopped: 2 };

/** Steps after which the process that took them, of all four, is killed or stopped more often. */
const DELICATE = [
  // A worker issues a tax document: from the question for earlier ones to the checkpoint.
  { step: /^\d+ worker (\d) .*(?: invoices-| credit-notes-|commit of issue-papers)/, before: 2, killed: 120, stopped: 100 },
  // A placing has its bottles and is not yet appended.
  { step: /^\d+ API (\d) hears of append StockReserved/, before: 0, killed: 150, stopped: 300 },
];

/** A process is stopped for this many ms, which is longer than a lease. */
const LONGEST_STOP_MS = 6_000;

/** In ms of the simulation: so long that orders are shipped. */
const OPEN_FOR = 10_000;
/** After this many steps without a fault, everything must have reached the end of the log. */
const RESTS_WITHIN = 20_000;
const LOOKS_EVERY = 25;

const DESKS = [1, 2];
const VISITORS = [1, 2, 3, 4];

const SILENT = openLogger('silent');
/** There are fewer bottles of counted products than shoppers want. */
const BOTTLES = 1;
const PERFUMES = openingCatalogue.slice(0, 4).map((each, index) => (index % 2 === 1 ? { ...each, bottles: BOTTLES } : each));
const [WANTED = ''] = PERFUMES.flatMap(({ bottles, slug }) => (bottles === undefined ? [] : [slug]));

const userCalled = (name: string, roles: User['roles'] = [], email = `${name}@ruhani.example`): User => ({
  id: `user-${name}`,
  name,
  email: email as EmailAddress,
  phone: '',
  roles,
  hasSecondFactor: false,
  registration: '',
});

const clerk = userCalled('clerk', ['owner'], CLERK.email);
const USERS = new Map<string, User>([clerk, userCalled('meera'), userCalled('ravi')].map((user) => [user.email, user]));

/** Calls back at each append, whether or not its writer gets an answer. */
const telling = (store: World['store']): Pick<World, 'store' | 'onAppended'> => {
  const told = new Map<Life, () => void>();
  const append: World['store']['append'] = async (...asked) => {
    const appended = await store.append(...asked);
    for (const [life, tell] of told) {
      if (life.isOver) told.delete(life);
      else tell();
    }
    return appended;
  };
  return { store: { ...store, append }, onAppended: (life, tell) => void told.set(life, tell) };
};

const openWorld = async (seed: number, plants: FaultHooks, scope: Scope): Promise<World> => {
  const scheduler = new Scheduler(seededRandom(seed));
  let names = 0;
  let events = 0;
  const newId = (): string => (++names).toString(16).padStart(12, '0');
  const keys = memorySubjectKeys();
  const store = memoryEventStore({
    codec: eventCodec({ schemas, keys, now: scheduler.now, newEventId: () => uuidFrom((++events).toString(16).padStart(32, '0')) }),
  });
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  await seedCatalogue({ execute: createExecute(store), streams: store, now: scheduler.now, catalogue: PERFUMES });
  return {
    scheduler,
    network: { life: new Life('the network'), late: new Map() },
    ...telling(store),
    keys,
    tables: new SimulatedTables(scheduler.milliseconds),
    users: USERS,
    scope,
    plants,
    log: SILENT,
    newId,
    failures: [],
    refusals: [],
    odds: FAULTY,
    over,
  };
};

/** Two API processes and two workers, which are restarted whenever they are killed. */
class Processes {
  killed = 0;
  readonly #workers: [Life, Life];
  readonly #apis: [ApiProcess, ApiProcess];

  constructor(readonly world: World) {
    this.#apis = [this.#openApi(1), this.#openApi(2)];
    this.#workers = [this.#openWorker(1), this.#openWorker(2)];
  }

  readonly apis = (): readonly [ApiProcess, ...ApiProcess[]] => this.#apis;

  #openApi = (number: number): ApiProcess => openApi(this.world, new Life(`API ${number}`));
  #openWorker(number: number): Life {
    const life = new Life(`worker ${number}`);
    openWorker(this.world, life);
    return life;
  }

  kill(which: number): void {
    this.killed += 1;
    const index = which % 2;
    const name = which < 2 ? 'API' : 'worker';
    this.world.scheduler.trace.push(`${this.world.scheduler.milliseconds()} ${name} ${index + 1} is killed`);
    if (which < 2) {
      this.#apis[index]?.life.end();
      this.#apis[index] = this.#openApi(index + 1);
    } else {
      this.#workers[index]?.end();
      this.#workers[index] = this.#openWorker(index + 1);
    }
  }

  stop(which: number): void {
    const { scheduler } = this.world;
    const life = [...this.#apis.map((api) => api.life), ...this.#workers][which];
    if (life) life.stoppedUntil = scheduler.milliseconds() + scheduler.random.upTo(LONGEST_STOP_MS);
    scheduler.trace.push(`${scheduler.milliseconds()} ${life?.name} is stopped`);
  }

  closeDoors(): void {
    for (const { life } of this.#apis) life.end();
  }

  end(): void {
    this.closeDoors();
    for (const life of this.#workers) life.end();
  }
}

type Until = { aborted: boolean };

const people = (world: World, processes: Processes, recorded: RecordedAnswers, until: Until): Promise<unknown> => {
  const { random } = world.scheduler;
  const guest = (name: string): Guest => new Guest(world, new Life(name), processes.apis);
  const shoppers = [undefined, 'meera', 'ravi'].map((name, number) => {
    const account = name === undefined ? undefined : { email: `${name}@ruhani.example`, password: '' };
    return shopUntil({ number, at: guest(name ?? 'a visitor'), random, recorded, until, account });
  });
  return Promise.all([...shoppers, clerkUntil({ at: guest('the clerk'), random, recorded, until })]);
};

/** Runs with faults until all people are done. */
const storm = async ({ scheduler, odds }: World, processes: Processes, shopping: Promise<unknown>, until: Until): Promise<void> => {
  let isOver = false;
  let failed: unknown;
  shopping.then(
    () => (isOver = true),
    (error: unknown) => {
      failed = error;
      isOver = true;
    },
  );
  while (!isOver && (await scheduler.step())) {
    until.aborted = scheduler.milliseconds() > OPEN_FOR;
    const last = scheduler.trace.at(-1) ?? '';
    const delicate = DELICATE.find(({ step }) => step.test(last));
    const { killed, stopped } = delicate ?? odds;
    const which = () => (delicate ? delicate.before + Number(delicate.step.exec(last)?.[1]) - 1 : scheduler.random.upTo(4));
    const fault = scheduler.random.upTo(1_000);
    if (fault < killed) processes.kill(which());
    else if (fault < killed + stopped) processes.stop(which());
  }
  if (failed !== undefined) throw failed;
};

/** Runs without faults. Returns true if everything has reached the end of the log. */
const calm = async (world: World): Promise<boolean> => {
  world.odds = NO_FAULTS;
  for (let steps = 0; steps < RESTS_WITHIN; steps++) {
    if (steps % LOOKS_EVERY === 0 && (await isAtEnd(world))) return true;
    await world.scheduler.step();
  }
  return false;
};

type Play = {
  readonly scope: Scope;
  readonly act: (world: World, processes: Processes, recorded: RecordedAnswers, until: Until) => Promise<unknown>;
  readonly judge: (world: World, recorded: RecordedAnswers, end: End) => Promise<Judged>;
};

const PLAYS = {
  shop: {
    scope: {
      models: readModels,
      reactions: ['empty-cart', 'order-mails', 'claim-orders', 'move-stock', 'settle-payments', 'issue-papers'],
      releases: true,
    },
    act: people,
    judge: judgeSimulation,
  },
  /** Only invoices and credit notes, of orders that ship and come back all the time. */
  taxDocuments: {
    scope: { models: [taxDocuments], reactions: ['issue-papers'], releases: false },
    act: (world, _, __, until) => Promise.all(DESKS.map(() => shipUntil(world, until))),
    judge: (world, _, end) => judgeTaxDocuments(world, end),
  },
  /** Only visitors who all want the one bottle of one perfume. */
  stock: {
    scope: { models: [catalogue], reactions: ['move-stock'], releases: true },
    act: (world, { apis }, recorded, until) => Promise.all(VISITORS.map(() => rushUntil(world, apis, WANTED, recorded, until))),
    judge: judgeStock,
  },
} satisfies Record<string, Play>;

export type Subject = keyof typeof PLAYS;

export const subjects = Object.keys(PLAYS) as readonly Subject[]; // PLAYS has no other keys

/** Runs one schedule. The seed decides everything random; `plants` are faults for tests. */
export const simulate = async (seed: number, plants: FaultHooks = {}, subject: Subject = 'shop'): Promise<Run> => {
  const { scope, act, judge }: Play = PLAYS[subject];
  const world = await openWorld(seed, plants, scope);
  const processes = new Processes(world);
  const recorded = new RecordedAnswers();
  const until = { aborted: false };
  await storm(world, processes, act(world, processes, recorded, until), until);
  processes.closeDoors();
  const quietAt = world.scheduler.now();
  const isAtRest = await calm(world);
  processes.end();
  const { killed } = processes;
  const judged = await judge(world, recorded, { quietAt, isAtRest });
  world.over.abort();
  return { seed, trace: [...world.scheduler.trace], killed, ...judged };
};
