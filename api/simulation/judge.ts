import { START, type Recorded } from '#domain/event-store.ts';
import { paise } from '#domain/shared/money.ts';
import type { Projector } from '#projections/projector.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import { Books } from '../audit/books.ts';
import { liveLog } from '../audit/log-source.ts';
import { readLog } from '../drill/log-book.ts';
import {
  answeredIsInLog,
  chainsAreIntact,
  MODELS_MATCH,
  movesAreInLog,
  nobodySawAnothers,
  numbersAreUnique,
  oneConfirmationEach,
  oneOrderEach,
  repeatedIsDoneOnce,
  totalsAreEqual,
  type Verdict,
} from '../drill/verdicts.ts';
import type { Witnessed } from '../drill/witnessed.ts';
import { derivedIds } from './api-process.ts';
import { rowsAfter } from './models.ts';
import type { Model, Tables } from './tables.ts';
import type { World } from './world.ts';

const bookedIn = async ({ store }: World): Promise<Books> => {
  const source = liveLog(store);
  const books = new Books();
  for await (const page of source.pages()) books.take(page, await source.open(page));
  return books;
};

const textOf = (rows: ReadonlyMap<string, object> = new Map()): ReadonlyMap<string, string> =>
  new Map(
    [...rows].map(([key, row]) => [key, JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))]),
  );

const differencesIn = ({ name, tables }: Projector, live: Model['rows'], rebuilt: Model['rows']): readonly string[] =>
  Object.keys(tables).flatMap((table) => {
    const [one, other] = [textOf(live.get(table)), textOf(rebuilt.get(table))];
    const keys = [...new Set([...one.keys(), ...other.keys()])];
    return keys.filter((key) => one.get(key) !== other.get(key)).map((key) => `${name}: ${table} ${key} is not what a rebuild gives`);
  });

const EVERYTHING = 1_000_000;

const modelsMatch = async ({ store, tables }: World, models: readonly Projector[]): Promise<Verdict> => {
  const broken: string[] = [];
  for (const model of models) {
    const events: readonly Recorded[] = await store.page(START, EVERYTHING, model.categories);
    broken.push(...differencesIn(model, tables.model(model.name).rows, rowsAfter(model, new Map(), events)));
  }
  return { invariant: MODELS_MATCH, broken };
};

/** What the dashboard would say: nothing here is older than a week. */
const figuresIn = (tables: Tables): SalesFigures => {
  const rows = (table: string) => [...(tables.model('stats').rows.get(table)?.values() ?? [])];
  const sum = (table: string, column: string) => rows(table).reduce((total, row) => total + Number(row[column]), 0);
  return {
    totalOrders: sum('stats_ever', 'orders'),
    totalSales: paise(sum('stats_ever', 'sales')),
    lastWeekOrders: sum('stats_hours', 'orders'),
    lastMonthSales: paise(sum('stats_hours', 'sales')),
  };
};

type Judged = { readonly events: number; readonly placed: number; readonly verdicts: readonly Verdict[] };

/** The invariants of the drill, on what the simulation has left. */
export const judge = async (world: World, witnessed: Witnessed, models: readonly Projector[], isAtRest: boolean): Promise<Judged> => {
  const { store, tables, scheduler } = world;
  const log = await readLog(store);
  const books = await bookedIn(world);
  const verdicts = [
    answeredIsInLog(witnessed, log),
    movesAreInLog(witnessed, log),
    repeatedIsDoneOnce(witnessed, log),
    oneOrderEach(witnessed, log, derivedIds),
    numbersAreUnique(log),
    oneConfirmationEach(
      tables.outbox.map(({ cause }) => cause),
      log,
    ),
    chainsAreIntact(books.conclude()),
    totalsAreEqual(figuresIn(tables), books.figuresAt(scheduler.now())),
    await modelsMatch(world, models),
    nobodySawAnothers(witnessed),
    { invariant: 'no request fails but for what is away', broken: world.failures },
    { invariant: 'left in peace, everything comes to the end of the log', broken: isAtRest ? [] : ['Something never comes to its end'] },
  ];
  return { events: log.events, placed: log.placings.size, verdicts };
};
