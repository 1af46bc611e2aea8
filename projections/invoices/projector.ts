import type { LogPosition, Recorded, Revision, StreamName } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent, InvoiceNumber, Paper } from '#domain/invoice/events.ts';
import { paperNumber } from '#domain/invoice/paper-numbers.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import { defineProjector, rowsTable, sumsTable, type Handles } from '../engine/define-projector.ts';

/** Where a paper is in the log, which has the rest of it: name and address are nowhere else. */
export type PaperRow = {
  number: InvoiceNumber;
  order_id: OrderId;
  order_number: OrderNumber;
  date: CalendarDate;
  stream: StreamName;
  revision: Revision;
  /** Of its event in the stream's chain: with `revision` the head of the stream as it was then. */
  hash: string;
  position: LogPosition;
};

const columns = {
  number: 'text',
  order_id: 'uuid',
  order_number: 'text',
  date: 'day',
  stream: 'text',
  revision: 'integer',
  hash: 'text',
  position: 'position',
} as const;

const invoicesTable = rowsTable<PaperRow>({
  key: 'number',
  columns,
  indexes: ['(order_id)', '(stream, revision)', '(date)'],
  category: 'invoices',
});
const creditNotesTable = rowsTable<PaperRow>({
  key: 'number',
  columns,
  indexes: ['(order_id)', '(stream, revision)', '(date)'],
  category: 'credit-notes',
});

/** Of a day, a place of supply and a rate, in paise; credit notes are subtracted. The key is these three, as JSON. */
export type TaxedRow = { key: string; taxable_value: number; cgst: number; sgst: number; igst: number };

const taxedTable = sumsTable<TaxedRow, 'key'>({
  key: 'key',
  columns: { key: 'text', taxable_value: 'paise', cgst: 'paise', sgst: 'paise', igst: 'paise' },
});

const tables = { invoices: invoicesTable, credit_notes: creditNotesTable, taxed: taxedTable };

const rowOf = ({ stream, revision, position, metadata, data }: Recorded<InvoiceEvent | CreditNoteEvent>): PaperRow => ({
  number: paperNumber(stream, revision),
  order_id: data.order,
  order_number: data.orderNumber,
  date: data.date,
  stream,
  revision,
  hash: metadata.hash,
  position,
});

const add = ({ taxed }: Handles<typeof tables>, { date, placeOfSupply, lines }: Paper, times: 1 | -1): void => {
  for (const { rate, taxableValue, cgst, sgst, igst } of lines)
    taxed.add({
      key: JSON.stringify([date, placeOfSupply, rate]),
      taxable_value: times * taxableValue,
      cgst: times * cgst,
      sgst: times * sgst,
      igst: times * igst,
    });
};

/** Invoices and credit notes by order, number and day, and what was taxed. Nothing in it is personal. */
export const papers = defineProjector<InvoiceEvent | CreditNoteEvent>()({
  name: 'papers',
  version: 1,
  categories: ['invoices', 'credit-notes'],
  tables,
  keys: ({ type, stream, revision }) => ({ [type === 'InvoiceIssued' ? 'invoices' : 'credit_notes']: [paperNumber(stream, revision)] }),
  on: {
    InvoiceIssued: (all, event) => {
      all.invoices.set(rowOf(event));
      add(all, event.data, 1);
    },
    CreditNoteIssued: (all, event) => {
      all.credit_notes.set(rowOf(event));
      add(all, event.data, -1);
    },
  },
});
