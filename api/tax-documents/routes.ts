import type { Router } from '@koa/router';
import { z } from 'zod';

import { logPosition } from '#domain/event-store.ts';
import { taxDocumentNumber } from '#domain/invoice/tax-document-numbers.ts';
import { paise, rupees } from '#domain/shared/money.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { taxDocuments as taxDocumentModel } from '#projections/invoices/projector.ts';
import { taxDocumentCursor, taxDocumentQueries, type Days, type TaxDocumentQuery } from '#projections/invoices/queries.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { amount, writeCsv, sendCsv } from '../admin/downloads.ts';
import { noteDownload, type NotingDeps } from '../audit/note-download.ts';
import type { Shop } from '../shop.ts';
import type { ShopContext, State } from '../http/context.ts';
import { cursorInput, limitInput, linkToNext } from '../http/cursor-page.ts';
import { requireReadModel, waitInRequest, getRequiredPosition } from '../http/freshness.ts';
import { notFound } from '../http/http-error.ts';
import { dayInput, parse, readableText } from '../http/input.ts';
import { withoutPlace } from '../http/load-shedding.ts';
import { createRouter } from '../http/router.ts';
import { reachOrder, type AccessDeps } from '../orders/order-access.ts';
import { sendPdf } from '../pdf/routes.ts';
import type { ProofLinks } from './proof-links.ts';
import {
  listTaxDocuments,
  taxDocumentFileName,
  taxDocumentPdf,
  readTaxDocuments,
  wordedInvoice,
  type ListedTaxDocument,
  type OrderTaxDocuments,
  type RecordedTaxDocument,
} from './read-tax-documents.ts';

export type InvoiceRoutesDeps = Pick<Shop, 'store'> &
  AccessDeps &
  NotingDeps & { readonly readers: ReadRouter; readonly progress: Progress; readonly proofs: Pick<ProofLinks, 'waitFor'> };

const CATEGORIES = ['invoices', 'credit-notes'] as const;

const noInvoice = () => notFound('No invoice yet');

/** An order that was taken back by an earlier release has one note, and no return. */
const isWritten = ({ status, returns }: ExistingOrder, taxDocuments: OrderTaxDocuments | undefined): boolean => {
  if (taxDocuments === undefined) return status !== 'shipped' && status !== 'delivered' && status !== 'returned';
  const received = returns.filter((each) => each.status === 'received').length;
  return taxDocuments.notes.length >= Math.max(received, status === 'returned' ? 1 : 0);
};

/**
 * Those of the order in the path, if this session may read them. Throws a 404 before it ships. Tax documents are written a moment after the
 * order ships or bottles come back; the route waits for them at most 2 s and otherwise sets `X-Stale: true`.
 */
const taxDocumentsToRead = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<OrderTaxDocuments> => {
  const { store, readers, progress } = deps;
  const { id, state } = await reachOrder(ctx, deps, 'invoices');
  for (;;) {
    const position = progress.position(taxDocumentModel.name);
    const found = (
      await readers.ask(taxDocumentModel, position, (database) =>
        readTaxDocuments({ store, taxDocuments: taxDocumentQueries(database) }, [id]),
      )
    ).get(id);
    if (!isWritten(state, found)) {
      const waited = await waitInRequest(ctx, (milliseconds) =>
        progress.waitFor(taxDocumentModel.name, logPosition(position + 1n), milliseconds),
      );
      if (waited !== 'stale') continue;
      ctx.set('X-Stale', 'true');
    }
    if (!found) throw noInvoice();
    return found;
  }
};

const showInvoice = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<void> => {
  ctx.body = wordedInvoice(await taxDocumentsToRead(ctx, deps));
};

const sendTaxDocument = async (ctx: ShopContext, { proofs }: InvoiceRoutesDeps, event: RecordedTaxDocument): Promise<void> => {
  const number = taxDocumentNumber(event.stream, event.revision);
  const proofLink = await withoutPlace(ctx, () => proofs.waitFor(event), { isBounded: true });
  sendPdf(ctx, taxDocumentFileName(number), await taxDocumentPdf(event, proofLink));
};

const showPdf = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<void> => {
  const { invoice } = await taxDocumentsToRead(ctx, deps);
  await sendTaxDocument(ctx, deps, invoice);
};

/** The `:place` of the first note of an order is 1. */
const showNotePdf = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<void> => {
  const { notes } = await taxDocumentsToRead(ctx, deps);
  const { place = '' } = ctx['params'];
  const note = /^[1-9]\d?$/.test(place) ? notes[Number(place) - 1] : undefined;
  if (!note) throw notFound('There is no such credit note');
  await sendTaxDocument(ctx, deps, note);
};

const DaysInput = z
  .object({ from: dayInput.optional(), to: dayInput.optional() })
  .refine(({ from = '', to = from }) => from <= to, { path: ['to'], message: 'Not before the first day' });
const USUAL_PAGE = 50;
const ListInput = DaysInput.extend({
  limit: limitInput(USUAL_PAGE),
  cursor: cursorInput(taxDocumentCursor),
  q: readableText.trim().max(100, 'At most 100 characters').optional(),
});

const readPage = async (ctx: ShopContext, deps: InvoiceRoutesDeps, question: TaxDocumentQuery) => {
  const needed = getRequiredPosition(ctx, CATEGORIES);
  // All queries go to one database: another one may be behind and lack the newest tax documents.
  return deps.readers.ask(taxDocumentModel, needed, async (database) => {
    const taxDocuments = taxDocumentQueries(database);
    const { rows, nextCursor } = await taxDocuments.page(question);
    const ids = [...new Set(rows.map(({ order_id }) => order_id))];
    const found = await readTaxDocuments({ store: deps.store, taxDocuments }, ids);
    const listed = new Map([...found.values()].flatMap(listTaxDocuments).map((row) => [row.number, row]));
    return { invoices: rows.flatMap(({ number }) => listed.get(number) ?? []), nextCursor };
  });
};

const listInvoices = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<void> => {
  const { cursor: after, q: text, ...input } = parse(ListInput, ctx.query);
  const { invoices, nextCursor } = await readPage(ctx, deps, { ...input, text, after });
  linkToNext(ctx, nextCursor);
  ctx.body = { invoices, nextCursor };
};

export const INVOICE_COLUMNS = [
  ['Number', 'Invoice Number', 'Date', 'Order Number', 'Buyer', 'Address', 'State', 'Place Of Supply'],
  ['Taxable Value', 'CGST', 'SGST', 'IGST', 'Gift Wrap', 'Total', 'Place Assumed'],
].flat();

/** A credit note has the number of its invoice, and sums below 0. */
export const invoiceRow = ({ buyer, invoiceNumber = '', ...invoice }: ListedTaxDocument): readonly string[] => [
  invoice.number,
  invoiceNumber,
  invoice.date,
  invoice.orderNumber,
  buyer.name,
  buyer.address,
  buyer.state,
  invoice.placeOfSupply,
  ...[invoice.taxableValue, invoice.cgst, invoice.sgst, invoice.igst, invoice.giftWrap, invoice.total].map(amount),
  invoice.placeOfSupplyAssumed ? 'yes' : '',
];

const AT_ONCE = 200;

const downloadInvoices = async (ctx: ShopContext, deps: InvoiceRoutesDeps): Promise<void> => {
  const days: Days = parse(DaysInput, ctx.query);
  await noteDownload(ctx, deps, 'invoices');
  async function* pages() {
    for (let after: TaxDocumentQuery['after']; ;) {
      const { invoices, nextCursor } = await readPage(ctx, deps, { ...days, limit: AT_ONCE, after });
      yield invoices.map(invoiceRow);
      if (nextCursor === null) return;
      after = taxDocumentCursor(nextCursor);
    }
  }
  sendCsv(ctx, 'invoices', writeCsv(INVOICE_COLUMNS, pages()));
};

/** A credit note counts on its own day, not on that of its invoice. */
const showSummary = async (ctx: ShopContext, { readers }: InvoiceRoutesDeps): Promise<void> => {
  const days = parse(DaysInput, ctx.query);
  const rows = await readers.ask(taxDocumentModel, getRequiredPosition(ctx, CATEGORIES), (database) =>
    taxDocumentQueries(database).taxed(days),
  );
  const inRupees = (value: number): number => Math.sign(value) * rupees(paise(Math.abs(value)));
  ctx.body = {
    rows: rows.map(({ state, rate, taxableValue, cgst, sgst, igst }) => ({
      state,
      rate,
      taxableValue: inRupees(taxableValue),
      cgst: inRupees(cgst),
      sgst: inRupees(sgst),
      igst: inRupees(igst),
    })),
  };
};

/**
 * Serves `GET /order/:id/invoice` and `invoice.pdf`, `/order/:id/credit-notes/1.pdf` to the order's shopper and staff with the duty
 * `invoices`, with 404 before it ships; the PDFs wait for their proof. To admins `/admin/invoices?from=&to=&q=&limit=&cursor=`, `/admin/invoices.csv` and `/admin/invoices/summary` (days in India, both
 * inclusive).
 */
export const invoiceRoutes = (deps: InvoiceRoutesDeps): Router<State> => {
  const { progress } = deps;
  const built = requireReadModel(progress, taxDocumentModel.name);
  const listed = [built];
  return createRouter()
    .get('/order/:id/invoice', built, (ctx) => showInvoice(ctx, deps))
    .get('/order/:id/invoice.pdf', built, (ctx) => showPdf(ctx, deps))
    .get('/order/:id/credit-notes/:place.pdf', built, (ctx) => showNotePdf(ctx, deps))
    .get('/admin/invoices', ...listed, (ctx) => listInvoices(ctx, deps))
    .get('/admin/invoices.csv', ...listed, (ctx) => downloadInvoices(ctx, deps))
    .get('/admin/invoices/summary', ...listed, (ctx) => showSummary(ctx, deps));
};
