import { rupees } from '#domain/shared/money.ts';
import { readModels } from '#projections/read-models.ts';
import { isBuilt } from '#projections/storage/status.ts';
import { stats as statsModel } from '#projections/stats/projector.ts';
import type { SalesFigures, Stats } from '#projections/stats/queries.ts';

import type { Shop } from '../../shop.ts';
import { Books, type Audited } from './books.ts';
import { checkReadModel, type ModelProgress, type ModelVerdict } from './check-read-models.ts';
import { liveLog } from '../log/log-source.ts';
import { readBooks } from './read-books.ts';
import type { SavedHead, SavedHeads } from '../saved-heads.ts';

export type CheckParts = Pick<Shop, 'store' | 'read' | 'now'> & {
  readonly stats: Pick<Stats, 'counted'>;
  readonly savedHeads: SavedHeads;
  readonly heads?: AsyncIterable<readonly SavedHead[]> | undefined;
};

/** The amounts are in rupees. */
export type FiguresInRupees = { readonly [Name in keyof SalesFigures]: number };

/** The figures of log and read model are at one position; `inTable` is null while the read model is not built. */
export type FiguresVerdict = {
  readonly inLog: FiguresInRupees;
  readonly inTable: FiguresInRupees | null;
  readonly readModel: 'matches' | 'differs' | 'unverified';
};

/** The progress is that in the log, or in the read model that is being rebuilt. */
export type CheckProgress = ModelProgress & { readonly step: number; readonly steps: number; readonly of: string };

export type Checked = Omit<Audited, 'figures' | 'dashboard'> & {
  readonly done: true;
  readonly figures: FiguresVerdict;
  readonly readModels: readonly ModelVerdict[];
};
export type CheckLine = CheckProgress | Checked;

const inRupees = ({ totalSales, lastMonthSales, ...orders }: SalesFigures): FiguresInRupees => ({
  ...orders,
  totalSales: rupees(totalSales),
  lastMonthSales: rupees(lastMonthSales),
});

const compared = (log: SalesFigures, table: SalesFigures | undefined): FiguresVerdict => {
  const [inLog, inTable] = [inRupees(log), table ? inRupees(table) : null];
  if (inTable === null) return { inLog, inTable, readModel: 'unverified' };
  return { inLog, inTable, readModel: JSON.stringify(inLog) === JSON.stringify(inTable) ? 'matches' : 'differs' };
};

/** Goes through the log up to the last event that the read model had counted at the start. */
async function* goThrough({
  store,
  read,
  stats,
  now,
  heads,
  savedHeads,
}: CheckParts): AsyncGenerator<ModelProgress, Omit<Checked, 'done' | 'readModels'>> {
  const moment = now();
  const counted = (await isBuilt(statsModel, read)) ? await stats.counted(moment) : undefined;
  const books = new Books({ head: await store.sealedHead?.(), dashboard: { moment, upTo: counted?.position } });
  for await (const { events, position, end } of readBooks(liveLog(store), books, { savedHeads, heads })) yield { events, position, end };
  books.takeCut((await store.cutStreams?.()) ?? []);
  const { events, streams, count, findings, dashboard } = books.conclude();
  return { events, streams, count, findings, figures: compared(dashboard, counted?.figures) };
}

async function* asStep<Result>(
  lines: AsyncGenerator<ModelProgress, Result>,
  place: Pick<CheckProgress, 'step' | 'steps' | 'of'>,
): AsyncGenerator<CheckProgress, Result> {
  try {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return value;
      yield { ...place, ...value };
    }
  } finally {
    await lines.return(undefined as never);
  }
}

/**
 * Checks against the log: every hash chain with its saved heads, every order's history, the dashboard's figures, and every read model,
 * rebuilt and compared row by row. Yields progress, then the result.
 */
export async function* checkBooks(parts: CheckParts, signal: AbortSignal): AsyncGenerator<CheckLine> {
  const steps = 1 + readModels.length;
  const inLog = yield* asStep(goThrough(parts), { step: 1, steps, of: 'log' });
  const verdicts: ModelVerdict[] = [];
  for (const [index, model] of readModels.entries())
    verdicts.push(yield* asStep(checkReadModel(model, parts, signal), { step: index + 2, steps, of: model.name }));
  yield { done: true, ...inLog, readModels: verdicts };
}
