import { Readable } from 'node:stream';
import { Router } from '@koa/router';

import { stats } from '#projections/stats/projector.ts';
import type { Progress } from '#projections/progress.ts';

import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { Refusal, unavailable } from '../http/refusal.ts';
import { auditorOnly } from '../http/session.ts';
import type { Where } from '../open-shop.ts';
import type { CheckLine } from './check-books.ts';
import { CheckFailed, checkInChild, type Check } from './check-in-child.ts';
import { NDJSON } from './wire.ts';

export type BookRoutesDeps = { readonly progress: Progress; readonly where: Where };

/** The last line of a check that broke off. */
export type CheckBrokenOff = { readonly failed: string };

const textOf = (line: CheckLine | CheckBrokenOff): string => `${JSON.stringify(line)}\n`;

async function* linesOf(first: CheckLine, lines: Check['lines']): AsyncGenerator<string> {
  yield textOf(first);
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) yield textOf(next.value);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    yield textOf({ failed: error.message });
  }
}

/** What there is to tell first. Throws a 503 where the check fails before. */
const firstOf = async (lines: Check['lines']): Promise<CheckLine | undefined> => {
  try {
    return (await lines.next()).value;
  } catch (error) {
    throw error instanceof CheckFailed ? unavailable(error.message) : error;
  }
};

const underWay = () =>
  new Refusal({
    status: 429,
    code: 'under_way',
    message: 'The books are being checked for somebody else just now',
    headers: { 'Retry-After': '10' },
  });

/**
 * `GET /audit/verify`: every chain, every order's history, the dashboard's figures and every read model, recomputed from the first event
 * on, as lines of NDJSON: progress, and at last the result, or `failed` with the reason. A process has this done for one auditor at a time, by a
 * child process that ends when they leave.
 */
export const bookRoutes = ({ progress, where }: BookRoutesDeps): Router<State> => {
  let isUnderWay = false;
  return new Router<State>().get('/audit/verify', auditorOnly, built(progress, stats.name), async (ctx) => {
    if (isUnderWay) throw underWay();
    isUnderWay = true;
    const leaving = new AbortController();
    ctx.res.once('close', () => leaving.abort());
    const { lines, ended } = checkInChild(where, leaving.signal);
    const over = () => (isUnderWay = false);
    ended.then(over, over);
    const first = await firstOf(lines);
    // The caller has gone meanwhile.
    if (!first) return;
    ctx.type = NDJSON;
    // Told as it comes: a proxy that gathers the answer would keep the progress to itself.
    ctx.set('X-Accel-Buffering', 'no');
    ctx.body = Readable.from(linesOf(first, lines), { objectMode: false });
  });
};
