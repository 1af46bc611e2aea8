import { accept, type Decision } from '../shared/decider.ts';
import type { PlacedOrder } from '../order/rules.ts';
import { lineAmount, totalsOf } from '../order/totals.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import { formatRupees, paise, sum, ZERO, type Paise } from '../shared/money.ts';
import { dateInIndia, type Instant } from '../shared/time.ts';
import { PERFUMES, rateOf, taxesOf } from '../tax/rates.ts';
import type { OrderLine, ShippingAddress } from '../order/events.ts';
import type { Buyer, CreditNoteEvent, ExtraAmounts, InvoiceEvent, InvoiceLine, InvoiceNumber, Paper, Seller } from './events.ts';
import { stateNamed, type IndianState } from '../shared/states.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';

/**
 * Parts of an amount in the ratio of the shares, which add up to it: each is rounded down, and what is left goes, a paisa each, to those that lost
 * most (the first of equals). Shares that are all 0 get nothing.
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

/** Each rate's tax is the order's; it is halved for the state and the union, then split over the lines of the rate. */
const taxesOfLines = (lines: readonly OrderLine[], isOwnState: boolean): readonly Taxes[] => {
  const taxes: Taxes[] = lines.map(() => UNTAXED);
  for (const { rate, tax } of taxesOf(lines)) {
    const indexes = lines.flatMap((line, index) => (rateOf(line) === rate ? [index] : []));
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

const linesOf = (lines: readonly OrderLine[], isOwnState: boolean): readonly InvoiceLine[] => {
  const taxes = taxesOfLines(lines, isOwnState);
  return lines.map((line, index) => ({
    productId: line.productId,
    name: line.name,
    hsn: line.hsn ?? PERFUMES,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    taxableValue: lineAmount(line),
    rate: rateOf(line),
    ...(taxes[index] ?? UNTAXED),
  }));
};

type CreditNote = CreditNoteEvent['data'];

/** The sums of a paper's lines. */
export type PaperSums = Taxes & { readonly taxableValue: Paise };

export const sumsOf = (lines: readonly PaperSums[]): PaperSums => ({
  taxableValue: sum(lines.map(({ taxableValue }) => taxableValue)),
  cgst: sum(lines.map(({ cgst }) => cgst)),
  sgst: sum(lines.map(({ sgst }) => sgst)),
  igst: sum(lines.map(({ igst }) => igst)),
});

/** Within the seller's state each tax is halved between the state and the union. */
export const isWithinState = ({
  placeOfSupply,
  seller,
}: {
  readonly placeOfSupply: string;
  readonly seller: Pick<Seller, 'state'>;
}): boolean => placeOfSupply === seller.state;

/** The amounts and the rate of a line, in paise and per cent. */
export type TaxedLine = PaperSums & Pick<InvoiceLine, 'rate'>;

export type SumRow = readonly [label: string, amount: Paise];

/** The tax rows of a paper: by rate, the highest first. `isOwnState`: see `isWithinState`. */
export const taxRowsOf = (lines: readonly TaxedLine[], isOwnState: boolean): readonly SumRow[] =>
  [...new Set(lines.map(({ rate }) => rate))]
    .toSorted((one, other) => other - one)
    .flatMap((rate): readonly SumRow[] => {
      const { taxableValue, cgst, sgst, igst } = sumsOf(lines.filter((line) => line.rate === rate));
      const on = `on ${formatRupees(taxableValue)}`;
      if (!isOwnState) return [[`IGST ${rate}% ${on}`, igst]];
      return [
        [`CGST ${rate / 2}% ${on}`, cgst],
        [`SGST ${rate / 2}% ${on}`, sgst],
      ];
    });

const totalOf = (lines: readonly InvoiceLine[]): Paise => sum(Object.values(sumsOf(lines)));

/** The order's total. */
export const invoiceTotal = ({ lines, giftWrap, shipping, discount }: Pick<Paper, 'lines'> & ExtraAmounts): Paise =>
  paise(totalOf(lines) + giftWrap + shipping - discount);

export const creditTotal = ({ lines, giftWrap = ZERO }: Pick<CreditNote, 'lines' | 'giftWrap'>): Paise => paise(totalOf(lines) + giftWrap);

const buyerOf = ({ name, address1, address2, city, state, postalCode, country }: ShippingAddress): Buyer => ({
  name,
  address: personalText([address1, address2, `${city} ${postalCode}`.trim(), country].filter(Boolean).join(', ')),
  ...(!stateNamed(state) && { state }),
});

/** Whose personal data are erased. */
export const NOBODY: Buyer = { name: NO_TEXT, address: NO_TEXT };

/** Goods are supplied where they are delivered; an address whose state is unknown counts as the seller's. After an erasure the placement has it. */
const placeOfSupply = ({ shippingAddress, placement }: IssueInvoice['order'], seller: Seller): IndianState =>
  stateNamed(shippingAddress.state) ?? placement.deliveryState ?? seller.state;

export type IssueInvoice = {
  readonly type: 'IssueInvoice';
  readonly id: OrderId;
  readonly order: PlacedOrder;
  readonly seller: Seller;
  /** Their data were erased. */
  readonly isErased: boolean;
  /** The paper's date, and so its financial year, is the day on which it shipped, whenever it is written. */
  readonly shippedAt: Instant;
  readonly now: Instant;
};

/** The orders that have an invoice, of those that the decision has to know: the stream has all orders of a year, which are too many to keep. */
export type InvoiceBook = { readonly orders: ReadonlySet<OrderId> };

/** One stream a financial year, a number for each event. */
export const invoices = {
  initial: { orders: new Set() } as InvoiceBook,
  decide: ({ orders }: InvoiceBook, command: IssueInvoice): Decision<InvoiceEvent, never> => {
    const { id, order, seller, isErased, shippedAt, now } = command;
    if (orders.has(id)) return accept();
    const place = placeOfSupply(order, seller);
    const { giftWrap, shipping, discount } = totalsOf(order);
    return accept({
      type: 'InvoiceIssued',
      data: {
        order: id,
        orderNumber: order.placement.number,
        shopper: order.shopper,
        seller,
        buyer: isErased ? NOBODY : buyerOf(order.shippingAddress),
        buyerState: stateNamed(order.shippingAddress.state) ?? order.placement.deliveryState ?? '',
        placeOfSupply: place,
        lines: linesOf(order.lines, place === seller.state),
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

/** What is left of a line after so many of its bottles: the shares of the first bottles are those of the earlier notes. */
const upTo = (line: InvoiceLine, quantity: number): Taxes & { readonly taxableValue: Paise } => {
  const part = (amount: Paise): Paise => paise(Number((BigInt(amount) * BigInt(quantity)) / BigInt(line.quantity)));
  return { taxableValue: part(line.taxableValue), cgst: part(line.cgst), sgst: part(line.sgst), igst: part(line.igst) };
};

const credited = (line: InvoiceLine, before: number, quantity: number): InvoiceLine => {
  const [from, to] = [upTo(line, before), upTo(line, before + quantity)];
  const amount = (name: keyof PaperSums): Paise => paise(to[name] - from[name]);
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
  /** Of each perfume so many; missing: all that is left. */
  readonly returned?: readonly Returned[];
  readonly orderRevision: number;
  readonly isErased: boolean;
  readonly returnedAt: Instant;
  readonly now: Instant;
};

/** The notes of one order, which are all that the decision has to know. */
export type CreditNoteBook = { readonly notes: readonly CreditNote[] };

const bottlesIn = (lines: readonly Returned[]): number => lines.reduce((count, { quantity }) => count + quantity, 0);

/** What comes back of each line: at most what is left of it. */
const creditLines = ({ invoice, returned }: IssueCreditNote, earlier: readonly CreditNote[]): readonly InvoiceLine[] =>
  invoice.lines.flatMap((line) => {
    const countIn = (lines: readonly Returned[]): number => bottlesIn(lines.filter(({ productId }) => productId === line.productId));
    const before = countIn(earlier.flatMap(({ lines }) => lines));
    const left = line.quantity - before;
    const quantity = Math.min(left, returned ? countIn(returned) : left);
    return quantity > 0 ? [credited(line, before, quantity)] : [];
  });

/**
 * One stream a financial year, a number for each event. All notes of an invoice together are never more than its perfumes, their tax and the
 * gift wrap, which comes back with the last bottle.
 */
export const creditNotes = {
  initial: { notes: [] } as CreditNoteBook,
  decide: ({ notes }: CreditNoteBook, command: IssueCreditNote): Decision<CreditNoteEvent, never> => {
    const { invoice, invoiceNumber, orderRevision, isErased, returnedAt, now } = command;
    const { order, orderNumber, shopper, seller, buyer, buyerState, placeOfSupply } = invoice;
    const lines = creditLines(command, notes);
    const isLast = bottlesIn([...notes.flatMap((note) => note.lines), ...lines]) === bottlesIn(invoice.lines);
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
