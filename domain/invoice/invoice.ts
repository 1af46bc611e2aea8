import { accept, type Decision } from '../shared/decider.ts';
import { findPlaceOfSupply, type PlacedOrder } from '../order/rules.ts';
import { computeTotals } from '../order/totals.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import { formatRupees, paise, sum, ZERO, type Paise } from '../shared/money.ts';
import { dateInIndia, type Instant } from '../shared/time.ts';
import { computeLineAmounts, partOfLine, type LineAmounts } from '../tax/line-taxes.ts';
import { PERFUMES, getRate } from '../tax/rates.ts';
import type { OrderLine, ShippingAddress } from '../order/events.ts';
import type { Buyer, CreditNoteEvent, ExtraAmounts, InvoiceEvent, InvoiceLine, InvoiceNumber, TaxDocument, Seller } from './events.ts';
import { isIndia, readState } from '../shared/states.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';

const createInvoiceLines = (lines: readonly OrderLine[], isOwnState: boolean): readonly InvoiceLine[] => {
  const amounts = computeLineAmounts(lines, isOwnState);
  return lines.flatMap((line, index) => {
    const { productId, name, hsn = PERFUMES, quantity, unitPrice } = line;
    const of = amounts[index];
    return of ? [{ productId, name, hsn, quantity, unitPrice, rate: getRate(line), ...of }] : [];
  });
};

type CreditNote = CreditNoteEvent['data'];

/** The sums of a tax document's lines. */
export type TaxDocumentSums = LineAmounts;

export const addUp = (lines: readonly TaxDocumentSums[]): TaxDocumentSums => ({
  taxableValue: sum(lines.map(({ taxableValue }) => taxableValue)),
  cgst: sum(lines.map(({ cgst }) => cgst)),
  sgst: sum(lines.map(({ sgst }) => sgst)),
  igst: sum(lines.map(({ igst }) => igst)),
});

/** Returns whether the goods stay within the seller's state: then each tax is halved into CGST and SGST. */
export const isWithinState = ({
  placeOfSupply,
  seller,
}: {
  readonly placeOfSupply: string;
  readonly seller: Pick<Seller, 'state'>;
}): boolean => placeOfSupply === seller.state;

/** The amounts of a line are in paise, and its rate is in per cent. */
export type TaxedLine = TaxDocumentSums & Pick<InvoiceLine, 'rate'>;

export type SumRow = readonly [label: string, amount: Paise];

/** The tax rows of a tax document: by rate, the highest first. `isOwnState`: see `isWithinState`. */
export const createTaxRows = (lines: readonly TaxedLine[], isOwnState: boolean): readonly SumRow[] =>
  [...new Set(lines.map(({ rate }) => rate))]
    .toSorted((one, other) => other - one)
    .flatMap((rate): readonly SumRow[] => {
      const { taxableValue, cgst, sgst, igst } = addUp(lines.filter((line) => line.rate === rate));
      const on = `on ${formatRupees(taxableValue)}`;
      if (!isOwnState) return [[`IGST ${rate}% ${on}`, igst]];
      return [
        [`CGST ${rate / 2}% ${on}`, cgst],
        [`SGST ${rate / 2}% ${on}`, sgst],
      ];
    });

const computeTotal = (lines: readonly InvoiceLine[]): Paise => sum(Object.values(addUp(lines)));

export const invoiceTotal = ({ lines, giftWrap, shipping, discount }: Pick<TaxDocument, 'lines'> & ExtraAmounts): Paise =>
  paise(computeTotal(lines) + giftWrap + shipping - discount);

export const creditTotal = ({ lines, giftWrap = ZERO }: Pick<CreditNote, 'lines' | 'giftWrap'>): Paise =>
  paise(computeTotal(lines) + giftWrap);

const createBuyer = ({ name, address1, address2, city, state, postalCode, country }: ShippingAddress): Buyer => ({
  name,
  address: personalText([address1, address2, `${city} ${postalCode}`.trim(), country].filter(Boolean).join(', ')),
  ...(!(isIndia(country) && readState(state)) && { state }),
});

/** The buyer whose personal data are erased. */
export const NOBODY: Buyer = { name: NO_TEXT, address: NO_TEXT };

export type IssueInvoice = {
  readonly type: 'IssueInvoice';
  readonly id: OrderId;
  readonly order: PlacedOrder;
  readonly seller: Seller;
  readonly isErased: boolean;
  /** The tax document's date, and so its financial year, is the day on which it shipped, whenever it is written. */
  readonly shippedAt: Instant;
  readonly now: Instant;
};

/**
 * The orders that have an invoice, of those that the decision has to know: the stream has all orders of a year, which are too many to keep.
 */
export type InvoiceBook = { readonly orders: ReadonlySet<OrderId> };

/** Each financial year has one stream, and each event is an invoice with the next number. */
export const invoices = {
  initial: { orders: new Set() } as InvoiceBook,
  decide: ({ orders }: InvoiceBook, command: IssueInvoice): Decision<InvoiceEvent, never> => {
    const { id, order, seller, isErased, shippedAt, now } = command;
    if (orders.has(id)) return accept();
    // An unknown state counts as the seller's.
    const known = findPlaceOfSupply(order);
    const place = known ?? seller.state;
    const { giftWrap, shipping, discount } = computeTotals(order);
    return accept({
      type: 'InvoiceIssued',
      data: {
        order: id,
        orderNumber: order.placement.number,
        shopper: order.shopper,
        seller,
        buyer: isErased ? NOBODY : createBuyer(order.shippingAddress),
        buyerState: known ?? '',
        placeOfSupply: place,
        ...(!known && { placeOfSupplyAssumed: true }),
        lines: createInvoiceLines(order.lines, place === seller.state),
        giftWrap,
        shipping,
        discount,
        date: dateInIndia(shippedAt),
        issuedAt: now,
      },
    });
  },
  evolve: ({ orders }: InvoiceBook, { data }: InvoiceEvent): InvoiceBook => ({ orders: new Set([...orders, data.order]) }),
};

export type Returned = { readonly productId: ProductId; readonly quantity: number };

export type IssueCreditNote = {
  readonly type: 'IssueCreditNote';
  readonly invoice: InvoiceEvent['data'];
  readonly invoiceNumber: InvoiceNumber;
  /** The number of returned bottles is given for each perfume; if the field is missing, all that are left are returned. */
  readonly returned?: readonly Returned[];
  readonly orderRevision: number;
  readonly isErased: boolean;
  readonly returnedAt: Instant;
  readonly now: Instant;
};

/** The notes of one order, which are all that the decision has to know. */
export type CreditNoteBook = { readonly notes: readonly CreditNote[] };

const countBottles = (lines: readonly Returned[]): number => lines.reduce((count, { quantity }) => count + quantity, 0);

/** Returns the credited part of each line: at most what is left of it. */
const creditLines = ({ invoice, returned }: IssueCreditNote, earlier: readonly CreditNote[]): readonly InvoiceLine[] =>
  invoice.lines.flatMap((line) => {
    const countLines = (lines: readonly Returned[]): number => countBottles(lines.filter(({ productId }) => productId === line.productId));
    const before = countLines(earlier.flatMap(({ lines }) => lines));
    const left = line.quantity - before;
    const quantity = Math.min(left, returned ? countLines(returned) : left);
    return quantity > 0 ? [{ ...line, quantity, ...partOfLine(line, before, quantity) }] : [];
  });

/**
 * Each financial year has one stream, and each event is a credit note with the next number. All notes of an invoice together never exceed
 * its perfumes, their tax and the gift wrap, which is credited with the last bottle.
 */
export const creditNotes = {
  initial: { notes: [] } as CreditNoteBook,
  decide: ({ notes }: CreditNoteBook, command: IssueCreditNote): Decision<CreditNoteEvent, never> => {
    const { invoice, invoiceNumber, orderRevision, isErased, returnedAt, now } = command;
    const { order, orderNumber, shopper, seller, buyer, buyerState, placeOfSupply, placeOfSupplyAssumed } = invoice;
    const lines = creditLines(command, notes);
    const isLast = countBottles([...notes.flatMap((note) => note.lines), ...lines]) === countBottles(invoice.lines);
    if (lines.length === 0 || notes.some((note) => note.orderRevision === orderRevision)) return accept();
    return accept({
      type: 'CreditNoteIssued',
      data: {
        order,
        orderNumber,
        shopper,
        seller,
        buyer: isErased ? NOBODY : buyer,
        buyerState,
        placeOfSupply,
        ...(placeOfSupplyAssumed && { placeOfSupplyAssumed }),
        lines,
        ...(isLast && invoice.giftWrap > ZERO && { giftWrap: invoice.giftWrap }),
        invoice: { number: invoiceNumber, date: invoice.date },
        orderRevision,
        date: dateInIndia(returnedAt),
        issuedAt: now,
      },
    });
  },
  evolve: ({ notes }: CreditNoteBook, { data }: CreditNoteEvent): CreditNoteBook => ({ notes: [...notes, data] }),
};
