import type { IncomingMessage } from 'node:http';
import type { Wire } from '#projections/wire.ts';

import type { Headers } from './headers.ts';
import type { AskFirst, ReadyAnswer } from './ready-answers.ts';
import { JSON_TYPE } from './ready-json.ts';
import type { Greet } from './session.ts';

/** What people who are signed in ask for all day, answered in front of Koa when nothing is in the way of it. Beside a route, which says the same. */
export type ReadyRoute = {
  /** As it is asked for, prefix and all. */
  readonly path: string;
  /** Whether what is asked is built and has what the asker's own commands brought about. Otherwise it is waited for elsewhere. */
  isCurrent(req: IncomingMessage): boolean;
  /** By the same rights as the route, nothing to whom it would refuse. `query` as it stands in the URL, without its `?`. May throw anything. */
  answer(req: IncomingMessage, query: string): Promise<Wire | undefined>;
};

/** As calls are answered of which nobody keeps the answer. */
const HEADERS: Headers = ['Cache-Control', 'no-store', ...JSON_TYPE];

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Answers what is asked in the plainest way. Rejects, or finds nothing, where the way through Koa has to say why not. */
export const readyOn = (routes: readonly ReadyRoute[], greet: Greet) => {
  const byPath = new Map(routes.map((route) => [route.path, route]));

  const answer = async (route: ReadyRoute, req: IncomingMessage, query: string): Promise<ReadyAnswer | undefined> => {
    const body = await route.answer(req, query);
    return body && { route: `GET ${route.path}`, headers: HEADERS, body };
  };

  return (req: IncomingMessage): AskFirst | undefined => {
    const { method, url = '', headers } = req;
    if (method !== 'GET' || headers.cookie === undefined || hasBody(req)) return undefined;
    const end = url.indexOf('?');
    const route = byPath.get(end < 0 ? url : url.slice(0, end));
    // No browser sends what follows a `#`: whatever that is, it is not plain.
    if (!route?.isCurrent(req) || url.includes('#')) return undefined;
    return () => {
      greet(req);
      return answer(route, req, end < 0 ? '' : url.slice(end + 1));
    };
  };
};
