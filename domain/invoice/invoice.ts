import { accept, type Decision } from '../shared/decider.ts';
import { findPlaceOfSupply, type PlacedOrder } from '../order/rules.ts';
import { lineAmount, computeTotals } from '../order/totals.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import { formatRupees, paise, sum, ZERO, type Paise } from '../shared/money.ts';
import { dateInIndia, type Instant } from '../shared/time.ts';
import { PERFUMES, getRate, computeTaxes } from '../tax/rates.ts';
import type { OrderLine, ShippingAddress } from '../order/events.ts';
import type { Buyer, CreditNoteEvent, ExtraAmounts, InvoiceEvent, InvoiceLine, InvoiceNumber, TaxDocument, Seller } from './events.ts';
import { isIndia, readState } from '../shared/states.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';

/**
 * Splits an amount in the ratio of the shares. Each part is rounded down, and the rest is given out in single paise to the parts that lost
 * most (of equal parts, to the first). If all shares are 0, every part is 0.
 */
export const split = (amount: Paise, shares: readonly Paise[]): readonly Paise[] => {
  const whole = BigInt(sum(shares));
  if (whole === 0n) return shares.map(() => ZERO);
  const parts = shares.map((share, index) => {
    const exact = BigInt(amount) * BigInt(share);
    return { index, amount: Number(exact / whole), lost: exact % whole };
  });
  let left = amount - parts.reduce((total, part) => total + part.amount, 0);
  const most = parts.toSorted((one, other) => (one.lost === other.lost ? one.index - other.index : one.lost > other.lost ? -1 : 1));
  for (const part of most) if (left-- > 0) part.amount += 1;
  return parts.map((part) => paise(part.amount));
};

type Taxes = Pick<InvoiceLine, 'cgst' | 'sgst' | 'igst'>;
const UNTAXED: Taxes = { cgst: ZERO, sgst: ZERO, igst: ZERO };

/** Takes each rate's tax from the order, halves it into CGST and SGST, and splits it over the lines of the rate. */
const taxesOfLines = (lines: readonly OrderLine[], isOwnState: boolean): readonly Taxes[] => {
  const taxes: Taxes[] = lines.map(() => UNTAXED);
  for (const { rate, tax } of computeTaxes(lines)) {
    const indexes = lines.flatMap((line, index) => (getRate(line) === rate ? [index] : []));
    const shares = indexes.map((index) => (lines[index] ? lineAmount(lines[index]) : ZERO));
    const central = paise(isOwnState ? Math.floor(tax / 2) : 0);
    const cgst = split(central, shares);
    const rest = split(paise(tax - central), shares);
    for (const [at, index] of indexes.entries()) {
      const [half, other] = [cgst[at] ?? ZERO, rest[at] ?? ZERO];
      taxes[index] = isOwnState ? { cgst: half, sgst: other, igst: ZERO } : { ...UNTAXED, igst: other };
    }
  }
  return taxes;
};

const createInvoiceLines = (lines: readonly OrderLine[], isOwnState: boolean): readonly InvoiceLine[] => {
  const taxes = taxesOfLines(lines, isOwnState);
  return lines.map((line, index) => ({
    productId: line.productId,
    name: line.name,
    hsn: line.hsn ?? PERFUMES,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    taxableValue: lineAmount(line),
    rate: getRate(line),
    ...(taxes[index] ?? UNTAXED),
  }));
};

type CreditNote = CreditNoteEvent['data'];

/** The sums of a tax document's lines. */
export type TaxDocumentSums = Taxes & { readonly taxableValue: Paise };

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

/** Returns a line's amounts for this many bottles. Earlier notes credited the first bottles. */
const upTo = (line: InvoiceLine, quantity: number): Taxes & { readonly taxableValue: Paise } => {
  const part = (amount: Paise): Paise => paise(Number((BigInt(amount) * BigInt(quantity)) / BigInt(line.quantity)));
  return { taxableValue: part(line.taxableValue), cgst: part(line.cgst), sgst: part(line.sgst), igst: part(line.igst) };
};

const credited = (line: InvoiceLine, before: number, quantity: number): InvoiceLine => {
  const [from, to] = [upTo(line, before), upTo(line, before + quantity)];
  const amount = (name: keyof TaxDocumentSums): Paise => paise(to[name] - from[name]);
  return {
    ...line,
    quantity,
    taxableValue: amount('taxableValue'),
    cgst: amount('cgst'),
    sgst: amount('sgst'),
    igst: amount('igst'),
  };
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
    return quantity > 0 ? [credited(line, before, quantity)] : [];
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
