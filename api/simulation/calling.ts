import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Koa from 'koa';

import type { Request } from '../drill/browsing.ts';
import { bodyText } from '../http/body-text.ts';
import type { ShopMiddleware, State } from '../http/context.ts';

/** What a browser gets to see of an answer. */
export type Answer = { readonly status: number; readonly body: unknown; readonly cookies: readonly string[] };

const answers = new WeakMap<IncomingMessage, Answer>();

/** Stands before all else: takes what the routes have to say, as the browser will read it, before anything is sent anywhere. */
export const taken: ShopMiddleware = async (ctx, next) => {
  ctx.respond = false;
  await next();
  const { status, body, res, req } = ctx;
  const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
  answers.set(req, { status, body: JSON.parse(bodyText(body) ?? 'null'), cookies });
};

/** The body is handed over as it was read: parsing it is not what is looked at here. */
const bodies = new WeakMap<IncomingMessage, unknown>();
export const bodyRead: ShopMiddleware = (ctx, next) => {
  const body = bodies.get(ctx.req);
  if (body !== undefined) ctx.state.body = body;
  return next();
};

/** Has an application answer a request without a network. */
export const calling = (app: Koa<State>) => {
  const answerTo = app.callback();
  return async ({ method, path, body, key, id }: Request & { readonly id: string }, cookies: string): Promise<Answer> => {
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
