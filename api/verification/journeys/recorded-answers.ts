import type { OrderView } from '#domain/order/view.ts';

export type Adding = {
  /** With a key within a session it must be executed once. */
  readonly isCovered: boolean;
  isAnswered: boolean;
};

/** A guest who was told that their personal data are erased. */
export type Erased = { readonly order: string; readonly texts: readonly string[] };

export type RecordedAnswers = {
  /** By id, as answered when they were placed, with the shopper's number. */
  readonly placed: Map<string, { readonly order: OrderView; readonly shopper: number }>;
  /** Orders that a shopper asked to place, whatever the answer. */
  readonly asked: Set<string>;
  readonly moved: { readonly id: string; readonly status: string }[];
  /** By request id. */
  readonly additions: Map<string, Adding>;
  /** Requests that got different answers under the same key: a sentence each. */
  readonly differing: string[];
  /** Data of another shopper that was shown: a sentence each. */
  readonly exposed: string[];
  readonly erased: Erased[];
  /** Orders of guests who asked to be erased, whatever the answer: their waiting mails are deleted too. */
  readonly leaving: Set<string>;
  readonly counts: {
    browsed: number;
    changed: number;
    repeated: number;
    triedOthers: number;
    repriced: number;
    lookedAtDesk: number;
    paid: number;
  };
};

export const noAnswersYet = (): RecordedAnswers => ({
  placed: new Map(),
  asked: new Set(),
  moved: [],
  additions: new Map(),
  differing: [],
  exposed: [],
  erased: [],
  leaving: new Set(),
  counts: { browsed: 0, changed: 0, repeated: 0, triedOthers: 0, repriced: 0, lookedAtDesk: 0, paid: 0 },
});
