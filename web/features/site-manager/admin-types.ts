import type { CalendarDate } from '#domain/shared/calendar.ts';
import type { Instant } from '#domain/shared/instant.ts';

/** `GET /admin/stats`: the figures of the shop; sales in rupees. */
export type Stats = {
  readonly totalOrders: number;
  readonly lastWeekOrders: number;
  readonly totalProducts: number;
  readonly totalSubscribers: number;
  readonly totalSales: number;
  readonly lastMonthSales: number;
  readonly contactMessages: number;
};

/** A day in India; sales in rupees. */
export type DayOfSales = { readonly day: CalendarDate; readonly orders: number; readonly sales: number };

/** `GET /admin/health`: how the machinery behind the figures does. */
export type Health = {
  readonly projections: readonly ProjectionHealth[];
  readonly outbox: { readonly waiting: number; readonly parked: number; readonly waitingSince: Instant | null };
  /** What follows from events, where it was given up for some streams; none when all is well. */
  readonly reactions: readonly { readonly name: string; readonly parkedStreams: number }[];
};
export type ProjectionHealth = {
  readonly name: string;
  readonly isBuilt: boolean;
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly parkedEvents: number;
  /** Whether any process works on it now. */
  readonly isAtWork: boolean;
};

/** `GET /product/:id/prices`: a price from a moment on; empty text is no price. */
export type PriceSince = { readonly price: string; readonly since: Instant; readonly by: { readonly kind: string; readonly id: string } };

export type Subscriber = { readonly _id: string; readonly email: string; readonly isActive: boolean; readonly createdAt: Instant };

export type ContactMessage = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
  readonly createdAt: Instant;
};

/** Part of a list of any length, in the server's order. */
export type Part<Row> = {
  readonly rows: readonly Row[];
  /** Where the next part begins; undefined after the last. */
  readonly next: string | undefined;
  /** In the whole list, where the server says it. */
  readonly total?: number | undefined;
};
