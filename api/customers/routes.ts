import type { Router } from '@koa/router';
import { z } from 'zod';

import { taxDocuments } from '#projections/invoices/projector.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { messages } from '#projections/messages/message-answers.ts';

import type { ShopContext, State } from '../http/context.ts';
import { cursorInput, limitInput, linkToNext } from '../http/cursor-page.ts';
import { readModel, requireReadModel, waitForReadModel } from '../http/freshness.ts';
import { parse, typed } from '../http/input.ts';
import { createRouter } from '../http/router.ts';
import { eraseCustomer, exportCustomer, type LetterDeps } from './answer-letter.ts';
import { findCustomer } from './find-customer.ts';
import { countCustomers, listCustomers, parseCustomersCursor, type CountedGuests } from './list-customers.ts';
import { viewCustomer, type ViewParts } from './view-customer.ts';

export type CustomerRoutesDeps = ViewParts & LetterDeps & { readonly guests: Pick<CountedGuests, 'count'> };

const USUAL_PAGE = 50;
const ListInput = z.object({
  q: typed.trim().max(100, 'At most 100 characters').optional(),
  guest: z
    .enum(['true', 'false'], 'true or false')
    .transform((text) => text === 'true')
    .optional(),
  limit: limitInput(USUAL_PAGE),
  cursor: cursorInput(parseCustomersCursor),
});

const list = (deps: CustomerRoutesDeps) => async (ctx: ShopContext) => {
  const { q, guest, limit, cursor: after } = parse(ListInput, ctx.query);
  const text = q || undefined;
  const hasCounts = text === undefined && after === undefined;
  const [page, counts] = await Promise.all([
    listCustomers(deps, { limit, text, guest, after }),
    hasCounts ? countCustomers(deps) : undefined,
  ]);
  linkToNext(ctx, page.nextCursor);
  ctx.body = { ...page, ...(counts && { counts }) };
};

const show = (deps: CustomerRoutesDeps) => async (ctx: ShopContext) => {
  ctx.body = await viewCustomer(deps, await findCustomer(deps, String(ctx['params'].id)));
};

/**
 * Serves `GET /admin/customers?q=&guest=&cursor=&limit=`: `{customers, nextCursor, counts?}`, and `GET /admin/customers/:id` with orders, sums,
 * returns, addresses and requests. For somebody who asks by letter, `POST /admin/customers/:id/export {reason}` sends the file of `GET
 * /user/export`, and `POST /admin/customers/:id/erase {reason}` erases: 409 `order_is_open` while a parcel is on its way, and changes nothing
 * then. Both answer 409 `is_staff` about staff, and keep the reason in the security log.
 */
export const customerRoutes = (deps: CustomerRoutesDeps): Router<State> => {
  const { progress } = deps;
  const built = [ordersDesk, messages].map(({ name }) => requireReadModel(progress, name));
  const builtForLetters = [ordersDesk, myOrders, taxDocuments].map(({ name }) => requireReadModel(progress, name));
  const orders = waitForReadModel(readModel(progress, ordersDesk.name), ['order', 'payment']);
  const answers = waitForReadModel(readModel(progress, messages.name), ['message']);
  return createRouter()
    .get('/admin/customers', ...built, orders, list(deps))
    .get('/admin/customers/:id', ...built, orders, answers, show(deps))
    .post('/admin/customers/:id/export', ...builtForLetters, exportCustomer(deps))
    .post('/admin/customers/:id/erase', ...builtForLetters, eraseCustomer(deps));
};
