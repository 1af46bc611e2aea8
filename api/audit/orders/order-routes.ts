import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import { z } from 'zod';
import { sql } from 'kysely';

import type { StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import type { ShopContext, State } from '../../http/context.ts';
import { requireReadModel, waitForReadModel, readModel } from '../../http/freshness.ts';
import { parse, typed } from '../../http/input.ts';
import { notFound } from '../../http/http-error.ts';
import { createRouter } from '../../http/router.ts';
import { explainOrder } from '../../orders/explain-order.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Shop } from '../../shop.ts';
import { type FindOrderDeps, findOrders, orderIdFrom } from './find-order.ts';
import { jsonLines } from '../log/ndjson-lines.ts';
import { pagesOfStream } from '../log/log-source.ts';
import { noteDownload, type NotingDeps } from '../note-download.ts';
import { findPeople } from '../people-in.ts';
import { orderPart, type OrderPartDeps } from './order-part.ts';
import { type OrderVerdictDeps, verifyOrder } from './order-verdict.ts';
import { NDJSON, storedLine, viewEvent } from '../audit-json.ts';
import { createMessageId } from '../../mail/sender.ts';
import { findMailedEvent, orderMailCauses, type MailedEvent } from '../../reactions/order-mail-causes.ts';

/** The outbox deletes the text once the mail was sent. */
type OrderMailView = {
  readonly about: MailedEvent;
  /** The field is missing if an order has only one event of this type. */
  readonly revision?: number;
  readonly state: 'waiting' | 'sent' | 'parked';
  readonly createdAt: string;
  readonly sentAt: string | null;
  /** The logs of mail servers show this local part of the mail's Message-ID. */
  readonly messageId: string;
  /** The field is set if the shop's own mailbox caught the mail. */
  readonly mailbox: string | null;
};

const LOCAL_PART = sql<string>`split_part(ltrim(message_id, '<'), '@', 1)`;

/** Returns caught mails by the part of their Message-IDs before the `@`. */
const findCaughtMails = async (db: ShopDatabase, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('caught_mail')
    .select(['id', LOCAL_PART.as('known')])
    .where(LOCAL_PART, '=', anyOf(messageIds))
    .execute();
  return new Map(rows.map(({ id, known }) => [known, `/dev/mailbox?message=${id}`]));
};

const listMails = async (db: ShopDatabase, id: OrderId, hasMailbox: boolean): Promise<readonly OrderMailView[]> => {
  const { whole, beginnings } = orderMailCauses(id);
  const rows = await db
    .selectFrom('outbox')
    .select(['cause', 'state', 'created_at', 'sent_at'])
    .where(({ eb, and, or }) =>
      or([eb('cause', '=', anyOf(whole)), ...beginnings.map((each) => and([eb('cause', '>=', each), eb('cause', '<', `${each}~`)]))]),
    )
    .orderBy('number')
    .execute();
  const messageIds = rows.map(({ cause }) => createMessageId(cause));
  const caught = hasMailbox && rows.length > 0 ? await findCaughtMails(db, messageIds) : new Map<string, string>();
  return rows.flatMap(({ cause, state, created_at, sent_at }) => {
    const about = findMailedEvent(cause);
    const messageId = createMessageId(cause);
    const [createdAt, sentAt] = [created_at.toISOString(), sent_at?.toISOString() ?? null];
    return about ? [{ ...about, state, createdAt, sentAt, messageId, mailbox: caught.get(messageId) ?? null }] : [];
  });
};

export type OrderAuditDeps = FindOrderDeps &
  OrderPartDeps &
  OrderVerdictDeps &
  NotingDeps &
  Pick<Shop, 'db' | 'sealed'> & { readonly hasMailbox: boolean };

const Search = z.object({ q: typed.trim().min(1, 'Required').max(100, 'At most 100 characters') });

/** An order usually has fewer events. */
const LARGEST_PART = 500;

const PartOf = z.object({
  /** The revision is exclusive. */
  after: z
    .string()
    .regex(/^\d{1,9}$/, 'A revision: a whole number')
    .transform(Number)
    .default(-1),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform((text) => Math.min(Number(text), LARGEST_PART))
    .default(LARGEST_PART),
});

const noSuchOrder = () => notFound('Order not found');

const orderFrom = async (ctx: ShopContext & { params: Record<string, string> }, { desk }: OrderAuditDeps): Promise<OrderId> => {
  const id = await orderIdFrom(desk, ctx.params['id'] ?? '');
  if (!id) throw noSuchOrder();
  return id;
};

const sendOrder = async (ctx: ShopContext, deps: OrderAuditDeps, stream: StreamName): Promise<void> => {
  if ((await deps.store.storedStream(stream, undefined, 1)).length === 0) throw noSuchOrder();
  await noteDownload(ctx, deps, stream);
  ctx.type = NDJSON;
  ctx.set('Content-Disposition', `attachment; filename="${stream}.ndjson"`);
  ctx.body = Readable.from(jsonLines(pagesOfStream(deps.store, stream), storedLine), { objectMode: false });
};

const showOrder = async (ctx: ShopContext & { params: Record<string, string> }, deps: OrderAuditDeps): Promise<void> => {
  const id = await orderFrom(ctx, deps);
  const stream = orderStream(id);
  if (ctx.accepts('application/json', NDJSON) === NDJSON) return sendOrder(ctx, deps, stream);
  const { events: read, ...part } = await orderPart(deps, id, parse(PartOf, ctx.query));
  if (part.count === 0) throw noSuchOrder();
  const events = read.map(viewEvent);
  const [mails, people] = await Promise.all([listMails(deps.db, id, deps.hasMailbox), findPeople(deps, events)]);
  ctx.body = { stream, events, ...part, mails, people };
};

const showVerdict = async (ctx: ShopContext & { params: Record<string, string> }, deps: OrderAuditDeps): Promise<void> => {
  const verdict = await verifyOrder(deps, await orderFrom(ctx, deps));
  if (!verdict) throw noSuchOrder();
  ctx.body = verdict;
};

const showAmounts = async (ctx: ShopContext & { params: Record<string, string> }, deps: OrderAuditDeps): Promise<void> => {
  const answer = await explainOrder(deps.store, await orderFrom(ctx, deps));
  if (!answer) throw noSuchOrder();
  ctx.body = answer;
};

/**
 * `GET /audit/orders?q=` searches; `/audit/orders/:id?after=&limit=` returns an order's events, at most 500, with the state after each,
 * their `count` and the `next` revision (with `Accept: application/x-ndjson` all events as stored); `/audit/orders/:id/verify` checks that
 * they are unchanged; `/audit/orders/:id/explain` returns its amounts with their parts and events. `:id` may be the order number.
 */
export const orderAuditRoutes = (deps: OrderAuditDeps): Router<State> => {
  const { progress } = deps;
  const listed = [
    requireReadModel(progress, ordersDesk.name),
    waitForReadModel(readModel(progress, ordersDesk.name), ['order', 'payment']),
  ] as const;
  return createRouter()
    .get('/audit/orders', ...listed, async (ctx) => {
      ctx.body = await findOrders(deps, parse(Search, ctx.query).q);
    })
    .get('/audit/orders/:id', ...listed, (ctx) => showOrder(ctx, deps))
    .get('/audit/orders/:id/verify', ...listed, requireReadModel(progress, myOrders.name), (ctx) => showVerdict(ctx, deps))
    .get('/audit/orders/:id/explain', ...listed, (ctx) => showAmounts(ctx, deps));
};
