import { sessionOf } from '../accounts/sessions/session.ts';
import type { ShopContext } from '../http/context.ts';
import { Refusal } from '../http/refusal.ts';

/** In ms. An open browser may be used by someone else: only a sign-in this recent proves the user. */
const RECENT = 15 * 60_000;

/** Throws a 403 that asks for a new sign-in when the last one is longer ago than 15 minutes. */
export const requireRecentSignIn = async (ctx: ShopContext, now: Date, toDo: string): Promise<void> => {
  const session = await sessionOf(ctx);
  if (session && now.getTime() - session.begunAt.getTime() <= RECENT) return;
  throw new Refusal({
    status: 403,
    code: 'sign_in_again',
    message: `Please sign in again ${toDo}: your last sign-in is more than 15 minutes ago`,
  });
};
