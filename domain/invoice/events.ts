import type { OrderId, OrderNumber, ProductId, ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from '../tax/rates.ts';
import type { IndianState, PlaceOfSupply } from '../shared/states.ts';

/** The seller is recorded as of the paper. A tax document without `gstin` is a sample. */
export type Seller = { readonly name: string; readonly address: string; readonly state: IndianState; readonly gstin?: string };

/** `taxableValue` is price × quantity. Goods delivered within the seller's state have `cgst` and `sgst`, others `igst`. */
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

/**
 * Empty when it was erased before the tax document was written. `state`: what was typed and is no state of India, since that may be
 * anything.
 */
export type Buyer = { readonly name: PersonalText; readonly address: PersonalText; readonly state?: PersonalText };

export type TaxDocument = {
  readonly order: OrderId;
  readonly orderNumber: OrderNumber;
  readonly shopper: ShopperId;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** The place of supply, or empty when it is assumed; tax documents of earlier releases have it as it was typed. */
  readonly buyerState: string;
  readonly placeOfSupply: PlaceOfSupply;
  /** Set if nothing said where the goods were supplied, so that the seller's state was taken. */
  readonly placeOfSupplyAssumed?: true;
  readonly lines: readonly InvoiceLine[];
  /** The date is a day in India. */
  readonly date: CalendarDate;
  readonly issuedAt: Instant;
};

/** These are the costs of an order besides its perfumes, without tax. */
export type ExtraAmounts = { readonly giftWrap: Paise; readonly shipping: Paise; readonly discount: Paise };

/** A tax document's number is its place in its stream. */
export type InvoiceNumber = string;

/** `buyer` belongs to `shopper`. Events are stored for ever: a field may be added as optional, but never renamed or retyped. */
export type InvoiceEvent = { type: 'InvoiceIssued'; data: TaxDocument & ExtraAmounts };

/**
 * `orderRevision` is that of the order's event by which the goods came back; it has one note. `giftWrap` is credited with the last of the
 * goods, if they were wrapped. `buyer` belongs to `shopper`.
 */
export type CreditNoteEvent = {
  type: 'CreditNoteIssued';
  data: TaxDocument & {
    readonly invoice: { readonly number: InvoiceNumber; readonly date: CalendarDate };
    readonly orderRevision: number;
    readonly giftWrap?: Paise;
  };
};
