import type { OrderId, OrderNumber, ProductId, ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from '../tax/rates.ts';
import type { IndianState } from '../shared/states.ts';

/** Who sells, as of the paper. Without `gstin` it is a sample. */
export type Seller = { readonly name: string; readonly address: string; readonly state: IndianState; readonly gstin?: string };

/** `taxableValue` is price × quantity. Goods for the seller's own state have `cgst` and `sgst`, others `igst`. */
export type InvoiceLine = {
  readonly productId: ProductId;
  readonly name: string;
  readonly hsn: Hsn;
  readonly quantity: number;
  readonly unitPrice: Paise;
  readonly taxableValue: Paise;
  readonly rate: TaxRate;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly igst: Paise;
};

/** Empty when it was erased before the paper was written. `state`: what was typed and is none, since that may be anything. */
export type Buyer = { readonly name: PersonalText; readonly address: PersonalText; readonly state?: PersonalText };

export type Paper = {
  readonly order: OrderId;
  readonly orderNumber: OrderNumber;
  readonly shopper: ShopperId;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** Empty when what was typed is no state of India; papers of earlier releases have it as it was typed. */
  readonly buyerState: string;
  readonly placeOfSupply: IndianState;
  readonly lines: readonly InvoiceLine[];
  /** In India. */
  readonly date: CalendarDate;
  readonly issuedAt: Instant;
};

/** What an order costs beside its perfumes; untaxed. */
export type ExtraAmounts = { readonly giftWrap: Paise; readonly shipping: Paise; readonly discount: Paise };

/** A paper's number is its place in its stream. */
export type InvoiceNumber = string;

/** `buyer` is `shopper`. Stored for ever: a field may be added as optional, never renamed or retyped. */
export type InvoiceEvent = { type: 'InvoiceIssued'; data: Paper & ExtraAmounts };

/**
 * `orderRevision`: of the order's event by which the goods came back, which has one note. `giftWrap`: with the last of the goods, if they were
 * wrapped. `buyer` is `shopper`.
 */
export type CreditNoteEvent = {
  type: 'CreditNoteIssued';
  data: Paper & {
    readonly invoice: { readonly number: InvoiceNumber; readonly date: CalendarDate };
    readonly orderRevision: number;
    readonly giftWrap?: Paise;
  };
};
