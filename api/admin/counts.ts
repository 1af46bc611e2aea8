import type pg from 'pg';

import type { Instant } from '#domain/shared/time.ts';
import type { Progress } from '#projections/reading/progress.ts';
import { stats } from '#projections/stats/projector.ts';
import type { SalesFigures, Stats } from '#projections/stats/queries.ts';

import { cachedQuery } from '../orders/order-lists.ts';

export type CachedFigures = { at(now: Instant): Promise<SalesFigures>; close(): void };

/**
 * Always exact: cached until an order changes, and not used once an order has left one of the periods.
 *
 * Optimisation, for "admin stats" of `npm run bench`: a query takes 300 µs of processor time here, more than all else of the answer.
 */
export const cachedFigures = ({ at }: Pick<Stats, 'at'>, progress: Pick<Progress, 'onAdvance'>): CachedFigures => {
  const ask = async (now: Instant) => ({ ...(await at(now)), from: now });
  const cached = cachedQuery(
    ask,
    stats.name,
    progress,
    () => 'figures',
    () => 0,
  );
  return {
    at: async (now) => {
      const { figures, from, until } = await cached.ask(now);
      const isExact = from <= now && (until === null || now <= until);
      return isExact ? figures : (await at(now)).figures;
    },
    close: cached.close,
  };
};

/** Of rows that are not in the log. */
export type Counts = { readonly totalSubscribers: number; readonly contactMessages: number };

export type CachedCounts = {
  /** Includes this process's writes; others may be missing for a tenth of a second. */
  now(): Promise<Counts>;
  changed(): void;
};

const COUNTS = {
  name: 'counts',
  text: `select (select count(*) from shop.subscribers where is_active)::int as "totalSubscribers",
    (select count(*) from shop.contact_messages)::int as "contactMessages"`,
};

/** In ms. Postgres counts row by row. */
const CACHED_FOR = 100;

const NONE: Counts = { totalSubscribers: 0, contactMessages: 0 };

export const cachedCountsIn = (pool: pg.Pool): CachedCounts => {
  let known: { readonly counts: Promise<Counts>; readonly until: number } | undefined;
  const count = async (): Promise<Counts> => (await pool.query<Counts>({ ...COUNTS })).rows[0] ?? NONE;
  return {
    now: () => {
      if (!known || performance.now() > known.until) known = { counts: count(), until: performance.now() + CACHED_FOR };
      return known.counts;
    },
    changed: () => {
      known = undefined;
    },
  };
};
