import type { Logger } from 'pino';

import { requestIdOf, type ShopMiddleware } from './context.ts';

/** `began` by `performance.now`. */
type Answered = {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly began: number;
};

export type NoteRequest = (answered: Answered) => void;

/**
 * One line a request: what was asked, what was answered, how long it took in ms. Never the query or the body: they hold what people typed.
 * Nothing where the log wants no such lines.
 */
export const requestNotes = (log: Logger): NoteRequest | undefined => {
  if (!log.isLevelEnabled('info')) return undefined;
  // Nothing in these lines can be a secret, and looking for some in each would cost more than writing it.
  const lines = log.child({}, { redact: [] });
  return ({ began, ...answered }) => lines.info({ ...answered, ms: Math.round((performance.now() - began) * 100) / 100 }, 'request');
};

export const accessLog = (note: NoteRequest | undefined): ShopMiddleware => {
  if (!note) return (_, next) => next();
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    note({ requestId: requestIdOf(ctx), method: ctx.method, path: ctx.path, status: ctx.status, began });
  };
};
