import type pg from 'pg';

import { batcher } from '../batcher.ts';

/** How much there is of what stands in rows, and not in the log. */
export type Counts = { readonly totalSubscribers: number; readonly contactMessages: number };

const COUNTS = {
  name: 'counts',
  text: `select (select count(*) from shop.subscribers where is_active)::int as "totalSubscribers",
    (select count(*) from shop.contact_messages)::int as "contactMessages"`,
};

/** Once for all who ask while it was counted for others. */
export const countsIn = (pool: pg.Pool): (() => Promise<Counts>) => {
  const count = batcher(async (asking: readonly 'counts'[]): Promise<readonly Counts[]> => {
    const { rows } = await pool.query<Counts>({ ...COUNTS });
    return asking.flatMap(() => rows);
  });
  return () => count('counts');
};
