import type { Actor, EventMetadata } from '#domain/event-store.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { StockView } from '#domain/stock/view.ts';

/** An event in the audit API's format. An event that cannot be decrypted has no data or metadata, and `unreadable` says why. */
export type AuditEvent = {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly metadata: EventMetadata | null;
  readonly recordedAt: Instant | null;
  readonly unreadable?: string;
};

/** The answer of `GET /audit/signatures`. */
export type Signatures = {
  readonly origin: string | null;
  readonly size: number;
  readonly signedAt: Instant | null;
  readonly cosignedAt: Instant | null;
  /** The newest published checkpoint has a witness's signature. */
  readonly isCosigned: boolean;
  readonly witnesses: number;
  readonly quorum: number;
  readonly unsignedSince: Instant | null;
};

export type AuditMail = {
  readonly about: string;
  /** The field is missing if an order has only one event of this type. */
  readonly revision?: number;
  readonly state: 'waiting' | 'sent' | 'parked';
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
  readonly messageId: string;
  /** The link leads to the mail in the shop's development mailbox, if it caught the mail. */
  readonly mailbox: string | null;
};

export type People = Readonly<Record<string, { readonly name: string; readonly email: string }>>;

/** The answer of `GET /audit/orders/:id`, which has one part of the order's events. */
export type AuditedOrder = {
  readonly stream: string;
  readonly events: readonly AuditEvent[];
  /** The order after each event; null before the order exists. */
  readonly states: readonly (OrderView | null)[];
  readonly cart: string | null;
  readonly mails: readonly AuditMail[];
  readonly people: People;
  /** `count` is the number of all events of the order; `next` is the revision after which more events follow. */
  readonly count: number;
  readonly next: number | null;
};

type Difference = { readonly model: string; readonly field: string; readonly inLog?: unknown; readonly inTable?: unknown };

/** The answer of `GET /audit/orders/:id/verify`. */
export type OrderVerdict = {
  readonly chain: 'intact' | 'broken';
  readonly brokenAt?: number;
  readonly fault?: 'missing' | 'out_of_place' | 'altered' | 'foreign';
  /** `cut` says which events are missing in a stream that was truncated or deleted in the event store. */
  readonly cut?: string;
  readonly hashes?: { readonly stored: string; readonly recomputed: string };
  readonly events: number;
  readonly savedHeads: number;
  readonly unlawful: readonly { readonly revision: number; readonly why: string }[];
  readonly readModel: 'matches' | 'differs';
  readonly compared: number;
  readonly differences: readonly Difference[];
};

/** The answer of `GET /audit/orders?q=`. */
export type FoundOrders = {
  readonly orders: readonly (Pick<OrderView, '_id' | 'orderNumber' | 'status' | 'placedAt' | 'total'> & { readonly email: string })[];
  readonly hasMore: boolean;
};

/** The answer of `GET /audit/events`. */
export type LogPage = { readonly events: readonly AuditEvent[]; readonly next: string | null };

/** A product's price in rupees from a moment on; null while it was not for sale. */
export type PriceSince = { readonly price: number | null; readonly since: Instant; readonly by: Actor };

/** The answer of `GET /audit/products/:id/prices`, which has `at` if the request gave a moment. */
export type Prices = {
  readonly name: string;
  readonly prices: readonly PriceSince[];
  readonly people: People;
  readonly at?: PriceSince | null;
};

/** The answer of `GET /audit/products/:id/stock`. `revision` and `recordedAt` are null before the first event, `stock` while uncounted. */
export type StockThen = {
  readonly stream: string;
  readonly name: string;
  readonly count: number;
  readonly revision: number | null;
  readonly recordedAt: Instant | null;
  readonly stock: StockView | null;
  readonly amounts: readonly {
    readonly name: 'onHand' | 'reserved' | 'available';
    readonly amount: number;
    readonly formula: string;
    readonly parts: readonly {
      readonly label: string;
      readonly amount: number;
      readonly order?: string;
      readonly event: Pick<AuditEvent, 'stream' | 'revision' | 'type'>;
    }[];
  }[];
};

export type SalesFigures = {
  readonly totalOrders: number;
  readonly lastWeekOrders: number;
  readonly totalSales: number;
  readonly lastMonthSales: number;
};

/** The comparison of a read model with a copy rebuilt from the log. It lists the live rows that differ. */
export type ModelVerdict = {
  readonly model: string;
  readonly verdict: 'matches' | 'differs' | 'unverified';
  readonly position?: string;
  readonly count: number;
  readonly differences: readonly { readonly table: string; readonly key: string; readonly what: 'missing' | 'extra' | readonly string[] }[];
  readonly why?: string;
};

/** `GET /audit/verify` sends these lines while it reads the log and checks each read model; the last line is the result. */
export type CheckProgress = {
  readonly step: number;
  readonly steps: number;
  readonly of: string;
  readonly events: number;
  readonly position: string;
  readonly end: string;
};
/** The last line of a failed check or what-if, with the reason. */
export type CheckFailure = { readonly failed: string };
export type CheckResult = {
  readonly done: true;
  readonly events: number;
  readonly streams: number;
  readonly count: number;
  readonly findings: readonly {
    readonly stream: string;
    readonly revision: number;
    /** `position` is given for a fault of the log as a whole. */
    readonly position?: string;
    readonly what: string;
    readonly detail: string;
  }[];
  readonly figures: {
    readonly inLog: SalesFigures;
    readonly inTable: SalesFigures | null;
    readonly readModel: 'matches' | 'differs' | 'unverified';
  };
  readonly readModels: readonly ModelVerdict[];
};

/** Amounts are in rupees. `difference` is negative when the shopper would have paid less. */
export type WhatIfAmounts = { readonly was: number; readonly wouldBe: number; readonly difference: number };
type WhatIfSum = WhatIfAmounts & { readonly orders: number };
export type WhatIfOrder = WhatIfAmounts & { readonly orderNumber: string; readonly placedAt: Instant; readonly state: string };
/** `GET /audit/what-if` sends lines of progress, then the orders that would differ in batches, then the sums. */
export type WhatIfProgress = Pick<CheckProgress, 'of' | 'events' | 'position' | 'end'>;
export type WhatIfBatch = { readonly orders: readonly WhatIfOrder[] };
export type WhatIfSums = {
  readonly done: true;
  readonly all: WhatIfSum;
  readonly differing: WhatIfSum;
  readonly rows: readonly (WhatIfSum & { readonly month: string; readonly state: string })[];
};

export type SecurityEvent = {
  readonly _id: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
};
/** The answer of `GET /audit/security`. */
export type SecurityPage = { readonly events: readonly SecurityEvent[]; readonly nextCursor: string | null };
