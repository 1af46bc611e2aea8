import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Wire } from '#projections/wire.ts';

import type { NoteRequest } from './access-log.ts';
import type { Headers } from './headers.ts';
import type { CallsUnderWay } from './load-shedding.ts';
import type { RequestDurations } from './metrics.ts';
import { requestIdFor } from './request-id.ts';

/** An answer that is ready: 200, JSON, to the route of this name. */
export type ReadyAnswer = { readonly route: string; readonly headers: Headers; readonly body: Wire };

export type AskFirst = () => Promise<ReadyAnswer | undefined>;

type Parts = {
  /** What is ready for a request; nothing for one that has to be worked on, of which there may be any kind. Does not throw. */
  readonly find: (req: IncomingMessage) => ReadyAnswer | undefined;
  /** Likewise, where it has to be asked first who asks: that is begun by calling what is found. When it fails, `otherwise` says what is wrong. */
  readonly findForAsker: (req: IncomingMessage) => AskFirst | undefined;
  /** Of every answer of the shop. */
  readonly headers: Headers;
  readonly calls: CallsUnderWay;
  readonly durations: RequestDurations;
  readonly note: NoteRequest | undefined;
};

/** `began` by `performance.now`. */
type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse; readonly began: number };

/**
 * Sends what is ready on Node's own response, and has `otherwise` answer all else: the way through Koa, its middlewares and its router costs
 * more than such an answer. It has what it would have had there: the same headers, an id, its line in the log, its measurement, and while
 * it is asked who asks it counts among the calls under way.
 */
export const readyFirst = (parts: Parts, otherwise: RequestListener): RequestListener => {
  const { find, findForAsker, headers, calls, durations, note } = parts;

  const send = ({ req, res, began }: Exchange, { route, headers: own, body }: ReadyAnswer): void => {
    const requestId = requestIdFor(req);
    res.writeHead(200, [...headers, 'X-Request-Id', requestId, ...own, 'Content-Length', `${body.length}`]);
    res.end(body, 'latin1');
    durations.observe({ route, status: '2xx' }, (performance.now() - began) / 1_000);
    note?.({ requestId, method: 'GET', path: req.url?.split('?')[0] ?? '', status: 200, began });
  };

  const sendWhenAsked = async (exchange: Exchange, ask: AskFirst): Promise<void> => {
    const ready = await ask().catch(() => undefined);
    calls.leave();
    if (ready) send(exchange, ready);
    else otherwise(exchange.req, exchange.res);
  };

  return (req, res) => {
    const exchange = { req, res, began: performance.now() };
    const ready = find(req);
    if (ready) return send(exchange, ready);
    const ask = findForAsker(req);
    if (ask && calls.enter()) return void sendWhenAsked(exchange, ask);
    return otherwise(req, res);
  };
};
