import { sessionOf } from '../http/session.ts';
import type { ShopContext } from '../http/context.ts';
import { Refusal } from '../http/refusal.ts';

/** A browser left open is not its owner: so long after a sign-in it counts as one, in ms. */
const RECENT = 15 * 60_000;

/** Throws a 403 that asks to sign in anew when the user's sign-in is longer ago than 15 minutes. */
export const requireRecentSignIn = async (ctx: ShopContext, now: Date, toDo: string): Promise<void> => {
  const session = await sessionOf(ctx);
  if (session && now.getTime() - session.begunAt.getTime() <= RECENT) return;
  throw new Refusal({
    status: 403,
    code: 'sign_in_again',
    message: `Please sign in again ${toDo}: your last sign-in is more than 15 minutes ago`,
  });
};
