import type { Router } from '@koa/router';
import { z } from 'zod';

import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { viewOrder } from '#domain/order/view.ts';
import { payment, type PaymentCommand, paymentStream } from '#domain/payment/payment.ts';
import { LONGEST_REASON, LONGEST_REFERENCE, type RequestRefund } from '#domain/payment/refunds.ts';
import { paymentStatuses } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { exactPrice } from '#domain/shared/money.ts';
import { beginningInIndia, dateInIndia } from '#domain/shared/time.ts';
import { deskPaymentCursor, deskPaymentQueries, type DeskPaymentView } from '#projections/orders/desk-payment-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { sumPayments, sumWithCouriers } from '#projections/orders/payment-sums.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { commandMetadata } from '../../accounts/sessions/session.ts';
import type { Shop } from '../../shop.ts';
import { SubjectErased } from '../../event-store/encryption/subject-keys.ts';
import type { ShopContext, ShopMiddleware, State } from '../../http/context.ts';
import { cursorInput, limitInput, linkToNext } from '../../http/cursor-page.ts';
import { requireReadModel, waitForReadModel, setPosition, getRequiredPosition, readModel } from '../../http/freshness.ts';
import { unavailable } from '../../http/http-error.ts';
import { flagInput, parse, readableText, required } from '../../http/input.ts';
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
const EITHER = 'Either amount and reason, or the reference of a transfer and at most its amount';
const reference = required(readableText.trim().max(LONGEST_REFERENCE, `Please use at most ${LONGEST_REFERENCE} characters`));
const RefundInput = z
  .object({ amount: amount.optional(), reason: reason.optional(), reference: reference.optional() })
  .transform(({ amount, reason, reference }, issue) => {
    if (reference !== undefined && reason === undefined) return { reference, amount };
    if (reference === undefined && amount !== undefined && reason !== undefined) return { amount, reason };
    for (const [name, given] of Object.entries(reference === undefined ? { amount, reason } : { reason: undefined }))
      if (given === undefined) issue.addIssue({ code: 'custom', path: [name], message: EITHER });
    return z.NEVER;
  });
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
  if (input.reference !== undefined)
    return handle(ctx, deps, placed, { type: 'SettleCashRefund', bill: computeBill(placed.of), ...input, now: deps.now() });
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

const RemittanceInput = z.object({ dryRun: flagInput.default(false), names: flagInput.default(false) });

const CATEGORIES = ['order', 'payment'] as const;
/** The route waits this many ms for the read model to have everything in the log. */
const TIMEOUT_MS = 10_000;

/** With `names=true` rows of known orders have the name of the `customer`. Waits for the read model: if it were behind, a repeated file could get another answer than the first time. */
const takeRemittance = async (ctx: ShopContext, { execute, now, store, readers, progress }: DeskPaymentDeps): Promise<void> => {
  const { dryRun, names } = parse(RemittanceInput, ctx.query);
  const rows = parseRemittance(String(ctx.state.body ?? ''), now());
  const head = await store.head(CATEGORIES);
  if ((await progress.waitFor(ordersDesk.name, head, TIMEOUT_MS)) === 'stale')
    throw unavailable('The list of orders is not up to date. Please try again in a moment.');
  const numbers = rows.map(({ orderNumber }) => orderNumber);
  const orders = await readers.ask(ordersDesk, head, (database) => deskPaymentQueries(database).byNumber(numbers));
  const parts = { execute, now, metadata: await commandMetadata(ctx), isDryRun: dryRun };
  const { remittance, position } = await bookRemittance(rows, orders, parts);
  setPosition(ctx, 'payment', position ?? head);
  const nameOf = (number: string): object => ({ customer: orders.get(number.toLowerCase())?.customer ?? '' });
  ctx.body = names ? { ...remittance, rows: remittance.rows.map((row) => ({ ...row, ...nameOf(row.orderNumber) })) } : remittance;
};

const USUAL_PAGE = 50;
const listed = [
  ...paymentStatuses.filter((status) => status !== 'none'),
  'mismatch' as const,
  'with_couriers' as const,
  'paid_today' as const,
];

const ListInput = z.object({
  status: z.enum(listed, `One of ${listed.join(', ')}`).optional(),
  limit: limitInput(USUAL_PAGE),
  cursor: cursorInput(deskPaymentCursor),
});

const shown = (payment: DeskPaymentView): Omit<DeskPaymentView, 'refunded'> => {
  const { refunded: _, ...view } = payment;
  return view;
};

const listPayments = async (ctx: ShopContext, { readers, now }: DeskPaymentDeps): Promise<void> => {
  const { cursor: after, limit, status } = parse(ListInput, ctx.query);
  const list = status === 'paid_today' ? { paidSince: beginningInIndia(dateInIndia(now())) } : { status };
  const answer = await readers.ask(payments, getRequiredPosition(ctx, CATEGORIES), async (database) => ({
    ...(await deskPaymentQueries(database).page({ ...list, limit, after })),
    ...(status === 'with_couriers' && { owed: (await sumWithCouriers(database)).amount }),
  }));
  linkToNext(ctx, answer.nextCursor);
  ctx.body = { ...answer, payments: answer.payments.map(shown) };
};

const showSums = async (ctx: ShopContext, { readers, now }: DeskPaymentDeps): Promise<void> => {
  const today = beginningInIndia(dateInIndia(now()));
  ctx.body = await readers.ask(payments, getRequiredPosition(ctx, CATEGORIES), (database) => sumPayments(database, today));
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
    .put('/admin/order/:id/refund', desk, (ctx) => refund(ctx, deps))
    .put('/admin/order/:id/cash', desk, (ctx) => collectCash(ctx, deps))
    .post('/admin/remittances', built, (ctx) => takeRemittance(ctx, deps))
    .get('/admin/payments/summary', ...ready, (ctx) => showSums(ctx, deps))
    .get('/admin/payments', ...ready, (ctx) => listPayments(ctx, deps));
};
