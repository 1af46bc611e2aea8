import type { ShopDatabase } from '../shop-tables.ts';
import { LIFETIMES } from './sessions.ts';

/** So many ms after it died a secret's row may go. */
const DAY = 24 * 3_600_000;

/** Deletes sessions, codes, links and kept answers that died long ago. They are refused anyway: this is for the disk. */
export const sweepAccounts = async (db: ShopDatabase, now: Date): Promise<void> => {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await db.deleteFrom('sessions').where('seen_at', '<', before(LIFETIMES.visitor.idle)).execute();
  await db.deleteFrom('sessions').where('user_id', 'is not', null).where('seen_at', '<', before(LIFETIMES.user.idle)).execute();
  await db.deleteFrom('codes').where('expires_at', '<', before(DAY)).execute();
  await db.deleteFrom('kept_answers').where('expires_at', '<', now).execute();
  await db.deleteFrom('password_resets').where('expires_at', '<', before(DAY)).execute();
};
