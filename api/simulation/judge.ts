import { START, type Recorded } from '#domain/event-store.ts';
import { paise } from '#domain/shared/money.ts';
import type { Projector } from '#projections/projector.ts';
import { readModels } from '#projections/read-models.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import { judged, type Judged } from '../drill/judging.ts';
import type { Witnessed } from '../drill/witnessed.ts';
import { derivedIds } from './api-process.ts';
import { rowsAfter } from './models.ts';
import type { Model, Tables } from './tables.ts';
import type { World } from './world.ts';

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

const differencesOf = async ({ store, tables }: World): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const model of readModels) {
    const events: readonly Recorded[] = await store.page(START, EVERYTHING, model.categories);
    found.push(...differencesIn(model, tables.model(model.name).rows, rowsAfter(model, new Map(), events)));
  }
  return found;
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

/** The invariants of the drill, on what the simulation has left. */
export const judge = async (world: World, witnessed: Witnessed, isAtRest: boolean): Promise<Judged> => {
  const { store, tables, scheduler } = world;
  const standing = {
    store,
    now: scheduler.now(),
    idOf: derivedIds,
    causes: tables.reactions.mails.map(({ cause }) => cause),
    figures: figuresIn(tables),
    differences: await differencesOf(world),
  };
  const { verdicts, ...counts } = await judged(standing, witnessed);
  const own = [
    { invariant: 'no request fails but for what is away', broken: world.failures },
    { invariant: 'left in peace, everything comes to the end of the log', broken: isAtRest ? [] : ['Something never comes to its end'] },
  ];
  return { ...counts, verdicts: [...verdicts, ...own] };
};
