import type { Router } from '@koa/router';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';

import type { OrderView } from '#domain/order/view.ts';
import { csvText } from '#domain/shared/csv.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';
import { parseCursor } from '#projections/orders/order-rows.ts';
import {
  deskPaymentCursor,
  deskPaymentQueries,
  type DeskPayments,
  type DeskPaymentView,
} from '#projections/orders/desk-payment-queries.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { type OrdersDesk, ordersDeskQueries } from '#projections/orders/orders-desk-queries.ts';
import { payments } from '#projections/orders/payment-statuses.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { noteDownload, type NotingDeps } from '../audit/note-download.ts';
import { allContactMessages, type ContactParts } from '../contact/contact-messages.ts';
import type { ShopContext, State } from '../http/context.ts';
import { getRequiredPosition } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { createRouter } from '../http/router.ts';
import { allSubscribers } from '../newsletter/subscribers.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Other requests get their turn after this many rows. */
const WITHOUT_BREAK = 100;

/** Writes UTF-8 with a byte order mark, which spreadsheets need. */
export async function* writeCsv(columns: readonly string[], pages: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvText([columns]);
  for await (const rows of pages)
    for (let from = 0; from < rows.length; from += WITHOUT_BREAK) {
      yield csvText(rows.slice(from, from + WITHOUT_BREAK));
      await turn();
    }
}

/** Sends `<name>.csv` of any length, with one page in memory. */
export const sendCsv = (ctx: ShopContext, name: string, pieces: AsyncIterable<string>): void => {
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  ctx.body = Readable.from(pieces, { objectMode: false });
};

export type DownloadDeps = NotingDeps & ContactParts & { readonly readers: ReadRouter };

type Row = readonly string[];
type Sources = ContactParts & {
  readonly desk: Pick<OrdersDesk, 'page'>;
  readonly payments: Pick<DeskPayments, 'page'>;
  /** The orders of a selection; all of them without it. */
  readonly ids?: readonly OrderId[] | undefined;
};
export type Download = { readonly columns: Row; readonly pages: (from: Sources) => AsyncIterable<readonly Row[]> };

async function* mapPages<Of>(pages: AsyncIterable<readonly Of[]>, row: (one: Of) => Row): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) yield page.map(row);
}

const AT_ONCE = 500;

async function* allOrders({ desk, ids }: Pick<Sources, 'desk' | 'ids'>): AsyncGenerator<readonly OrderView[]> {
  for (let after: ReturnType<typeof parseCursor>; ;) {
    const { orders, nextCursor } = await desk.page({ limit: AT_ONCE, after, ids });
    yield orders;
    if (nextCursor === null) return;
    after = parseCursor(nextCursor);
  }
}

async function* allPayments(payments: Sources['payments']): AsyncGenerator<readonly DeskPaymentView[]> {
  for (let after: ReturnType<typeof deskPaymentCursor>; ;) {
    const { payments: page, nextCursor } = await payments.page({ limit: AT_ONCE, after });
    yield page;
    if (nextCursor === null) return;
    after = deskPaymentCursor(nextCursor);
  }
}

export const amount = (rupees: number): string => rupees.toFixed(2);
const yesOrNo = (is: boolean): string => (is ? 'Yes' : 'No');

const orderRow = ({ shippingAddress: to, ...order }: OrderView): Row => [
  order.orderNumber ?? '',
  order.status,
  order.placedAt ?? '',
  to.name,
  to.email,
  to.phone,
  to.address1,
  to.address2,
  to.city,
  to.state,
  to.postalCode,
  to.country,
  order.items.map(({ product, quantity }) => `${quantity} × ${product.name}`).join('; '),
  amount(order.subtotal),
  amount(order.tax),
  yesOrNo(order.giftWrap),
  amount(order.total),
  order.paymentMethod ?? '',
];

const paymentRow = (payment: DeskPaymentView): Row => [
  payment.orderNumber ?? '',
  payment.status,
  amount(payment.amount),
  amount(payment.received),
  amount(payment.refunded),
  payment.method ?? '',
  payment.at,
  payment.mismatch ?? '',
];

const ADDRESS = ['Name', 'Email', 'Phone', 'Address 1', 'Address 2', 'City', 'State', 'Postal Code', 'Country'];

/** The file names, and the columns of the messages, are prescribed and must not change. */
export const downloads = {
  contact_messages: {
    columns: ['Name', 'Email', 'Phone', 'Message', 'Created At'],
    pages: (parts) => mapPages(allContactMessages(parts), (one) => [one.name, one.email, one.phone, one.message, one.createdAt]),
  },
  subscribers: {
    columns: ['Email', 'Status', 'Created At'],
    pages: (parts) => mapPages(allSubscribers(parts), (one) => [one.email, one.isActive ? 'Active' : 'Inactive', one.createdAt]),
  },
  orders: {
    columns: ['Order Number', 'Status', 'Placed At', ...ADDRESS, 'Items', 'Subtotal', 'Tax', 'Gift Wrap', 'Total', 'Payment'],
    pages: (from) => mapPages(allOrders(from), orderRow),
  },
  payments: {
    columns: ['Order Number', 'Status', 'Amount', 'Received', 'Refunded', 'Method', 'At', 'Mismatch'],
    pages: ({ payments }) => mapPages(allPayments(payments), paymentRow),
  },
} satisfies Readonly<Record<string, Download>>;

const MOST_SELECTED = 200;
const SelectionInput = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().refine(isOrderId, 'Not the id of an order')).max(MOST_SELECTED, `At most ${MOST_SELECTED} orders`))
    .optional(),
});

const download =
  (name: string, { columns, pages }: Download, deps: DownloadDeps) =>
  async (ctx: ShopContext) => {
    const { ids } = parse(SelectionInput, ctx.query);
    await noteDownload(ctx, deps, name);
    const needed = getRequiredPosition(ctx, ['order', 'payment']);
    const sources: Sources = {
      db: deps.db,
      sealed: deps.sealed,
      ids,
      desk: { page: (question) => deps.readers.ask(ordersDesk, needed, (database) => ordersDeskQueries(database).page(question)) },
      payments: { page: (question) => deps.readers.ask(payments, needed, (database) => deskPaymentQueries(database).page(question)) },
    };
    sendCsv(ctx, name, writeCsv(columns, pages(sources)));
  };

/**
 * Serves `GET /admin/contact_messages.csv`, `subscribers.csv`, `orders.csv` and `payments.csv`, of any length. The security log records
 * each download.
 */
export const downloadRoutes = (deps: DownloadDeps): Router<State> => {
  const routes = createRouter();
  for (const [name, one] of Object.entries(downloads)) routes.get(`/admin/${name}.csv`, download(name, one, deps));
  return routes;
};
