import pg from 'pg';
import type { Logger } from 'pino';

import { EventStoreUnavailable, WrongRevision, StreamIncomplete } from '#domain/event-store.ts';

import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { Rejected } from '../command-handler/execute.ts';
import { MutexTimeout } from '../platform/keyed-mutex.ts';
import { getErrorCode } from '../platform/cannot-start.ts';
import { getRequestId, type ShopContext, type ShopMiddleware } from './context.ts';
import { HttpError, unavailable, type HttpErrorAnswer } from './http-error.ts';
import { answerTo } from './rejection-answers.ts';

const AWAY = unavailable('The shop cannot do this right now. Please try again in a moment.').answer;
const BROKEN: HttpErrorAnswer = { status: 500, code: 'internal', message: 'Something went wrong on our side. Please try again.' };
/** An administrator has to restore the stream. */
const CUT: HttpErrorAnswer = unavailable(
  'A part of our records is missing here, and nothing is decided without it. Please contact us.',
).answer;
/** The user was erased in another tab or process; this process had the session cached. */
const GONE: HttpErrorAnswer = { status: 401, code: 'not_signed_in', message: 'Not signed in' };
const BUSY: HttpErrorAnswer = { status: 409, code: 'conflict', message: 'This was changed several times just now. Please try again.' };

/** These SQLSTATE classes mean that the server is unreachable, full, stopping or busy, or ended a deadlock; the shop causes all others. */
const SERVER_AWAY = /^(?:08|40|53|57|55P03|25006)/;
const SOCKET_AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** Some of pg's connection errors have no code. */
const CONNECTION_LOST = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/;

const isOutage = (error: unknown): boolean => {
  if (error instanceof EventStoreUnavailable || error instanceof MutexTimeout) return true;
  if (error instanceof pg.DatabaseError) return SERVER_AWAY.test(error.code ?? '');
  // Node throws an AggregateError when a host name has several addresses and none of them answers.
  if (error instanceof AggregateError) return error.errors.every(isOutage);
  return SOCKET_AWAY.has(getErrorCode(error) ?? '') || (error instanceof Error && CONNECTION_LOST.test(error.message));
};

/** Returns the response to an error. An unknown error becomes a 500 without details. */
export const answerFor = (error: unknown): HttpErrorAnswer => {
  if (error instanceof HttpError) return error.answer;
  if (error instanceof Rejected) return answerTo(error.rejection);
  if (error instanceof WrongRevision) return BUSY;
  if (error instanceof SubjectErased) return GONE;
  if (error instanceof StreamIncomplete) return CUT;
  return isOutage(error) ? AWAY : BROKEN;
};

/** Responds with an error and replaces whatever was prepared. */
export const refuse = (ctx: ShopContext, { status, message, code, errors, headers, details }: HttpErrorAnswer): void => {
  ctx.status = status;
  if (headers) ctx.set(headers);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { message, code, ...(errors && { errors }), ...details };
};

/** Responds to errors with status and `{message, code, errors?}`, without internals. */
export const errors =
  (log: Logger): ShopMiddleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const answer = answerFor(error);
      // Many refusals mean that the shop is busy, not broken.
      if (error instanceof HttpError && answer.status >= 500)
        log.warn({ requestId: getRequestId(ctx), why: answer.message }, 'A request was turned away');
      else if (answer.status >= 500) log.error({ requestId: getRequestId(ctx), err: error }, 'A request failed');
      // An incomplete response must not look complete.
      if (ctx.res.headersSent) ctx.res.destroy();
      else refuse(ctx, answer);
    }
  };
