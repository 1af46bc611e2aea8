import { ERASED, type Recorded } from '../event-store.ts';
import { toPaise, rupees, ZERO } from '../shared/money.ts';
import { NO_TEXT } from '../shared/text.ts';
import { OTHER_COUNTRY } from '../shared/states.ts';
import type { CalendarDate } from '../shared/time.ts';
import type { Buyer, CreditNoteEvent, InvoiceEvent, InvoiceLine, InvoiceNumber, TaxDocument, Seller } from './events.ts';
import { creditTotal, invoiceTotal, isWithinState, addUp, createTaxRows, type SumRow, type TaxedLine } from './invoice.ts';
import { taxDocumentNumber } from './tax-document-numbers.ts';

/** Amounts are in rupees. */
export type InvoiceLineView = Pick<InvoiceLine, 'name' | 'hsn' | 'quantity' | 'rate'> & {
  readonly unitPrice: number;
  readonly taxableValue: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly igst: number;
};

type Sums = { readonly taxableValue: number; readonly cgst: number; readonly sgst: number; readonly igst: number };

/** Never gives -0. */
const negateSums = ({ taxableValue, cgst, sgst, igst }: Sums): Sums => ({
  taxableValue: 0 - taxableValue,
  cgst: 0 - cgst,
  sgst: 0 - sgst,
  igst: 0 - igst,
});

export type CreditNoteView = Sums & {
  readonly number: InvoiceNumber;
  readonly date: CalendarDate;
  readonly lines: readonly InvoiceLineView[];
  readonly giftWrap: number;
  readonly total: number;
};

/** Returns the credit note with what it takes back below 0. */
export const negate = ({ lines, ...note }: CreditNoteView): CreditNoteView => ({
  ...note,
  lines: lines.map((line) => ({ ...line, ...negateSums(line) })),
  ...negateSums(note),
  giftWrap: 0 - note.giftWrap,
  total: 0 - note.total,
});

/** The view is JSON for clients. The server adds `totalInWords`. */
export type InvoiceView = Sums & {
  readonly number: InvoiceNumber;
  readonly date: CalendarDate;
  readonly seller: Seller;
  readonly buyer: Pick<Buyer, 'name' | 'address'> & { readonly state: string };
  readonly placeOfSupply: string;
  /** Present if nothing said where the goods were supplied, so that the seller's state was taken. */
  readonly placeOfSupplyAssumed?: true;
  readonly lines: readonly InvoiceLineView[];
  readonly giftWrap: number;
  readonly total: number;
  readonly creditNotes: readonly CreditNoteView[];
};

const viewLine = ({ name, hsn, quantity, unitPrice, taxableValue, rate, cgst, sgst, igst }: InvoiceLine): InvoiceLineView => ({
  name,
  hsn,
  quantity,
  unitPrice: rupees(unitPrice),
  taxableValue: rupees(taxableValue),
  rate,
  cgst: rupees(cgst),
  sgst: rupees(sgst),
  igst: rupees(igst),
});

const inPaise = ({ rate, taxableValue, cgst, sgst, igst }: InvoiceLineView): TaxedLine => ({
  rate,
  taxableValue: toPaise(taxableValue),
  cgst: toPaise(cgst),
  sgst: toPaise(sgst),
  igst: toPaise(igst),
});

/** Returns the tax rows of an invoice as its PDF shows them. */
export const listTaxRows = (invoice: Pick<InvoiceView, 'lines' | 'placeOfSupply' | 'seller'>): readonly SumRow[] =>
  createTaxRows(invoice.lines.map(inPaise), isWithinState(invoice));

/** Is written where `cgst` and `sgst` of a line differ. */
export const ODD_PAISA = 'CGST and SGST differ where an odd paisa of tax cannot be halved.';

export const hasOddPaisa = (lines: readonly { readonly cgst: number; readonly sgst: number }[]): boolean =>
  lines.some(({ cgst, sgst }) => cgst !== sgst);

/** Rule 48 of the CGST rules asks for these words on the copy that the buyer gets, which is the only one. */
export const COPY = 'Original for recipient';

const viewSums = (lines: readonly InvoiceLine[]): Sums => {
  const { taxableValue, cgst, sgst, igst } = addUp(lines);
  return { taxableValue: rupees(taxableValue), cgst: rupees(cgst), sgst: rupees(sgst), igst: rupees(igst) };
};

const viewCreditNote = ({ stream, revision, data }: Recorded<CreditNoteEvent>): CreditNoteView => ({
  number: taxDocumentNumber(stream, revision),
  date: data.date,
  lines: data.lines.map(viewLine),
  giftWrap: rupees(data.giftWrap ?? ZERO),
  ...viewSums(data.lines),
  total: rupees(creditTotal(data)),
});

/** The sentence of papers and lists beside a place of supply that is assumed. */
export const ASSUMED_PLACE = "State of delivery unknown: the seller's was taken.";

/** A buyer abroad has a state that was typed, until an erasure. */
export const viewBuyer = ({ buyer: { name, address, state = NO_TEXT }, buyerState }: TaxDocument): InvoiceView['buyer'] => {
  const isTyped = buyerState === OTHER_COUNTRY && state !== ERASED && state !== NO_TEXT;
  return { name: name || ERASED, address: address || ERASED, state: isTyped ? state : buyerState || state };
};

export const viewInvoice = (
  { stream, revision, data }: Recorded<InvoiceEvent>,
  notes: readonly Recorded<CreditNoteEvent>[] = [],
): InvoiceView => ({
  number: taxDocumentNumber(stream, revision),
  date: data.date,
  seller: data.seller,
  buyer: viewBuyer(data),
  placeOfSupply: data.placeOfSupply,
  ...(data.placeOfSupplyAssumed && { placeOfSupplyAssumed: true }),
  lines: data.lines.map(viewLine),
  giftWrap: rupees(data.giftWrap),
  ...viewSums(data.lines),
  total: rupees(invoiceTotal(data)),
  creditNotes: notes.map(viewCreditNote),
});
