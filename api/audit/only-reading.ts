import type { ShopMiddleware } from '../http/context.ts';
import { Refusal } from '../http/refusal.ts';
import { userIfAny } from '../accounts/sessions/session.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Signing in and out, and the auditor's own account. */
const OWN = '/api/user/';

const unlessAuditor: ShopMiddleware = async (ctx, next) => {
  // The session as the request itself will know it: no question more on the way of every cart and order.
  const user = await userIfAny(ctx);
  if (user?.isAuditor && !user.isAdmin)
    throw new Refusal({ status: 403, code: 'not_allowed', message: 'Auditors read, and change nothing' });
  return next();
};

/** Who audits the shop writes nothing into it, not even a cart of their own: 403. Admins who audit stay admins. */
export const auditorsOnlyRead: ShopMiddleware = (ctx, next) =>
  READING.has(ctx.method) || ctx.path.startsWith(OWN) ? next() : unlessAuditor(ctx, next);
