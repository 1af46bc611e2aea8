import type { IncomingMessage, RequestListener } from 'node:http';
import type { Wire } from '#projections/wire.ts';

import type { NoteRequest } from './access-log.ts';
import type { Headers } from './headers.ts';
import type { RequestDurations } from './metrics.ts';
import { requestIdFor } from './request-id.ts';

/** An answer that is ready: 200, JSON, to the route of this name. */
export type ReadyAnswer = { readonly route: string; readonly headers: Headers; readonly body: Wire };

type Parts = {
  /** What is ready for a request; nothing for one that has to be worked on, of which there may be any kind. Does not throw. */
  readonly find: (req: IncomingMessage) => ReadyAnswer | undefined;
  /** Of every answer of the shop. */
  readonly headers: Headers;
  readonly durations: RequestDurations;
  readonly note: NoteRequest | undefined;
};

/**
 * Sends what is ready on Node's own response, and has `otherwise` answer all else: the way through Koa, its middlewares and its router costs
 * more than such an answer. It has what it would have had there: the same headers, an id, its line in the log, its measurement.
 */
export const readyFirst =
  ({ find, headers, durations, note }: Parts, otherwise: RequestListener): RequestListener =>
  (req, res) => {
    const began = performance.now();
    const ready = find(req);
    if (!ready) return otherwise(req, res);
    const requestId = requestIdFor(req);
    const { route, body } = ready;
    res.writeHead(200, [...headers, 'X-Request-Id', requestId, ...ready.headers, 'Content-Length', `${body.length}`]);
    res.end(body, 'latin1');
    durations.observe({ route, status: '2xx' }, (performance.now() - began) / 1_000);
    note?.({ requestId, method: 'GET', path: req.url?.split('?')[0] ?? '', status: 200, began });
  };
