import type { Router } from '@koa/router';
import { z } from 'zod';

import { isProductId } from '#domain/shared/ids.ts';
import { pages } from '#domain/site/pages.ts';

import type { Limits } from '../accounts/limits/limits.ts';
import { Rejected } from '../command-handler/execute.ts';
import { getClientAddress, type ShopContext, type ShopMiddleware, type State } from '../http/context.ts';
import { HttpError } from '../http/http-error.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { EmailInput } from '../platform/email-address.ts';
import type { RestockNotices } from './restock-notices.ts';

export type NoticeRoutesDeps = { readonly limits: Limits; readonly notices: RestockNotices };

const AskInput = z.object({ email: EmailInput });
const EndInput = z.object({ token: z.string().max(1_000) });

/** The response is the same for every address, so that nothing about others is revealed. */
const NOTED = { message: 'Thank you. We will write to you once, when it is in stock again.' };
const ENDED = { message: 'You will get no more of these mails.' };

const ask = async (ctx: ShopContext, { notices, limits }: NoticeRoutesDeps): Promise<void> => {
  const { id = '' } = ctx['params'];
  const { email } = parse(AskInput, getBody(ctx));
  await limits.spend('notify from an address', getClientAddress(ctx), ctx);
  if (!isProductId(id)) throw new Rejected({ code: 'product_not_found' });
  await notices.ask(id, email);
  ctx.status = 202;
  ctx.body = NOTED;
};

const end = async (ctx: ShopContext, { notices }: NoticeRoutesDeps): Promise<void> => {
  const { token } = parse(EndInput, getBody(ctx));
  if (!(await notices.end(token)))
    throw new HttpError({ status: 400, code: 'bad_link', message: 'This link is not valid any more. A newer mail has one that is.' });
  ctx.body = ENDED;
};

/** Serves `POST /product/:id/notify` and `POST /notices/end` to everybody. */
export const noticeRoutes = (deps: NoticeRoutesDeps): Router<State> =>
  createRouter()
    .post('/product/:id/notify', (ctx) => ask(ctx, deps))
    .post('/notices/end', (ctx) => end(ctx, deps));

const END = new RegExp(`^${pages.endNotices.replace(':token', '([\\w-]+)')}$`);

/** A mail program's own button (RFC 8058) posts a form to the link. */
export const oneClickEndNotices =
  ({ end: endBy }: Pick<RestockNotices, 'end'>): ShopMiddleware =>
  async (ctx, next) => {
    const token = ctx.method === 'POST' ? END.exec(ctx.path)?.[1] : undefined;
    if (token === undefined) return next();
    const isEnded = await endBy(token);
    ctx.status = isEnded ? 200 : 400;
    ctx.type = 'text';
    ctx.body = isEnded ? 'Unsubscribed' : 'This link is not valid any more';
  };
