import type { Router } from '@koa/router';
import { z } from 'zod';

import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { viewOrder } from '#domain/order/view.ts';
import { payment, type PaymentCommand, paymentStream } from '#domain/payment/payment.ts';
import { LONGEST_REASON, type RequestRefund } from '#domain/payment/refunds.ts';
import { paymentStatuses } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { exactPrice } from '#domain/shared/money.ts';
import { dateInIndia } from '#domain/shared/time.ts';
import { deskPaymentCursor, deskPaymentQueries, type DeskPaymentView } from '#projections/orders/desk-payment-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { adminOnly, commandMetadata } from '../../accounts/sessions/session.ts';
import type { Shop } from '../../shop.ts';
import { SubjectErased } from '../../event-store/encryption/subject-keys.ts';
import type { ShopContext, ShopMiddleware, State } from '../../http/context.ts';
import { cursorInput, limitInput, linkToNext } from '../../http/cursor-page.ts';
import { requireReadModel, waitForReadModel, setPosition, getRequiredPosition, readModel } from '../../http/freshness.ts';
import { unavailable } from '../../http/http-error.ts';
import { parse, readableText, required } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import type { UnsentOrderMails } from '../../mail/unsent-order-mails.ts';
import { parseOrderId, orderNotFound, requireOrder, withMailProblem } from '../../orders/order-commands.ts';
import { bySystem } from '../../orders/order-payment.ts';
import { parseRemittance } from './remittance-file.ts';
import { bookRemittance } from './remittances.ts';

export type DeskPaymentDeps = Pick<Shop, 'execute' | 'load' | 'now' | 'store'> & {
  readonly readers: ReadRouter;
  readonly progress: Progress;
  readonly mails: Pick<UnsentOrderMails, 'findProblems'>;
};

const AMOUNT = 'Rupees above 0, with at most two decimals';
const amount = z.number(AMOUNT).transform((given, issue) => {
  const text = String(given);
  const exact = /^\d+(?:\.\d{1,2})?$/.test(text) ? exactPrice(text) : undefined;
  if (exact) return exact;
  issue.addIssue({ code: 'custom', message: AMOUNT });
  return z.NEVER;
});
const reason = required(readableText.trim().max(LONGEST_REASON, `Please use at most ${LONGEST_REASON} characters`));
const RefundInput = z.object({ amount, reason });
const CashInput = z.object({ amount });

type Placed = { readonly id: OrderId; readonly of: ExistingOrder };

/** Loads the placed order in the path from the log. */
const getPlacedOrder = async (ctx: ShopContext, { load }: DeskPaymentDeps): Promise<Placed> => {
  const id = parseOrderId(ctx);
  const of = requireOrder((await load(order, orderStream(id))).state);
  if (of.placement === null) throw orderNotFound();
  return { id, of };
};

/** A move that was begun and has not ended within this many ms is given up. */
const LONGEST_MOVE_MS = 60_000;

/** Gives up moves of the order that were begun too long ago, after an event on the order's stream that makes them fail. */
const giveUpLostMoves = async (ctx: ShopContext, { execute, load, now }: DeskPaymentDeps, { id }: Placed): Promise<void> => {
  const { moves } = (await load(payment, paymentStream(id))).state;
  for (const { id: move, at } of moves)
    if (Date.parse(at) + LONGEST_MOVE_MS <= Date.parse(now())) {
      await execute(order, orderStream(id), { type: 'AbandonMove', now: now() }, bySystem(`lost-${move}`));
      await execute(payment, paymentStream(id), { type: 'EndMove', move, now: ctx.state.arrivedAt }, bySystem(`lost-${move}`));
    }
};

/**
 * Executes the command and responds with the order. If the command appended nothing, its first response and position may have been lost.
 */
const handle = async (ctx: ShopContext, { execute, store }: DeskPaymentDeps, { id, of }: Placed, command: PaymentCommand) => {
  const { state, position } = await execute(payment, paymentStream(id), command, await commandMetadata(ctx));
  setPosition(ctx, 'payment', position ?? (await store.head(['payment'])));
  ctx.body = viewOrder(id, of, state);
};

const refund = async (ctx: ShopContext, deps: DeskPaymentDeps): Promise<void> => {
  const input = parse(RefundInput, getBody(ctx));
  const placed = await getPlacedOrder(ctx, deps);
  await giveUpLostMoves(ctx, deps, placed);
  const times = { askedAt: ctx.state.arrivedAt, now: deps.now() };
  const command: RequestRefund = { type: 'RequestRefund', bill: computeBill(placed.of), ...input, ...times };
  try {
    await handle(ctx, deps, placed, command);
  } catch (error) {
    if (!(error instanceof SubjectErased)) throw error;
    // The shopper was erased: the money is refunded, but the reason is not stored.
    await handle(ctx, deps, placed, { ...command, reason: null });
  }
};

const collectCash = async (ctx: ShopContext, deps: DeskPaymentDeps): Promise<void> => {
  const input = parse(CashInput, getBody(ctx));
  const placed = await getPlacedOrder(ctx, deps);
  const now = deps.now();
  const by = { reference: '', collectedOn: dateInIndia(now), now };
  await handle(ctx, deps, placed, { type: 'CollectCash', bill: computeBill(placed.of), ...input, ...by });
};

const RemittanceInput = z.object({ dryRun: z.enum(['true', 'false'], 'true or false').default('false') });

const CATEGORIES = ['order', 'payment'] as const;
/** The route waits this many ms for the read model to have everything in the log. */
const TIMEOUT_MS = 10_000;

/** Waits for the read model: if it were behind, a repeated file could get another answer than the first time. */
const takeRemittance = async (ctx: ShopContext, { execute, now, store, readers, progress }: DeskPaymentDeps): Promise<void> => {
  const { dryRun } = parse(RemittanceInput, ctx.query);
  const rows = parseRemittance(String(ctx.state.body ?? ''), now());
  const head = await store.head(CATEGORIES);
  if ((await progress.waitFor(ordersDesk.name, head, TIMEOUT_MS)) === 'stale')
    throw unavailable('The list of orders is not up to date. Please try again in a moment.');
  const numbers = rows.map(({ orderNumber }) => orderNumber);
  const orders = await readers.ask(ordersDesk, head, (database) => deskPaymentQueries(database).byNumber(numbers));
  const parts = { execute, now, metadata: await commandMetadata(ctx), isDryRun: dryRun === 'true' };
  const { remittance, position } = await bookRemittance(rows, orders, parts);
  setPosition(ctx, 'payment', position ?? head);
  ctx.body = remittance;
};

const USUAL_PAGE = 50;
const listed = [...paymentStatuses.filter((status) => status !== 'none'), 'mismatch' as const, 'with_couriers' as const];

const ListInput = z.object({
  status: z.enum(listed, `One of ${listed.join(', ')}`).optional(),
  limit: limitInput(USUAL_PAGE),
  cursor: cursorInput(deskPaymentCursor),
});

const shown = (payment: DeskPaymentView): Omit<DeskPaymentView, 'refunded'> => {
  const { refunded: _, ...view } = payment;
  return view;
};

const listPayments = async (ctx: ShopContext, { readers }: DeskPaymentDeps): Promise<void> => {
  const { cursor: after, ...input } = parse(ListInput, ctx.query);
  const answer = await readers.ask(payments, getRequiredPosition(ctx, CATEGORIES), async (database) => {
    const queries = deskPaymentQueries(database);
    const owed = input.status === 'with_couriers' ? { owed: await queries.owedByCouriers() } : {};
    return { ...(await queries.page({ ...input, after })), ...owed };
  });
  linkToNext(ctx, answer.nextCursor);
  ctx.body = { ...answer, payments: answer.payments.map(shown) };
};

export const deskPaymentRoutes = (deps: DeskPaymentDeps): Router<State> => {
  const { progress } = deps;
  const desk = withMailProblem(deps.mails);
  const built: ShopMiddleware = requireReadModel(progress, ordersDesk.name);
  const ready = [ordersDesk, payments].flatMap(({ name }) => [
    requireReadModel(progress, name),
    waitForReadModel(readModel(progress, name), CATEGORIES),
  ]);
  return createRouter()
    .put('/admin/order/:id/refund', adminOnly, desk, (ctx) => refund(ctx, deps))
    .put('/admin/order/:id/cash', adminOnly, desk, (ctx) => collectCash(ctx, deps))
    .post('/admin/remittances', adminOnly, built, (ctx) => takeRemittance(ctx, deps))
    .get('/admin/payments', adminOnly, ...ready, (ctx) => listPayments(ctx, deps));
};
