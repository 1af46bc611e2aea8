import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { NoteRequest } from '../observability/access-log.ts';
import type { Headers } from '../http/headers.ts';
import type { CallsUnderWay } from '../http/load-shedding.ts';
import { UNROUTED, type NoteDuration } from '../observability/metrics.ts';
import type { CachedResponse } from './cached-response.ts';
import { requestIdFor } from '../http/context.ts';

/** The same for everybody; undefined for any other request. May throw. */
export type FindCachedResponse = (req: IncomingMessage, path: string, query: string) => CachedResponse | undefined;

type Parts = {
  readonly find: FindCachedResponse;
  /** Whether memory shows the caller's own commands. Otherwise the request waits behind Koa. */
  readonly isCurrent: (req: IncomingMessage) => boolean;
  /** Of every answer of the shop. */
  readonly headers: Headers;
  readonly calls: Pick<CallsUnderWay, 'isFull'>;
  readonly noteDuration: NoteDuration;
  readonly note: NoteRequest | undefined;
};

/**
 * Sends a ready answer on Node's own response, and hands every other request to Koa. The answer is the same as behind Koa, with the same
 * headers, request id, measurement and log line.
 *
 * Optimisation: a product takes 16 µs of processor time this way; through Koa it is 36 µs.
 */
export const fastPath = ({ find, isCurrent, headers, calls, noteDuration, note }: Parts, koa: RequestListener): RequestListener => {
  const answerTo = (req: IncomingMessage, path: string, query: string): CachedResponse | undefined => {
    try {
      return isCurrent(req) ? find(req, path, query) : undefined;
    } catch {
      // A question that the route refuses: behind Koa it throws again, and is answered.
      return undefined;
    }
  };

  const send = (res: ServerResponse, requestId: string, { status, headers: own, body }: CachedResponse): void => {
    const length = status === 304 ? [] : ['Content-Length', `${body.length}`];
    res.writeHead(status, [...headers, 'X-Request-Id', requestId, ...own, ...length]);
    res.end(body, 'latin1');
  };

  return (req, res) => {
    const began = performance.now();
    const { method, url = '' } = req;
    // No browser sends what follows a `#`.
    if (method !== 'GET' || calls.isFull() || url.includes('#')) return koa(req, res);
    const end = url.indexOf('?');
    const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
    const answer = answerTo(req, path, query);
    if (!answer) return koa(req, res);
    const requestId = requestIdFor(req);
    send(res, requestId, answer);
    const { route = UNROUTED, status } = answer;
    noteDuration(route, status, (performance.now() - began) / 1_000);
    note?.({ requestId, method, path, status, began });
  };
};
