import type { OrderView } from '#domain/order/view.ts';

export type Adding = {
  /** The request had an idempotency key within a session, so it must be executed once. */
  readonly isCovered: boolean;
  isAnswered: boolean;
};

/** A guest who was told that their personal data are erased. */
export type Erased = { readonly order: string; readonly texts: readonly string[] };

export class RecordedAnswers {
  /** Orders by id, as they were answered when placed, with the shopper's number. */
  readonly placed = new Map<string, { readonly order: OrderView; readonly shopper: number }>();
  /** The ids of orders that a shopper asked to place, whatever the answer. */
  readonly asked = new Set<string>();
  readonly moved: { readonly id: string; readonly status: string }[] = [];
  /** Additions to carts by request id. */
  readonly additions = new Map<string, Adding>();
  /** A sentence for each request that got different answers with the same key. */
  readonly differing: string[] = [];
  /** A sentence for each time that another shopper's data were shown. */
  readonly exposed: string[] = [];
  readonly erased: Erased[] = [];
  /** The orders of guests who asked for an erasure, whatever the answer. Their waiting mails are deleted too. */
  readonly leaving = new Set<string>();
  readonly counts = { browsed: 0, changed: 0, repeated: 0, triedOthers: 0, repriced: 0, lookedAtDesk: 0, paid: 0 };
}
