import type { Router } from '@koa/router';
import { z } from 'zod';

import { returnDecisions } from '#domain/order/events.ts';
import type { DecideReturn, ReceiveReturn } from '#domain/order/returns.ts';
import { isProductId } from '#domain/shared/ids.ts';
import type { IndianState } from '#domain/shared/states.ts';
import { deskReturnQueries, returnCursor, returnLists } from '#projections/orders/desk-return-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import type { ShopContext, State } from '../http/context.ts';
import { cursorInput, limitInput, linkToNext } from '../http/cursor-page.ts';
import { getRequiredPosition, readModel, requireReadModel, waitForReadModel } from '../http/freshness.ts';
import { parse, required } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { noteInput } from './inputs.ts';
import { requireOwner } from './order-access.ts';
import { handleOrderCommand, shopperErased, withMailProblem, type OrderRoutesDeps } from './order-commands.ts';

type Deps = OrderRoutesDeps & { readonly sellerState: IndianState; readonly readers: ReadRouter; readonly progress: Progress };

const WHOLE = 'A whole number from 1';
const line = z.object({
  productId: z.string().refine(isProductId, 'Not a product'),
  quantity: z.int(WHOLE).min(1, WHOLE),
});
const RequestInput = z.object({
  reason: required(noteInput),
  opened: z.boolean(),
  lines: z.array(line).min(1, 'Please choose what comes back').max(100, 'At most 100 lines').optional(),
});

/** Handles `PUT /order/return/:id`: the shopper asks for a return, on which staff decide. */
const requestReturn = async (ctx: ShopContext, deps: Deps): Promise<void> => {
  const input = parse(RequestInput, getBody(ctx));
  const { sellerState, now } = deps;
  await handleOrderCommand(ctx, deps, { type: 'RequestReturn', by: await requireOwner(ctx, deps), ...input, sellerState, now: now() });
};

const EITHER = 'Either a decision, or received with restock';
const HandleInput = z
  .object({
    return: z.int(WHOLE).min(1, WHOLE).optional(),
    decision: z.enum(returnDecisions, `One of ${returnDecisions.join(', ')}`).optional(),
    note: noteInput.default(''),
    received: z.literal(true, 'true').optional(),
    restock: z.boolean('true or false').optional(),
  })
  .transform(({ decision, note, received, restock, ...which }, issue): Omit<DecideReturn, 'now'> | Omit<ReceiveReturn, 'now'> => {
    if (decision !== undefined && received === undefined && restock === undefined)
      return { type: 'DecideReturn', decision, note, ...which };
    if (decision === undefined && received && restock !== undefined) return { type: 'ReceiveReturn', restock, ...which };
    issue.addIssue({ code: 'custom', path: [decision === undefined && received ? 'restock' : 'decision'], message: EITHER });
    return z.NEVER;
  });

/** Handles `PUT /admin/return/:id`: staff decide on a return of an order, or receive its bottles; its last one, unless `return` has a number. */
const handleReturn = async (ctx: ShopContext, deps: Deps): Promise<void> => {
  const input = parse(HandleInput, getBody(ctx));
  try {
    await handleOrderCommand(ctx, deps, { ...input, now: deps.now() });
  } catch (error) {
    throw error instanceof SubjectErased ? shopperErased('Please leave out the note.') : error;
  }
};

const USUAL_PAGE = 50;
const ListInput = z.object({
  status: z.enum(returnLists, `One of ${returnLists.join(', ')}`).optional(),
  limit: limitInput(USUAL_PAGE),
  cursor: cursorInput(returnCursor),
});
const CATEGORIES = ['order', 'payment'] as const;

/** Handles `GET /admin/returns`: newest first, each with its order; `counts` says how many wait for what. */
const listReturns = async (ctx: ShopContext, { readers }: Deps): Promise<void> => {
  const { cursor: after, ...input } = parse(ListInput, ctx.query);
  const answer = await readers.ask(ordersDesk, getRequiredPosition(ctx, CATEGORIES), async (database) => {
    const queries = deskReturnQueries(database);
    return { ...(await queries.page({ ...input, after })), counts: await queries.counts() };
  });
  linkToNext(ctx, answer.nextCursor);
  ctx.body = answer;
};

export const returnRoutes = (deps: Deps): Router<State> => {
  const { name } = ordersDesk;
  const ready = [requireReadModel(deps.progress, name), waitForReadModel(readModel(deps.progress, name), CATEGORIES)];
  return createRouter()
    .put('/order/return/:id', (ctx) => requestReturn(ctx, deps))
    .get('/admin/returns', ...ready, (ctx) => listReturns(ctx, deps))
    .put('/admin/return/:id', withMailProblem(deps.mails), (ctx) => handleReturn(ctx, deps));
};
