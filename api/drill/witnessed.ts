import type { OrderView } from '#domain/order/view.ts';

/** A request to put something into a cart. */
export type Adding = {
  /** Whether it bore a key that the shop knew whose it was: then it is to be done once, however often it arrives. */
  readonly isCovered: boolean;
  isAnswered: boolean;
};

/** A guest who was told that their personal data are erased. */
export type Erased = { readonly order: string; readonly texts: readonly string[] };

/** What shoppers and staff were told, to be held against the log. */
export type Witnessed = {
  /** Orders as they were answered when they were placed, by id, and by which shopper. */
  readonly placed: Map<string, { readonly order: OrderView; readonly shopper: number }>;
  /** Orders that somebody asked to be placed, whatever was heard of it. */
  readonly asked: Set<string>;
  /** What the staff were told that they had made of orders. */
  readonly moved: { readonly id: string; readonly status: string }[];
  /** By the id of the request. */
  readonly additions: Map<string, Adding>;
  /** Requests that were answered one way and, sent again under their key, another way: a sentence each. */
  readonly differing: string[];
  /** What somebody saw, or was given, that is another's: a sentence each. */
  readonly exposed: string[];
  readonly erased: Erased[];
  /** Orders of guests who asked to be erased, whatever was heard of it: mails that still waited go with them. */
  readonly leaving: Set<string>;
  readonly counts: { browsed: number; changed: number; repeated: number; pried: number; repriced: number; desked: number };
};

export const nothingYet = (): Witnessed => ({
  placed: new Map(),
  asked: new Set(),
  moved: [],
  additions: new Map(),
  differing: [],
  exposed: [],
  erased: [],
  leaving: new Set(),
  counts: { browsed: 0, changed: 0, repeated: 0, pried: 0, repriced: 0, desked: 0 },
});
