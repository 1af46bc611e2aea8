import { pages } from '#domain/site/paths.ts';

import type { ShopContext, ShopMiddleware } from '../../http/context.ts';
import type { Newsletter } from './newsletter.ts';

/**
 * A mail program's own "unsubscribe" button (RFC 8058): it posts a form to the link in the mail. Opening the link, as virus scanners do,
 * unsubscribes no address.
 */
export const oneClickUnsubscribe = ({ leave }: Pick<Newsletter, 'leave'>): ShopMiddleware => {
  const unsubscribe = async (ctx: ShopContext): Promise<void> => {
    const { token } = ctx.query;
    const left = typeof token === 'string' && (await leave(token));
    ctx.status = left ? 200 : 400;
    ctx.type = 'text';
    ctx.body = left ? 'Unsubscribed' : 'This link is not valid any more';
  };
  return (ctx, next) => (ctx.method === 'POST' && ctx.path === pages.unsubscribe ? unsubscribe(ctx) : next());
};
