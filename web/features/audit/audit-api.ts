import type { EventMetadata } from '#domain/event-store.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Instant } from '#domain/shared/instant.ts';

/** An event as the audit's calls tell it. What nobody can read has no data or metadata, and `unreadable` says why. */
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

export type AuditMail = {
  readonly about: string;
  readonly state: 'waiting' | 'sent' | 'parked';
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
};

/** `GET /audit/orders/:id` */
export type AuditedOrder = {
  readonly stream: string;
  readonly events: readonly AuditEvent[];
  /** The order after each event; null where it is not there. */
  readonly states: readonly (OrderView | null)[];
  readonly cart: string | null;
  readonly mails: readonly AuditMail[];
  readonly people: Readonly<Record<string, { readonly name: string; readonly email: string }>>;
};

type Difference = { readonly model: string; readonly field: string; readonly inLog?: unknown; readonly inTable?: unknown };

/** `GET /audit/orders/:id/verify` */
export type Verdict = {
  readonly chain: 'intact' | 'broken';
  readonly brokenAt?: number;
  readonly fault?: 'missing' | 'out_of_place' | 'altered' | 'foreign';
  readonly events: number;
  readonly savedHeads: number;
  readonly unlawful: readonly { readonly revision: number; readonly why: string }[];
  readonly readModel: 'matches' | 'differs';
  readonly compared: number;
  readonly differences: readonly Difference[];
};

/** `GET /audit/orders?q=` */
export type FoundOrders = {
  readonly orders: readonly (Pick<OrderView, '_id' | 'orderNumber' | 'status' | 'placedAt' | 'total'> & { readonly email: string })[];
  readonly hasMore: boolean;
};

/** `GET /audit/events` */
export type LogPage = { readonly events: readonly AuditEvent[]; readonly next: string | null };

type Figures = {
  readonly totalOrders: number;
  readonly lastWeekOrders: number;
  readonly totalSales: number;
  readonly lastMonthSales: number;
};

/** Lines of `GET /audit/verify`: progress, then the result. */
export type BookProgress = { readonly events: number; readonly position: string; readonly end: string };
export type BookResult = {
  readonly done: true;
  readonly events: number;
  readonly streams: number;
  readonly count: number;
  readonly findings: readonly { readonly stream: string; readonly revision: number; readonly what: string; readonly detail: string }[];
  readonly figures: { readonly inLog: Figures; readonly inTable: Figures; readonly readModel: 'matches' | 'differs' };
};
