import { contactCount } from '../contact/table.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { subscriberCounts } from '../subscribers/table.ts';

/** How much there is of what stands in rows, and not in the log. */
export type Counts = { readonly totalSubscribers: number; readonly contactMessages: number };

export const countsIn = (db: ShopDatabase) => async (): Promise<Counts> => {
  const [{ active }, contactMessages] = await Promise.all([subscriberCounts(db), contactCount(db)]);
  return { totalSubscribers: active, contactMessages };
};
