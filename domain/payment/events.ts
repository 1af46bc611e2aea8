import type { ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';

/**
 * Why money goes back: there was more than the order costs, the order was cancelled, or the desk decided so. An excess does not touch what
 * was paid for the order.
 */
export type RefundKind = 'excess' | 'cancelled' | 'desk';

/** What the gateway says happened to money that belongs to no order of this shop. */
export type UnknownNews = 'came' | 'failed' | 'page_closed' | 'refunded' | 'refund_refused';

/** What does not add up, for the bookkeeper. */
export type Mismatch =
  | { readonly kind: 'too_little'; readonly amount: Paise; readonly expected: Paise }
  | { readonly kind: 'refund_refused'; readonly refund: string; readonly amount: Paise; readonly why: string }
  | { readonly kind: 'cash_differs'; readonly amount: Paise; readonly expected: Paise }
  /** The gateway does not say what came through its page; or, where `link` is empty, does not open one. */
  | { readonly kind: 'page_refused'; readonly link: string; readonly why: string }
  /** Somebody refunded money of this order at the gateway itself. `refund` is the gateway's id. */
  | { readonly kind: 'refunded_elsewhere'; readonly refund: string; readonly amount: Paise }
  /** Money that belongs to no order of this shop. `news` is left out for `came`. */
  | { readonly kind: 'unknown_order'; readonly amount: Paise; readonly method: string; readonly news?: UnknownNews };

/**
 * Payments have the gateway's ids, refunds the shop's own. `total` is what the order costs. `reason` is about `shopper`, the
 * order's owner at that time; empty for a refund that nobody decided, and for one that
 * the desk makes after their data were erased.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type PaymentEvent =
  /** A page on which the shopper can pay was opened at the gateway. */
  | { type: 'PaymentRequested'; data: { link: string; url: string; total: Paise; requestedAt: Instant } }
  /** The page takes no more payments. */
  | { type: 'PaymentLinkClosed'; data: { link: string; closedAt: Instant } }
  | { type: 'PaymentCaptured'; data: { payment: string; amount: Paise; method: string; total: Paise; capturedAt: Instant } }
  | { type: 'PaymentFailed'; data: { payment: string; why: string; failedAt: Instant } }
  | { type: 'PaymentReminded'; data: { remindedAt: Instant } }
  /** After the time for paying the gateway was asked, for the `look`th time since its last page was opened, what came through its pages. */
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
      };
    }
  | { type: 'RefundSettled'; data: { refund: string; settledAt: Instant } }
  /** It is tried again, or, when it is the last time, given up. */
  | { type: 'RefundRefused'; data: { refund: string; why: string; isLast: boolean; refusedAt: Instant } }
  /** The courier has brought the money of an order paid on delivery. `reference` is that of the remittance; empty for none. */
  | {
      type: 'CashCollected';
      data: { amount: Paise; total: Paise; reference: string; collectedOn: CalendarDate; collectedAt: Instant };
    }
  | { type: 'MismatchFound'; data: { mismatch: Mismatch; foundAt: Instant } };
