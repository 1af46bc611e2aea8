import type Router from '@koa/router';
import { z } from 'zod';

import { isOrderId } from '#domain/shared/ids.ts';

import { getOrigin, type ShopContext, type ShopMiddleware, type State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { NewestFirstInput, readPage, type OlderThan } from '../http/cursor-page.ts';
import { createRouter } from '../http/router.ts';
import { userIfAny } from './sessions/session.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { SECURITY_KINDS, userSubject, type SecurityKind, type SecurityLog, securityEvents } from './security-log.ts';

export type SecurityRoutesDeps = { readonly db: ShopDatabase; readonly securityLog: SecurityLog };

const KindInput = z.object({ kind: z.enum(SECURITY_KINDS).optional() });

/**
 * Serves `GET /audit/security?kind=&cursor=&limit=` to auditors: `{events, nextCursor}`, newest first, 200 at most. No route changes
 * entries.
 */
export const securityRoutes = ({ db, securityLog }: SecurityRoutesDeps): Router<State> =>
  createRouter().get('/audit/security', async (ctx) => {
    const { kind } = parse(KindInput, ctx.query);
    // Flushing first includes the auditor's own earlier reads.
    await securityLog.flush();
    const read = (part: OlderThan) => securityEvents(db, { ...part, kinds: kind && [kind] });
    const { rows, nextCursor } = await readPage(read, parse(NewestFirstInput, ctx.query));
    ctx.body = { events: rows, nextCursor };
  });

const READS: readonly (readonly [route: RegExp, SecurityKind])[] = [
  [/^\/api\/contact$/, 'contacts_read'],
  [/^\/api\/subscribe$/, 'subscribers_read'],
  [/^\/api\/audit\//, 'audit_read'],
];

/** Returns only route and order id, because other parameters may be e-mail addresses. */
const getRequestDetail = (ctx: ShopContext, route: string): Record<string, string> => {
  const { id = '' }: Record<string, string> = ctx['params'] ?? {};
  return { route, ...(isOrderId(id) && { order: id }) };
};

/** Records reads of personal data and of the audit that were answered with 200. */
export const noteReads = (securityLog: SecurityLog): ShopMiddleware => {
  const note = async (ctx: ShopContext): Promise<void> => {
    const route: unknown = ctx['_matchedRoute'];
    if (ctx.status !== 200 || typeof route !== 'string') return;
    const kind = READS.find(([pattern]) => pattern.test(route))?.[1];
    const user = kind && (await userIfAny(ctx));
    if (!kind || !user) return;
    securityLog.record({ kind, subject: userSubject(user.id), ...getOrigin(ctx), detail: getRequestDetail(ctx, route) });
  };
  return (ctx, next) => (ctx.method === 'GET' ? next().then(() => note(ctx)) : next());
};
