import { contactCount } from '../contact/table.ts';
import { gathered } from '../gathered.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { subscriberCounts } from '../subscribers/table.ts';

/** How much there is of what stands in rows, and not in the log. */
export type Counts = { readonly totalSubscribers: number; readonly contactMessages: number };

/** Counted anew each time, but once for all who ask while it was counted for others. */
export const countsIn = (db: ShopDatabase): (() => Promise<Counts>) => {
  const count = gathered(async (asking: readonly undefined[]): Promise<readonly Counts[]> => {
    const [{ active }, contactMessages] = await Promise.all([subscriberCounts(db), contactCount(db)]);
    return asking.map(() => ({ totalSubscribers: active, contactMessages }));
  });
  return () => count(undefined);
};
