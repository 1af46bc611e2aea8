import { Readable } from 'node:stream';
import type Router from '@koa/router';
import { z } from 'zod';

import { order, orderStream } from '#domain/order/order.ts';
import { taxDocuments } from '#projections/invoices/projector.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { AccountDeps } from '../accounts/routes.ts';
import { userSubject } from '../accounts/security-log.ts';
import type { Account } from '../accounts/sign-in/sign-in.ts';
import { getOrigin, type ShopContext, type State } from '../http/context.ts';
import { requireReadModel, waitForReadModel, readModel } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { invalid, HttpError } from '../http/http-error.ts';
import { createRouter } from '../http/router.ts';
import { adminOnly, findSession, findShopper, requireSignIn, signOut, getUser } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import { requireOrder, parseOrderId, orderNotFound } from '../orders/order-commands.ts';
import { writeExport, type ExportParts } from './export.ts';
import type { Erasing } from './open-erasure.ts';

/** Somebody else may use an open browser: only a recent sign-in proves who it is. */
const RECENT_MS = 15 * 60_000;

/** Throws a 403 that asks for a new sign-in. */
const requireRecentSignIn = async (ctx: ShopContext, now: Date, toDo: string): Promise<void> => {
  const session = await findSession(ctx);
  if (session && now.getTime() - session.begunAt.getTime() <= RECENT_MS) return;
  throw new HttpError({
    status: 403,
    code: 'sign_in_again',
    message: `Please sign in again ${toDo}: your last sign-in is more than 15 minutes ago`,
  });
};

export type ErasureRoutesDeps = Pick<AccountDeps, 'accountOf' | 'passwords' | 'limits' | 'securityLog' | 'cookies'> &
  Omit<ExportParts, 'now'> &
  Pick<Shop, 'now' | 'load'> & {
    readonly erasing: Pick<Erasing, 'erase' | 'eraseVisitor'>;
    readonly progress: Progress;
  };

const FILE = 'ruhani-my-data.json';

const sendExport = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const user = await getUser(ctx);
  await requireRecentSignIn(ctx, new Date(deps.now()), 'to download your data');
  await deps.limits.spend('export of a user', user.id, ctx);
  deps.securityLog.record({ kind: 'exported', subject: userSubject(user.id), ...getOrigin(ctx) });
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${FILE}"`);
  ctx.body = Readable.from(writeExport(deps, user), { objectMode: false });
};

/** Passwords are shorter: a long wrong password is refused as wrong instead of invalid. */
const EraseInput = z.object({ password: z.string().max(1_024).optional() });

const wrongPassword = () => new HttpError({ status: 403, code: 'wrong_password', message: 'Wrong password' });
const runsTheShop = () =>
  new HttpError({ status: 409, code: 'account_with_rights', message: 'This account belongs to the staff and cannot be erased here' });

/** A user without a password, who signs in through a third party, must have signed in recently. */
const prove = async (ctx: ShopContext, deps: ErasureRoutesDeps, { user, passwordHash }: Account): Promise<void> => {
  if (passwordHash === null) return requireRecentSignIn(ctx, new Date(deps.now()), 'to erase your account');
  const { password } = parse(EraseInput, getBody(ctx));
  if (password === undefined || password === '') throw invalid('Please correct the marked fields', { password: 'Required' });
  if (await deps.passwords.matches(password, passwordHash)) return;
  deps.securityLog.record({ kind: 'login_failed', subject: userSubject(user.id), ...getOrigin(ctx), detail: { how: 'erasure' } });
  throw wrongPassword();
};

const eraseMe = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { id, email } = await getUser(ctx);
  await deps.limits.spend('erase of a user', id, ctx);
  const account = await deps.accountOf(email);
  if (!account || account.user.id !== id) throw wrongPassword();
  await prove(ctx, deps, account);
  if (account.user.isAdmin || account.user.isAuditor) throw runsTheShop();
  const outcome = await deps.erasing.erase(id, getOrigin(ctx));
  await signOut(ctx);
  for (const cookie of ['device', 'registration', 'attempt'] as const) deps.cookies.clear(ctx, cookie);
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: outcome === 'erased' ? ERASED : UNDER_WAY };
};

const getOwner = async (ctx: ShopContext, { load }: ErasureRoutesDeps): Promise<string> =>
  requireOrder((await load(order, orderStream(parseOrderId(ctx)))).state).shopper;

const eraseGuest = async (deps: ErasureRoutesDeps, ctx: ShopContext, guest: string, admin?: string): Promise<void> => {
  const wish = { from: getOrigin(ctx), ...(admin !== undefined && { admin }) };
  const whose = admin === undefined ? 'Your personal data' : 'The personal data of this guest';
  const outcome = await deps.erasing.eraseVisitor(guest, wish);
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: `${whose} are ${outcome === 'erased' ? 'erased' : 'being erased, which may take a few minutes'}` };
};

const eraseMyOrders = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const shopper = await findShopper(ctx);
  if (!shopper || shopper.id !== (await getOwner(ctx, deps))) throw orderNotFound();
  await deps.limits.spend('erase of a user', shopper.id, ctx);
  await eraseGuest(deps, ctx, shopper.id);
};

const eraseByStaff = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { id } = await getUser(ctx);
  await eraseGuest(deps, ctx, await getOwner(ctx, deps), id);
};

const ERASED = 'Your account and your data are erased';
const UNDER_WAY = 'Your account is closed. Your data are being erased, which may take a few minutes';

/**
 * Serves `GET /user/export`: the user's data as a JSON file, within 15 minutes of a sign-in (else 403 `sign_in_again`) and at most five
 * times an hour. `POST /user/erase {password}`: erases the account; 403 `Wrong password`. An account without a password (third-party
 * sign-in) needs a sign-in within 15 minutes instead. The answer is 202 if it could not be finished immediately; it will be finished later.
 * `POST /order/erase/:id`: erases a guest's personal data in this order and all others from this browser, and ends its session. `POST
 * /admin/order/:id/erase` does the same for staff. All three answer 409 `order_is_open` while a parcel is on its way, and change nothing then; 409 `has_account` if
 * the order belongs to an account.
 */
export const erasureRoutes = (deps: ErasureRoutesDeps): Router<State> => {
  const current = waitForReadModel(readModel(deps.progress, myOrders.name), ['order', 'payment']);
  const built = [myOrders, taxDocuments].map(({ name }) => requireReadModel(deps.progress, name));
  return createRouter()
    .get('/user/export', requireSignIn, ...built, current, sendExport(deps))
    .post('/user/erase', eraseMe(deps))
    .post('/order/erase/:id', eraseMyOrders(deps))
    .post('/admin/order/:id/erase', adminOnly, eraseByStaff(deps));
};
