import { Readable } from 'node:stream';
import { Router } from '@koa/router';

import { stats } from '#projections/stats/projector.ts';
import type { Progress } from '#projections/progress.ts';

import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { Refusal } from '../http/refusal.ts';
import { auditorOnly } from '../http/session.ts';
import { checkBooks, type CheckParts } from './check-books.ts';
import type { SavedHeads } from './saved-heads.ts';
import { NDJSON } from './wire.ts';

export type BookRoutesDeps = Omit<CheckParts, 'heads'> & { readonly progress: Progress; readonly savedHeads: SavedHeads };

async function* linesOf({ savedHeads, ...parts }: BookRoutesDeps, until: AbortSignal): AsyncGenerator<string> {
  for await (const line of checkBooks({ ...parts, savedHeads }, until)) yield `${JSON.stringify(line)}\n`;
}

const underWay = () =>
  new Refusal({
    status: 429,
    code: 'under_way',
    message: 'The books are being checked for somebody else just now',
    headers: { 'Retry-After': '10' },
  });

/**
 * `GET /audit/verify`: every chain, every order's history, the dashboard's figures and every read model, recomputed from the first event
 * on, as lines of NDJSON: progress, and at last the result. A process does this for one auditor at a time, and ends it when they leave.
 */
export const bookRoutes = (deps: BookRoutesDeps): Router<State> => {
  let isUnderWay = false;
  return new Router<State>().get('/audit/verify', auditorOnly, built(deps.progress, stats.name), (ctx) => {
    if (isUnderWay) throw underWay();
    isUnderWay = true;
    const leaving = new AbortController();
    ctx.res.once('close', () => leaving.abort());
    ctx.type = NDJSON;
    // Told as it comes: a proxy that gathers the answer would keep the progress to itself.
    ctx.set('X-Accel-Buffering', 'no');
    const body = Readable.from(linesOf(deps, leaving.signal), { objectMode: false });
    // Once what was under way has ended; also when the caller had gone before anything was begun.
    body.once('close', () => (isUnderWay = false));
    ctx.body = body;
  });
};
