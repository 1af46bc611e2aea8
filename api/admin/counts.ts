import type pg from 'pg';

/** Counts of rows that are not in the log. */
export type Counts = { readonly totalSubscribers: number; readonly contactMessages: number };

export type CachedCounts = {
  /** Exact for this process's writes; others may be missing for a tenth of a second. */
  now(): Promise<Counts>;
  changed(): void;
};

const COUNTS = {
  name: 'counts',
  text: `select (select count(*) from shop.subscribers where is_active)::int as "totalSubscribers",
    (select count(*) from shop.contact_messages)::int as "contactMessages"`,
};

/** In ms. Postgres counts row by row. */
const REMEMBERED_FOR = 100;

const NONE: Counts = { totalSubscribers: 0, contactMessages: 0 };

export const countsIn = (pool: pg.Pool): CachedCounts => {
  let known: { readonly counts: Promise<Counts>; readonly until: number } | undefined;
  const count = async (): Promise<Counts> => (await pool.query<Counts>({ ...COUNTS })).rows[0] ?? NONE;
  return {
    now: () => {
      if (!known || performance.now() > known.until) known = { counts: count(), until: performance.now() + REMEMBERED_FOR };
      return known.counts;
    },
    changed: () => {
      known = undefined;
    },
  };
};
