import { Readable } from 'node:stream';
import { Router } from '@koa/router';

import { rupees } from '#domain/shared/money.ts';
import { stats } from '#projections/stats/projector.ts';
import type { Progress } from '#projections/progress.ts';
import type { FiguresAt, SalesFigures, Stats } from '#projections/stats/queries.ts';

import { categories } from '../event-store/stored-event.ts';
import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { Refusal } from '../http/refusal.ts';
import { auditorOnly } from '../http/session.ts';
import type { Shop } from '../open-shop.ts';
import { Books, type Finding, type SavedHead } from './books.ts';
import { liveLog } from './log-source.ts';
import type { SavedHeads } from './saved-heads.ts';
import { NDJSON } from './wire.ts';

export type BookRoutesDeps = Pick<Shop, 'store' | 'now'> & {
  readonly stats: Pick<Stats, 'counted'>;
  readonly progress: Progress;
  readonly savedHeads: SavedHeads;
};

type Figures = { readonly [Name in keyof SalesFigures]: number };

/** The lines that `GET /audit/verify` answers: how far it is, and at last what was found. */
export type BookLine =
  | { readonly events: number; readonly position: string; readonly end: string }
  | {
      readonly done: true;
      readonly events: number;
      readonly streams: number;
      /** How many faults there are; `findings` names the first of them. */
      readonly count: number;
      readonly findings: readonly Finding[];
      /** The dashboard's figures, amounts in rupees, both of the same moment in the log. */
      readonly figures: { readonly inLog: Figures; readonly inTable: Figures; readonly readModel: 'matches' | 'differs' };
    };

const inRupees = ({ totalSales, lastMonthSales, ...orders }: SalesFigures): Figures => ({
  ...orders,
  totalSales: rupees(totalSales),
  lastMonthSales: rupees(lastMonthSales),
});

const compared = (inLog: SalesFigures, inTable: SalesFigures) => ({
  inLog: inRupees(inLog),
  inTable: inRupees(inTable),
  readModel: JSON.stringify(inRupees(inLog)) === JSON.stringify(inRupees(inTable)) ? ('matches' as const) : ('differs' as const),
});

const allHeads = async (savedHeads: SavedHeads): Promise<SavedHead[]> => {
  const heads: SavedHead[] = [];
  for await (const page of savedHeads.pages()) heads.push(...page);
  return heads;
};

/** Goes through the whole log once. The figures are compared as they are after the last event that the read model had counted at the beginning. */
async function* goThrough({ store, stats: figures, savedHeads, now }: BookRoutesDeps): AsyncGenerator<BookLine> {
  const moment = now();
  const inTable: FiguresAt | undefined = await figures.counted(moment);
  if (!inTable) return;
  const log = liveLog(store);
  const end = await store.head(categories);
  const books = new Books(await allHeads(savedHeads));
  let inLog: SalesFigures | undefined;
  let events = 0;
  for await (const page of log.pages()) {
    const read = await log.open(page);
    const until = page.findIndex(({ position }) => position > inTable.position);
    const first = inLog ? 0 : until === -1 ? page.length : until;
    books.take(page.slice(0, first), read.slice(0, first));
    if (first < page.length) inLog ??= books.figuresAt(moment);
    books.take(page.slice(first), read.slice(first));
    events += page.length;
    yield { events, position: String(page.at(-1)?.position), end: String(end) };
  }
  const { streams, count, findings } = books.conclude();
  yield { done: true, events, streams, count, findings, figures: compared(inLog ?? books.figuresAt(moment), inTable.figures) };
}

async function* inLines(lines: AsyncIterable<BookLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/**
 * `GET /audit/verify`: every chain, every order's history and the dashboard's figures, recomputed from the first event on, as lines of
 * NDJSON: progress, and at last the result. Holds the head of each stream in memory, so a process does this for one auditor at a time.
 */
export const bookRoutes = (deps: BookRoutesDeps): Router<State> => {
  let isUnderWay = false;
  return new Router<State>().get('/audit/verify', auditorOnly, built(deps.progress, stats.name), (ctx) => {
    if (isUnderWay)
      throw new Refusal({
        status: 429,
        code: 'under_way',
        message: 'The books are being checked for somebody else just now',
        headers: { 'Retry-After': '10' },
      });
    isUnderWay = true;
    ctx.type = NDJSON;
    // Told as it comes: a proxy that gathers the answer would keep the progress to itself.
    ctx.set('X-Accel-Buffering', 'no');
    const body = Readable.from(inLines(goThrough(deps)), { objectMode: false });
    // On the stream and not in the generator, which is never begun when the caller has gone before.
    body.once('close', () => (isUnderWay = false));
    ctx.body = body;
  });
};
