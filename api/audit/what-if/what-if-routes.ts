import type { Router } from '@koa/router';

import type { State } from '../../http/context.ts';
import { unavailable } from '../../http/http-error.ts';
import { parse } from '../../http/input.ts';
import { createRouter } from '../../http/router.ts';
import type { ShopConfig } from '../../shop.ts';
import { workInChild } from '../books/check-in-child.ts';
import { streamLines } from '../books/stream-lines.ts';
import { WhatIfInput } from './what-if-input.ts';
import type { WhatIfLine } from './what-if-lines.ts';

type UnderWay = { readonly ended: Promise<unknown>; readonly leaving: AbortSignal };

/**
 * Serves `GET /audit/what-if?rate=3303=12&from=2026-04-01&wrap=49&shipping=99:2000`: the total of all orders under other rules. `rate` may
 * be repeated, and missing rules stay as they are today. It sends NDJSON: progress lines, the differing orders in batches, then the sums,
 * or `failed` with the reason. It runs in a child process. Each process runs one at a time: 503 while another caller's is under way.
 */
export const whatIfRoutes = ({ where }: { readonly where: ShopConfig }): Router<State> => {
  let current: UnderWay | undefined;
  return createRouter().get('/audit/what-if', async (ctx) => {
    const rules = parse(WhatIfInput, ctx.query);
    // A recalculation whose caller has left ends soon.
    while (current?.leaving.aborted) await current.ended.catch(() => undefined);
    if (current) throw unavailable('Another what-if is under way. Try again in a minute.', 60);
    if (ctx.res.destroyed) return;
    const leaving = new AbortController();
    const { lines, ended } = workInChild<WhatIfLine>({ where, rules }, leaving.signal);
    const one = { ended, leaving: leaving.signal };
    current = one;
    const over = () => {
      if (current === one) current = undefined;
    };
    ended.then(over, over);
    ctx.res.once('close', () => leaving.abort());
    await streamLines(ctx, lines);
  });
};
