import type Router from '@koa/router';

import { duties, staffRoles, type Duty } from '#domain/staff/duties.ts';

import type { ShopMiddleware, State } from '../../http/context.ts';
import { createRouter } from '../../http/router.ts';
import { getUser, refuseRight, requireDuty, userIfAny } from '../sessions/session.ts';
import { onlyReads } from '../user.ts';

/** `everyone` includes visitors: then the handler decides, as for an order, which belongs to its shopper. */
export type Access = 'everyone' | 'signed in' | Duty;

/**
 * Who may call each route below `/api`. The server does not start with a route that is missing here. Some handlers show a part of the staff
 * more than others, for example `GET /order/get-order/:id`: they check a duty of `domain/staff/duties.ts` themselves.
 */
export const routeAccess: Readonly<Record<string, Access>> = {
  'GET /product': 'everyone',
  'GET /product/:id': 'everyone',
  'POST /product': 'products',
  'PUT /product/:id': 'products',
  'DELETE /product/:id': 'products',
  'GET /product/:id/prices': 'products',
  'POST /product/pictures': 'products',
  'GET /admin/products/counts': 'products',
  'GET /admin/stock': 'products',
  'GET /admin/stock/:productId': 'products',
  'PUT /admin/stock/:productId': 'products',
  'POST /admin/stock/import': 'products',
  'GET /admin/tax': 'products',
  'POST /admin/tax': 'products',

  'GET /product/:id/reviews': 'everyone',
  'GET /product/:id/reviews/mine': 'signed in',
  'POST /product/:id/reviews': 'signed in',
  'PUT /product/:id/reviews/:reviewId': 'signed in',
  'DELETE /product/:id/reviews/:reviewId': 'signed in',
  'GET /admin/reviews': 'customers',
  'PUT /admin/reviews/:id': 'customers',

  'GET /cart/get-cart': 'everyone',
  'POST /cart/add-to-cart': 'everyone',
  'PUT /cart/update/:productId': 'everyone',
  'DELETE /cart/remove/:productId': 'everyone',

  'POST /order/create-order': 'everyone',
  'PUT /order/place-order/:id': 'everyone',
  'GET /order/get-AllOrders': 'signed in',
  'GET /order/last-address': 'everyone',
  'GET /order/get-order/:id': 'everyone',
  'GET /order/:id/explain': 'everyone',
  'GET /order/:id/live': 'everyone',
  'GET /order/:id/receipt': 'everyone',
  'GET /order/:id/invoice': 'everyone',
  'GET /order/:id/invoice.pdf': 'everyone',
  'GET /order/:id/credit-notes/:place.pdf': 'everyone',
  'PUT /order/cancel/:id': 'everyone',
  'PUT /order/return/:id': 'everyone',
  'POST /order/pay/:id': 'everyone',
  'POST /order/check-payment/:id': 'everyone',
  'POST /order/erase/:id': 'everyone',
  'POST /order/open': 'everyone',
  'POST /order/find': 'everyone',
  'POST /payment/webhook': 'everyone',

  'GET /admin/orders': 'orders',
  'GET /admin/orders/next': 'orders',
  'GET /admin/orders.csv': 'orders',
  'PUT /admin/order/:id/status': 'customers',
  'PUT /admin/order/:id/shipment': 'customers',
  'PUT /admin/order/:id/packed': 'customers',
  'PUT /admin/order/:id/email': 'customers',
  'GET /admin/order/:id/packing-slip.pdf': 'customers',
  'GET /admin/order/:id/label.pdf': 'customers',
  'GET /admin/packing-slips.pdf': 'customers',
  'GET /admin/slips-and-labels.pdf': 'customers',
  'GET /admin/labels.pdf': 'customers',
  'GET /admin/returns': 'customers',
  'PUT /admin/return/:id': 'customers',
  'GET /contact': 'customers',
  'PUT /contact/:id': 'customers',
  'GET /admin/contact_messages.csv': 'customers',

  'GET /admin/customers': 'customers',
  'GET /admin/customers/:id': 'customers',
  'POST /admin/customers/:id/export': 'customers',
  'POST /admin/customers/:id/erase': 'customers',

  'PUT /admin/order/:id/refund': 'money',
  'PUT /admin/order/:id/cash': 'money',
  'POST /admin/remittances': 'money',
  'GET /admin/payments': 'money',
  'GET /admin/payments/summary': 'money',
  'GET /admin/payments.csv': 'money',
  'GET /admin/invoices': 'money',
  'GET /admin/invoices.csv': 'money',
  'GET /admin/invoices/summary': 'money',

  'GET /admin/stats': 'figures',
  'GET /admin/sales': 'figures',
  'GET /admin/live': 'figures',
  'GET /admin/health': 'figures',
  'GET /subscribe': 'figures',
  'GET /admin/subscribers.csv': 'figures',

  'GET /admin/staff': 'staff',
  'POST /admin/staff': 'staff',
  'PUT /admin/staff/:id': 'staff',

  'GET /audit/events': 'audit',
  'GET /audit/signatures': 'audit',
  'GET /audit/orders': 'audit',
  'GET /audit/orders/:id': 'audit',
  'GET /audit/orders/:id/verify': 'audit',
  'GET /audit/orders/:id/explain': 'audit',
  'GET /audit/products/:id/prices': 'audit',
  'GET /audit/products/:id/stock': 'audit',
  'GET /audit/verify': 'audit',
  'GET /audit/what-if': 'audit',
  'GET /audit/security': 'audit',

  'POST /contact': 'everyone',
  'POST /subscribe': 'everyone',
  'POST /subscribe/unsubscribe': 'everyone',
  'POST /product/:id/notify': 'everyone',
  'POST /notices/end': 'everyone',

  'GET /user/fetch-user': 'everyone',
  'GET /user/sign-in-options': 'everyone',
  'POST /user/register': 'everyone',
  'POST /user/verify-otp': 'everyone',
  'POST /user/resend-otp': 'everyone',
  'POST /user/login': 'everyone',
  'POST /user/logout': 'everyone',
  'POST /user/forgot-password': 'everyone',
  'POST /user/reset-password': 'everyone',
  'POST /user/google-login': 'everyone',
  'POST /user/invitation': 'everyone',
  'POST /user/login-totp': 'everyone',
  'POST /user/email/take-back': 'everyone',
  'GET /user/account': 'signed in',
  'PUT /user/profile': 'signed in',
  'PUT /user/password': 'signed in',
  'POST /user/email': 'signed in',
  'POST /user/email/confirm': 'signed in',
  'GET /user/sessions': 'signed in',
  'DELETE /user/sessions/:id': 'signed in',
  'POST /user/totp/begin': 'signed in',
  'POST /user/totp/confirm': 'signed in',
  'POST /user/totp/remove': 'signed in',
  'GET /user/addresses': 'signed in',
  'POST /user/addresses': 'signed in',
  'PUT /user/addresses/:id': 'signed in',
  'DELETE /user/addresses/:id': 'signed in',
  'GET /user/wishlist': 'everyone',
  'PUT /user/wishlist/:productId': 'everyone',
  'DELETE /user/wishlist/:productId': 'everyone',
  'GET /user/export': 'signed in',
  'POST /user/erase': 'signed in',
};

/** These routes show an order to its shopper, and others' orders to staff with the duty. */
export const ordersOfOthers: Readonly<Record<string, Duty>> = {
  'GET /order/get-order/:id': 'orders',
  'GET /order/:id/explain': 'orders',
  'GET /order/:id/receipt': 'orders',
  'GET /order/:id/invoice': 'invoices',
  'GET /order/:id/invoice.pdf': 'invoices',
  'GET /order/:id/credit-notes/:place.pdf': 'invoices',
};

const PREFIX = '/api';

/** Returns the keys of `routeAccess` for the routes of these routers. */
const listRoutes = (routers: readonly Router<State>[]): readonly string[] =>
  routers
    .flatMap(({ stack }) => stack)
    .flatMap(({ methods, path }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path).slice(PREFIX.length)}`),
    );

/** Throws at the start of a server whose routes are not those of the table. */
export const requireAccess = (routers: readonly Router<State>[]): void => {
  const routes = new Set(listRoutes(routers));
  const missing = [...routes].filter((route) => !Object.hasOwn(routeAccess, route));
  if (missing.length > 0) throw new Error(`Say in accounts/staff/access.ts who may call ${missing.join(', ')}`);
  const gone = Object.keys(routeAccess).filter((route) => !routes.has(route));
  if (gone.length > 0) throw new Error(`Nothing answers ${gone.join(', ')}: remove it from accounts/staff/access.ts`);
};

/** Matches paths as the routers of the calls do. */
const matcher = createRouter({ prefix: PREFIX });
for (const route of Object.keys(routeAccess)) {
  const [method = '', path = ''] = route.split(' ');
  matcher.register(path, [method], () => undefined, { name: route });
}

/** Auditors may sign in and out, and change their own account but not its wishlist. The gateway's webhook asks for no session. */
const isForAuditors = (route: string): boolean => /^(?:GET|HEAD|OPTIONS) |^\w+ \/(?:user(?!\/wishlist\/)|payment)\//.test(route);

/** Auditors write nothing, not even to a cart, unless another role of theirs may. */
const refuseAuditor: ShopMiddleware = async (ctx, next) => {
  // The request reads its session anyway.
  const user = await userIfAny(ctx);
  if (user && onlyReads(user)) refuseRight(ctx, user, 'figures', 'Auditors read, and change nothing');
  return next();
};

/**
 * Answers 401 or 403 to who may not make this call, before its body is read or a kept answer is repeated. A path that more than one route
 * matches needs the rights of all of them.
 */
export const checkAccess: ShopMiddleware = async (ctx, next) => {
  for (const { name } of matcher.match(ctx.path, ctx.method).pathAndMethod) {
    const access = routeAccess[name ?? ''] ?? 'staff';
    if (access === 'everyone') continue;
    if (access === 'signed in') await getUser(ctx);
    else await requireDuty(ctx, access);
  }
  return isForAuditors(`${ctx.method} ${ctx.path.slice(PREFIX.length)}`) ? next() : refuseAuditor(ctx, next);
};

/** Returns the matrix of routes and roles as a table in Markdown: `●` may call the route, `○` only for their own orders. */
export const describeAccess = (): string => {
  const header = ['route', 'visitor', 'user', ...staffRoles];
  const mayCall = (route: string, access: Access, column: string): boolean => {
    if (access !== 'everyone' && access !== 'signed in') return duties[access].some((role) => role === column);
    if (column === 'auditor') return isForAuditors(route);
    return access === 'everyone' || column !== 'visitor';
  };
  const readsAll = (route: string, column: string): boolean => {
    const toRead = ordersOfOthers[route];
    return toRead === undefined || duties[toRead].some((role) => role === column);
  };
  const rows = Object.entries(routeAccess).map(([route, access]) => [
    `\`${route}\``,
    ...header.slice(1).map((column) => (mayCall(route, access, column) ? (readsAll(route, column) ? '●' : '○') : '')),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};
