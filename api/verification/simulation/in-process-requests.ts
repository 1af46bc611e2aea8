import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Koa from 'koa';

import type { Request } from '../journeys/browsing.ts';
import { bodyText } from '../../accounts/idempotency/idempotency.ts';
import type { ShopMiddleware, State } from '../../http/context.ts';

export type SimulatedAnswer = { readonly status: number; readonly body: unknown; readonly cookies: readonly string[] };

const answers = new WeakMap<IncomingMessage, SimulatedAnswer>();

/** Captures the routes' answer, parsed as by a browser, instead of sending it. */
export const captureAnswer: ShopMiddleware = async (ctx, next) => {
  ctx.respond = false;
  await next();
  const { status, body, res, req } = ctx;
  const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
  answers.set(req, { status, body: JSON.parse(bodyText(body) ?? 'null'), cookies });
};

/** Bodies are handed over, because parsing them is not part of the simulation. */
const bodies = new WeakMap<IncomingMessage, unknown>();
export const handOverBody: ShopMiddleware = (ctx, next) => {
  const body = bodies.get(ctx.req);
  if (body !== undefined) ctx.state.body = body;
  return next();
};

export const inProcessRequests = (app: Koa<State>) => {
  const answerTo = app.callback();
  return async ({ method, path, body, key, id }: Request & { readonly id: string }, cookies: string): Promise<SimulatedAnswer> => {
    const req = new IncomingMessage(new Socket());
    req.method = method;
    req.url = path;
    req.headers = { host: 'localhost', 'x-request-id': id, ...(cookies !== '' && { cookie: cookies }) };
    if (key !== undefined) req.headers['idempotency-key'] = key;
    if (body !== undefined) bodies.set(req, body);
    await answerTo(req, new ServerResponse(req));
    const answer = answers.get(req);
    if (!answer) throw new Error(`${method} ${path} had no answer`);
    return answer;
  };
};
