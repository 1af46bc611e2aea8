import { EventEmitter, once } from 'node:events';
import type { Router } from '@koa/router';

import { stats } from '#projections/stats/projector.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { State } from '../../http/context.ts';
import { requireReadModel } from '../../http/freshness.ts';
import { createRouter } from '../../http/router.ts';
import type { ShopConfig } from '../../shop.ts';
import type { CheckLine } from './check-books.ts';
import { checkInChild, type Check } from './check-in-child.ts';
import { streamLines } from './stream-lines.ts';

export type BookRoutesDeps = { readonly progress: Progress; readonly where: ShopConfig };

/** A line is repeated after this many ms, because proxies close a response that is silent for a minute. */
const REPEAT_AFTER = 15_000;

/** All callers share the check; it stops when the last one leaves. */
export class SharedCheck {
  readonly #leaving = new AbortController();
  readonly #check: Check;
  #callers = 0;
  #newest: CheckLine | undefined;
  #broke: unknown;
  #isOver = false;
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(check: (signal: AbortSignal) => Check) {
    this.#check = check(this.#leaving.signal);
    void this.#follow(this.#check.lines);
  }

  /** Settles when its process has ended. */
  get ended(): Promise<unknown> {
    return this.#check.ended;
  }

  get isLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Adds a caller. Returns a function with which the caller leaves. */
  join(): () => void {
    this.#callers += 1;
    return () => {
      this.#callers -= 1;
      if (this.#callers === 0) this.#leaving.abort();
    };
  }

  async #follow(lines: Check['lines']): Promise<void> {
    try {
      for (let next = await lines.next(); !next.done; next = await lines.next()) this.#update(() => (this.#newest = next.value));
    } catch (error) {
      this.#broke = error;
    }
    this.#update(() => (this.#isOver = true));
  }

  #update(change: () => void): void {
    change();
    this.#changes.emit('change');
  }

  /** Yields the newest line on each request, repeated after `repeatAfter` ms without progress. Throws `CheckFailed`. */
  async *lines(repeatAfter = REPEAT_AFTER): AsyncGenerator<CheckLine, undefined> {
    for (let sent: CheckLine | undefined; ;) {
      if (this.#newest !== sent) {
        sent = this.#newest;
        if (sent) yield sent;
      } else if (this.#isOver) {
        if (this.#broke) throw this.#broke;
        return;
      } else {
        const silence = AbortSignal.timeout(repeatAfter);
        await once(this.#changes, 'change', { signal: silence }).catch(() => undefined);
        if (silence.aborted && sent) yield sent;
      }
    }
  }
}

/**
 * Serves `GET /audit/verify`: recomputes every hash chain, every order's history, the dashboard's figures and every read model. It sends
 * NDJSON: progress lines, then the result, or `failed` with the reason; 503 if it fails before the first line. Each process runs one check
 * at a time, in a child process that all callers share.
 */
export const bookRoutes = ({ progress, where }: BookRoutesDeps): Router<State> => {
  let current: SharedCheck | undefined;
  const underWay = async (): Promise<SharedCheck> => {
    // A check that all callers have left never finishes, and its tables exist until its process has ended.
    while (current?.isLeft) await current.ended.catch(() => undefined);
    if (current) return current;
    const check = new SharedCheck((signal) => checkInChild(where, signal));
    current = check;
    const over = () => {
      if (current === check) current = undefined;
    };
    check.ended.then(over, over);
    return check;
  };
  return createRouter().get('/audit/verify', requireReadModel(progress, stats.name), async (ctx) => {
    const check = await underWay();
    if (ctx.res.destroyed) return;
    ctx.res.once('close', check.join());
    await streamLines(ctx, check.lines());
  });
};
