import { ToWords } from 'to-words/en-IN';

import type { LogPosition, Recorded, Streams, Feed } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent } from '#domain/invoice/events.ts';
import { viewInvoice, type InvoiceView } from '#domain/invoice/view.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { Papers } from '#projections/invoices/queries.ts';

export type Reading = { readonly store: Pick<Streams & Feed, 'at'>; readonly papers: Pick<Papers, 'of'> };

/** An order's papers, as the log has them: after an erasure without name and address. */
export type OrderPapers = { readonly invoice: Recorded<InvoiceEvent>; readonly notes: readonly Recorded<CreditNoteEvent>[] };

/** `totalInWords`: `Four Thousand One Hundred Twenty Eight Rupees And Sixty Two Paise Only`. */
export type WordedInvoice = InvoiceView & { readonly totalInWords: string };
export type ListedInvoice = WordedInvoice & { readonly orderId: OrderId; readonly orderNumber: OrderNumber };

const words = new ToWords({ localeCode: 'en-IN', converterOptions: { currency: true } });

export const inWords = (rupees: number): string => words.convert(rupees);

const eventAt = async (store: Reading['store'], position: LogPosition): Promise<Recorded> => {
  const event = await store.at(position);
  if (!event) throw new Error(`The log has nothing at ${position}`);
  return event;
};

/** By order; without those that have no invoice. */
export const papersOf = async ({ store, papers }: Reading, orders: readonly OrderId[]): Promise<ReadonlyMap<OrderId, OrderPapers>> => {
  const found = await papers.of(orders);
  const read = [...found].map(async ([id, { invoice, notes }]): Promise<[OrderId, OrderPapers]> => {
    const [first, ...rest] = await Promise.all([invoice, ...notes].map((position) => eventAt(store, position)));
    // The read model has only positions of such events.
    return [id, { invoice: first as unknown as Recorded<InvoiceEvent>, notes: rest as unknown as readonly Recorded<CreditNoteEvent>[] }];
  });
  return new Map(await Promise.all(read));
};

export const wordedInvoice = ({ invoice, notes }: OrderPapers): WordedInvoice => {
  const view = viewInvoice(invoice, notes);
  return { ...view, totalInWords: inWords(view.total) };
};

export const listedInvoice = (papers: OrderPapers): ListedInvoice => {
  const { order, orderNumber } = papers.invoice.data;
  return { ...wordedInvoice(papers), orderId: order, orderNumber };
};
