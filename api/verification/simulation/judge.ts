import { START } from '#domain/event-store.ts';
import { paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';
import { Applier } from '#projections/engine/applier.ts';
import { createTableSet } from '#projections/engine/table-set.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';
import { MemoryStorage } from '#projections/testing/memory-storage.ts';

import { judgedCounts, judged, type Judged } from '../journeys/judging.ts';
import { readLog, type LogBook } from '../journeys/log-book.ts';
import { taxDocumentVerdicts } from '../journeys/tax-document-verdicts.ts';
import { refusedWhatWasShort, stockVerdicts } from '../journeys/stock-verdicts.ts';
import { answeredIsInLog, modelsMatch, type InvariantResult } from '../journeys/verdicts.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';
import { derivedIds } from './api-process.ts';
import type { SimulatedTables } from './simulated-tables.ts';
import type { World } from './world.ts';

type Table = ReadonlyMap<string, object>;

const formatRow = (row: object | undefined): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const compareTables = (table: string, live: Table, rebuilt: Table): readonly string[] =>
  [...new Set([...live.keys(), ...rebuilt.keys()])]
    .filter((key) => formatRow(live.get(key)) !== formatRow(rebuilt.get(key)))
    .map((key) => `${table} ${key} is not what a rebuild gives`);

const EVERYTHING = 1_000_000;
const NOTHING: Table = new Map();

/** Compares every read model with a copy to which all events were applied at once. */
const listDifferences = async ({ store, tables, scope }: World): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const model of scope.models) {
    const fresh = new MemoryStorage();
    const tableSet = createTableSet(model, 'live');
    const held = await fresh.claim(tableSet, 'the judge');
    if (!held) throw new Error('The read model is held already');
    await new Applier(fresh, tableSet, held).apply(await store.page(START, EVERYTHING, model.categories));
    const [live, rebuilt] = [tables.model(model.name)?.tables, fresh.stored(tableSet)?.tables];
    for (const name of Object.keys(model.tables))
      found.push(...compareTables(name, live?.get(name) ?? NOTHING, rebuilt?.get(name) ?? NOTHING));
  }
  return found;
};

/** Returns the figures. Nothing in a simulation is older than a week. */
const computeFigures = (tables: SimulatedTables): SalesFigures => {
  const sum = (table: string, column: string) => tables.rows('stats', table).reduce((total, row) => total + Number(row[column]), 0);
  return {
    totalOrders: sum('stats_ever', 'orders'),
    totalSales: paise(sum('stats_ever', 'sales')),
    lastWeekOrders: sum('stats_hours', 'orders'),
    lastMonthSales: paise(sum('stats_hours', 'sales')),
  };
};

export type End = { readonly quietAt: Instant; readonly isAtRest: boolean };

const comesToItsEnd = ({ isAtRest }: End): InvariantResult => ({
  invariant: 'left in peace, everything comes to the end of the log',
  broken: isAtRest ? [] : ['Something never comes to its end'],
});

const answerVerdicts = ({ failures, refusals }: World, log: LogBook): readonly InvariantResult[] => [
  refusedWhatWasShort(refusals, log),
  { invariant: 'a request fails only if something that it needs is down', broken: failures },
];

export const judgeSimulation = async (world: World, recorded: RecordedAnswers, end: End): Promise<Judged> => {
  const { store, tables, scheduler } = world;
  const evidence = {
    store,
    now: scheduler.now(),
    quietAt: end.quietAt,
    idOf: derivedIds,
    causes: tables.reactions.mails.map(({ cause }) => cause),
    links: [],
    figures: computeFigures(tables),
    differences: await listDifferences(world),
  };
  const { verdicts, ...counts } = await judged(evidence, recorded);
  return { ...counts, verdicts: [...verdicts, ...answerVerdicts(world, await readLog(store)), comesToItsEnd(end)] };
};

export const judgeTaxDocuments = async (world: World, end: End): Promise<Judged> => {
  const log = await readLog(world.store);
  const verdicts = [...taxDocumentVerdicts(log, end.quietAt), modelsMatch(await listDifferences(world)), comesToItsEnd(end)];
  return { ...judgedCounts(log), verdicts };
};

/** The invariants of bottles alone. */
export const judgeStock = async (world: World, recorded: RecordedAnswers, end: End): Promise<Judged> => {
  const log = await readLog(world.store);
  const verdicts = [
    answeredIsInLog(recorded, log),
    ...stockVerdicts(log),
    ...answerVerdicts(world, log),
    modelsMatch(await listDifferences(world)),
    comesToItsEnd(end),
  ];
  return { ...judgedCounts(log), verdicts };
};
