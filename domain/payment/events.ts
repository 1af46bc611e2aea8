import type { ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';

/**
 * Why money is refunded: more was paid than the order costs, the order was cancelled, bottles came back, or the desk decided so. Refunding
 * an excess leaves the amount paid for the order unchanged.
 */
export type RefundKind = 'excess' | 'cancelled' | 'returned' | 'desk';

/** A refund with this `payment` is one of cash: staff send the money, and note the reference of the transfer. */
export const CASH = 'cash';

/** What the gateway reports about a payment that belongs to no order of this shop. */
export type UnknownNews = 'came' | 'failed' | 'page_closed' | 'refunded' | 'refund_refused';

/** A discrepancy that staff have to look into. */
export type Mismatch =
  | { readonly kind: 'too_little'; readonly amount: Paise; readonly expected: Paise }
  | { readonly kind: 'refund_refused'; readonly refund: string; readonly amount: Paise; readonly why: string }
  | { readonly kind: 'cash_differs'; readonly amount: Paise; readonly expected: Paise }
  /** The gateway does not say what was paid through its page or, if `link` is empty, does not open a page. */
  | { readonly kind: 'page_refused'; readonly link: string; readonly why: string }
  /** Somebody refunded a payment of this order at the gateway itself. `refund` is the gateway's id. */
  | { readonly kind: 'refunded_elsewhere'; readonly refund: string; readonly amount: Paise }
  /**
   * The gateway sent a text that the log cannot hold. `news` is its name of the event, `webhook` the hash of the body: of all bodies only
   * this one.
   */
  | { readonly kind: 'news_unreadable'; readonly webhook: string; readonly news: string; readonly why: string }
  /** A payment belongs to no order of this shop. `news` is left out for `came`. */
  | { readonly kind: 'unknown_order'; readonly amount: Paise; readonly method: string; readonly news?: UnknownNews };

/**
 * Payments have the gateway's ids, refunds that the shop asked for its own. `total` is what the order costs. `reason` is personal data of `shopper`, the
 * order's owner at that time. It is empty for a refund that the shop made by itself, and for a refund that the desk makes after the
 * shopper's data were erased.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type PaymentEvent =
  /** This event is recorded when a page for paying was opened at the gateway. */
  | { type: 'PaymentRequested'; data: { link: string; url: string; total: Paise; requestedAt: Instant } }
  | { type: 'PaymentLinkClosed'; data: { link: string; closedAt: Instant } }
  | { type: 'PaymentCaptured'; data: { payment: string; amount: Paise; method: string; total: Paise; capturedAt: Instant } }
  | { type: 'PaymentFailed'; data: { payment: string; why: string; failedAt: Instant } }
  | { type: 'PaymentReminded'; data: { remindedAt: Instant } }
  /** This event is recorded after the gateway was asked about late payments for the `look`th time since the last page was opened. */
  | { type: 'LatePaymentsSought'; data: { look: number; soughtAt: Instant } }
  | {
      type: 'RefundRequested';
      data: {
        refund: string;
        payment: string;
        amount: Paise;
        kind: RefundKind;
        shopper: ShopperId;
        reason: PersonalText;
        requestedAt: Instant;
        /** The value is true if it was made at the gateway itself, whose id it has. Then it is settled in the same append. */
        isElsewhere?: true;
        /** Which return of the order it is for. */
        return?: number;
      };
    }
  /** `reference` is that of the transfer by which cash was refunded. */
  | { type: 'RefundSettled'; data: { refund: string; settledAt: Instant; reference?: string } }
  /** This event is recorded when the gateway refused a refund. It is tried again, or given up if `isLast`. */
  | { type: 'RefundRefused'; data: { refund: string; why: string; isLast: boolean; refusedAt: Instant } }
  /**
   * This event is recorded when the courier delivered the cash of an order. `reference` is that of the remittance; empty if there is none.
   * `file` identifies the remittance's file; it is missing if the desk booked the cash, and in old events.
   */
  | {
      type: 'CashCollected';
      data: { amount: Paise; total: Paise; reference: string; file?: string; collectedOn: CalendarDate; collectedAt: Instant };
    }
  | { type: 'MismatchFound'; data: { mismatch: Mismatch; foundAt: Instant } }
  /** This event is recorded before the order is confirmed or shipped: until the move ended, its money is not refunded in full. */
  | { type: 'MoveBegun'; data: { move: string; begunAt: Instant } }
  /** This event is recorded after the move was made, refused, or given up. */
  | { type: 'MoveEnded'; data: { move: string; endedAt: Instant } };
