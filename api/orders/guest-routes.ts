import { randomUUID } from 'node:crypto';
import type { Router } from '@koa/router';
import { sql } from 'kysely';
import { z } from 'zod';

import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { isOrderNumber, orderId } from '#domain/shared/ids.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { OrdersDesk } from '#projections/orders/orders-desk-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { Limits } from '../accounts/limits/limits.ts';
import { findSession, getShopper } from '../accounts/sessions/session.ts';
import { getClientAddress, type ShopContext, type State } from '../http/context.ts';
import { requireReadModel } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { insertMails, type Draft, type Outbox } from '../mail/outbox.ts';
import type { MailedOrder } from '../mail/templates/order-mails.ts';
import { emailAddress, EmailInput } from '../platform/email-address.ts';
import type { Shop } from '../shop.ts';
import { findAccess, refuseStaff, viewReached } from './order-access.ts';
import { orderNotFound, type MailProblems } from './order-commands.ts';
import { orderLinkCause, type OrderLinks } from './order-links.ts';

export type GuestRoutesDeps = Pick<Shop, 'load' | 'now' | 'db'> & {
  readonly links: OrderLinks;
  readonly mails: MailProblems;
  readonly limits: Pick<Limits, 'spend'>;
  readonly outbox: Pick<Outbox, 'row' | 'wake'>;
  readonly desk: Pick<OrdersDesk, 'findId'>;
  readonly progress: Progress;
  readonly publicUrl: string;
};

/** No order has this id. It is looked up where there is no other, so that all refusals take the same time. */
const NONE = orderId('00000000-0000-0000-0000-000000000000');

const OpenInput = z.object({ token: z.string() });

/** Handles `POST /order/open`: this session reaches the order of a mailed link from now on, as its shopper and staff who read orders do anyway. */
const openOrder = async (ctx: ShopContext, deps: GuestRoutesDeps): Promise<void> => {
  const { links, load } = deps;
  const { token } = parse(OpenInput, getBody(ctx));
  ctx.state.isUnkept = true;
  const link = links.read(token);
  const id = link?.id ?? NONE;
  const { state } = await load(order, orderStream(id));
  if (state.status === 'none' || !link || !links.isGenuine(link, state)) throw orderNotFound();
  await getShopper(ctx);
  const session = await findSession(ctx);
  if (!session) throw orderNotFound();
  const reached = await findAccess(ctx, deps, session, { id, state });
  if (!reached) await refuseStaff(ctx);
  const access = reached ?? 'link';
  if (access === 'link') await links.open(session.id, link);
  ctx.body = await viewReached(deps, { id, state, access });
};

const FindInput = z.object({
  orderNumber: z
    .string()
    .transform((text) => text.trim().toUpperCase())
    .refine(isOrderNumber, 'Like RH-7K3MQ2XA: it stands in every mail from us'),
  email: EmailInput,
});

const SENT = { message: 'If number and e-mail belong together, a mail with the link is on its way.' };

/**
 * Handles `POST /order/find`: mails the link to the order's address if it is this one. Otherwise it runs the same statements, so that the
 * time does not reveal whether there is such an order.
 */
const findOrder = async (ctx: ShopContext, { load, db, limits, outbox, desk, publicUrl }: GuestRoutesDeps): Promise<void> => {
  const { orderNumber, email } = parse(FindInput, getBody(ctx));
  await limits.spend('find from an address', getClientAddress(ctx), ctx);
  await limits.spend('find of an order', orderNumber, ctx);
  const id = (await desk.findId(orderNumber)) ?? NONE;
  const { state } = await load(order, orderStream(id));
  const found: MailedOrder | undefined =
    isPlaced(state) && emailAddress(state.shippingAddress.email) === email ? { ...state, id } : undefined;
  const mail: Draft = found ? { news: 'order-link', order: found, publicUrl } : { to: email, subject: '', text: '', html: '' };
  await insertMails(db, [outbox.row(orderLinkCause(id) + randomUUID(), mail)], sql.lit(found !== undefined)).execute();
  outbox.wake();
  ctx.status = 202;
  ctx.body = SENT;
};

/** Serves `POST /order/open` and `POST /order/find` to everybody. */
export const guestRoutes = (deps: GuestRoutesDeps): Router<State> =>
  createRouter()
    .post('/order/open', (ctx) => openOrder(ctx, deps))
    .post('/order/find', requireReadModel(deps.progress, ordersDesk.name), (ctx) => findOrder(ctx, deps));
