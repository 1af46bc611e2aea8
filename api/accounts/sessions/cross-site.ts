import { withoutToken } from '#domain/site/pages.ts';

import type { SecurityLog } from '../security-log.ts';
import { getRequestId, type ShopContext, type ShopMiddleware } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

type Parts = {
  readonly publicUrl: string;
  /** An embedded shop is reached by any name of its machine, so the request's own `Host` counts too. */
  readonly isEmbedded: boolean;
  readonly securityLog: SecurityLog;
};

const isOurs = ({ publicUrl, isEmbedded }: Parts, origin: string, host: string | undefined): boolean =>
  origin === publicUrl || (isEmbedded && host !== undefined && (origin === `http://${host}` || origin === `https://${host}`));

/** Scripts cannot set these headers. */
const isForeign = (parts: Parts, { headers }: ShopContext['req']): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || (headers.origin !== undefined && !isOurs(parts, headers.origin, headers.host));

/**
 * Refuses changes whose `Origin` is not the shop's, or that the browser marks as cross-site. A client without both headers is no browser.
 */
export const sameSiteOnly =
  (parts: Parts): ShopMiddleware =>
  (ctx, next) => {
    if (READING.has(ctx.method) || !isForeign(parts, ctx.req)) return next();
    const origin = ctx.req.headers.origin?.slice(0, 200) ?? '';
    parts.securityLog.record({
      kind: 'cross_site_refused',
      address: ctx.ip,
      requestId: getRequestId(ctx),
      detail: { origin, path: withoutToken(ctx.path) },
    });
    throw new HttpError({ status: 403, code: 'cross_site', message: 'This can only be done from the shop itself' });
  };
