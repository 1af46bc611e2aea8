import type { LogPosition, Recorded, Revision, StreamName } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent, InvoiceNumber, TaxDocument } from '#domain/invoice/events.ts';
import { taxDocumentNumber } from '#domain/invoice/tax-document-numbers.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import { defineProjector, rowsTable, sumsTable, type Handles } from '../engine/define-projector.ts';

/** Where a tax document is in the log, which has the rest of it: name and address are nowhere else. */
export type TaxDocumentRow = {
  number: InvoiceNumber;
  /** Its own number, or that of the invoice which a credit note corrects. */
  invoice: InvoiceNumber;
  order_id: OrderId;
  order_number: OrderNumber;
  date: CalendarDate;
  stream: StreamName;
  revision: Revision;
  /** The hash is that of its event in the stream's chain: with `revision` it is the head of the stream at that event. */
  hash: string;
  position: LogPosition;
};

const columns = {
  number: 'text',
  invoice: 'text',
  order_id: 'uuid',
  order_number: 'text',
  date: 'day',
  stream: 'text',
  revision: 'integer',
  hash: 'text',
  position: 'position',
} as const;

const invoicesTable = rowsTable<TaxDocumentRow>({
  key: 'number',
  columns,
  indexes: ['(order_id)', '(stream, revision)', '(position)'],
  category: 'invoices',
});
const creditNotesTable = rowsTable<TaxDocumentRow>({
  key: 'number',
  columns,
  indexes: ['(order_id)', '(stream, revision)', '(position)'],
  category: 'credit-notes',
});

/** The row has the sums in paise of a day, a place of supply and a rate, less the credit notes. The key is these three. */
export type TaxedRow = {
  key: string;
  date: CalendarDate;
  state: string;
  rate: number;
  taxable_value: number;
  cgst: number;
  sgst: number;
  igst: number;
};

const taxedTable = sumsTable<TaxedRow, 'key'>({
  key: 'key',
  columns: { key: 'text', date: 'day', state: 'text', rate: 'rating', taxable_value: 'paise', cgst: 'paise', sgst: 'paise', igst: 'paise' },
});

const tables = { invoices: invoicesTable, credit_notes: creditNotesTable, taxed: taxedTable };

const createRow = (
  { stream, revision, position, metadata, data }: Recorded<InvoiceEvent | CreditNoteEvent>,
  number = taxDocumentNumber(stream, revision),
): TaxDocumentRow => ({
  number,
  invoice: 'invoice' in data ? data.invoice.number : number,
  order_id: data.order,
  order_number: data.orderNumber,
  date: data.date,
  stream,
  revision,
  hash: metadata.hash,
  position,
});

const add = ({ taxed }: Handles<typeof tables>, { date, placeOfSupply, lines }: TaxDocument, times: 1 | -1): void => {
  for (const { rate, taxableValue, cgst, sgst, igst } of lines)
    taxed.add({
      key: `${date} ${rate} ${placeOfSupply}`,
      date,
      state: placeOfSupply,
      rate,
      taxable_value: times * taxableValue,
      cgst: times * cgst,
      sgst: times * sgst,
      igst: times * igst,
    });
};

/** Projects invoices and credit notes by order, number and day, and the taxed amounts. The tables have no personal data. */
export const taxDocuments = defineProjector<InvoiceEvent | CreditNoteEvent>()({
  name: 'papers',
  version: 3,
  categories: ['invoices', 'credit-notes'],
  tables,
  keys: ({ type, stream, revision }) => ({
    [type === 'InvoiceIssued' ? 'invoices' : 'credit_notes']: [taxDocumentNumber(stream, revision)],
  }),
  on: {
    InvoiceIssued: (all, event) => {
      all.invoices.set(createRow(event));
      add(all, event.data, 1);
    },
    CreditNoteIssued: (all, event) => {
      all.credit_notes.set(createRow(event));
      add(all, event.data, -1);
    },
  },
});
