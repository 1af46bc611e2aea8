import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { LIFETIMES } from './sessions/session-store.ts';

/** In ms: expired codes are kept this long. */
const DAY = 24 * 3_600_000;

/** Deletes expired sessions, codes, links and kept answers, to save disk space: they are refused already. */
export const sweepAccounts = async (db: ShopDatabase, now: Date): Promise<void> => {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await db.deleteFrom('sessions').where('seen_at', '<', before(LIFETIMES.visitor.idle)).execute();
  await db.deleteFrom('sessions').where('user_id', 'is not', null).where('seen_at', '<', before(LIFETIMES.user.idle)).execute();
  await db.deleteFrom('codes').where('expires_at', '<', before(DAY)).execute();
  await db.deleteFrom('kept_answers').where('expires_at', '<', now).execute();
  await db.deleteFrom('password_resets').where('expires_at', '<', before(DAY)).execute();
};
