import type { Router } from '@koa/router';
import { z } from 'zod';

import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { pages } from '#domain/site/pages.ts';

import { EmailInput } from '../platform/email-address.ts';
import { getClientAddress, type ShopContext, type ShopMiddleware, type State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { linkToNext, NewestFirstInput, readPage } from '../http/cursor-page.ts';
import { HttpError } from '../http/http-error.ts';
import { createRouter } from '../http/router.ts';
import type { Newsletter } from './newsletter.ts';
import { subscribers, type SubscriberParts } from './subscribers.ts';

export type SubscriberRoutesDeps = SubscriberParts & { readonly limits: Limits; readonly newsletter: Newsletter };

const SubscribeInput = z.object({ email: EmailInput });
const TokenInput = z.object({ token: z.string().max(200) });

const LEFT = { message: 'You are unsubscribed. No more letters will come.' };

const badLink = (): HttpError =>
  new HttpError({ status: 400, code: 'bad_link', message: 'This link is not valid any more. Please enter your e-mail address instead.' });

const subscribe =
  ({ newsletter, limits }: SubscriberRoutesDeps) =>
  async (ctx: ShopContext) => {
    const { email } = parse(SubscribeInput, getBody(ctx), NOT_AN_EMAIL);
    await limits.spend('subscribe from an address', getClientAddress(ctx), ctx);
    const joined = await newsletter.subscribe(email);
    ctx.status = joined ? 201 : 200;
    ctx.body = { message: joined ? 'Thank you. You are on the list for our letters.' : 'You are already subscribed' };
  };

/** The response is the same for unknown addresses, so that nothing about others is revealed. */
const unsubscribe =
  ({ newsletter, limits }: SubscriberRoutesDeps) =>
  async (ctx: ShopContext) => {
    const byLink = TokenInput.safeParse(getBody(ctx));
    if (byLink.success) {
      if (!(await newsletter.leave(byLink.data.token))) throw badLink();
    } else {
      const { email } = parse(SubscribeInput, getBody(ctx));
      await limits.spend('unsubscribe from an address', getClientAddress(ctx), ctx);
      await newsletter.unsubscribe(email);
    }
    ctx.body = LEFT;
  };

const list = (deps: SubscriberRoutesDeps) => async (ctx: ShopContext) => {
  const { rows, nextCursor } = await readPage((part) => subscribers(deps, part), parse(NewestFirstInput, ctx.query));
  linkToNext(ctx, nextCursor);
  ctx.body = rows;
};

/** Serves `POST /subscribe` and `POST /subscribe/unsubscribe` to everybody, and `GET /subscribe` to admins: an array, newest first. */
export const subscriberRoutes = (deps: SubscriberRoutesDeps): Router<State> =>
  createRouter().post('/subscribe', subscribe(deps)).post('/subscribe/unsubscribe', unsubscribe(deps)).get('/subscribe', list(deps));

/** A mail program's own button (RFC 8058) posts a form to the link. Opening the link, as virus scanners do, does not unsubscribe. */
export const oneClickUnsubscribe = ({ leave }: Pick<Newsletter, 'leave'>): ShopMiddleware => {
  const unsubscribe = async (ctx: ShopContext): Promise<void> => {
    const { token } = ctx.query;
    const left = typeof token === 'string' && (await leave(token));
    ctx.status = left ? 200 : 400;
    ctx.type = 'text';
    ctx.body = left ? 'Unsubscribed' : 'This link is not valid any more';
  };
  return (ctx, next) => (ctx.method === 'POST' && ctx.path === pages.unsubscribe ? unsubscribe(ctx) : next());
};
