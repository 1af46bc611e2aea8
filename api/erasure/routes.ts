import { Readable } from 'node:stream';
import Router from '@koa/router';
import { z } from 'zod';

import { order } from '#domain/order/order.ts';
import { orderStream } from '#domain/order/order-stream.ts';
import { papers } from '#projections/invoices/projector.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { AccountDeps } from '../accounts/routes.ts';
import { userSubject } from '../accounts/security-log.ts';
import type { Account } from '../accounts/sign-in/sign-in.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { requireReadModel } from '../http/require-read-model.ts';
import { fromOf, type ShopContext, type State } from '../http/context.ts';
import { fresh, readModel } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { invalid, HttpError } from '../http/http-error.ts';
import { adminOnly, sessionOf, shopperIfKnown, signedIn, signOut, userOf } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import { requireOrder, orderIdIn, orderNotFound } from '../orders/order-commands.ts';
import { exportOf, type ExportParts } from './export.ts';
import type { Erasing } from './open-erasure.ts';

/** In ms. Somebody else may use an open browser: only a recent sign-in proves who it is. */
const RECENT = 15 * 60_000;

/** Throws a 403 that asks for a new sign-in. */
const requireRecentSignIn = async (ctx: ShopContext, now: Date, toDo: string): Promise<void> => {
  const session = await sessionOf(ctx);
  if (session && now.getTime() - session.begunAt.getTime() <= RECENT) return;
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
  const user = await userOf(ctx);
  await requireRecentSignIn(ctx, new Date(deps.now()), 'to download your data');
  await deps.limits.spend('export of a user', user.id, ctx);
  deps.securityLog.record({ kind: 'exported', subject: userSubject(user.id), ...fromOf(ctx) });
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${FILE}"`);
  ctx.body = Readable.from(exportOf(deps, user), { objectMode: false });
};

/** Longer than passwords are: a long wrong one is refused as wrong, not as invalid. */
const EraseInput = z.object({ password: z.string().max(1_024).optional() });

const wrongPassword = () => new HttpError({ status: 403, code: 'wrong_password', message: 'Wrong password' });
const runsTheShop = () =>
  new HttpError({ status: 409, code: 'account_with_rights', message: 'This account belongs to the staff and cannot be erased here' });

/** A user without a password, who signs in through a third party, must have signed in recently. */
const prove = async (ctx: ShopContext, deps: ErasureRoutesDeps, { user, passwordHash }: Account): Promise<void> => {
  if (passwordHash === null) return requireRecentSignIn(ctx, new Date(deps.now()), 'to erase your account');
  const { password } = parse(EraseInput, bodyOf(ctx));
  if (password === undefined || password === '') throw invalid('Please correct the marked fields', { password: 'Required' });
  if (await deps.passwords.matches(password, passwordHash)) return;
  deps.securityLog.record({ kind: 'login_failed', subject: userSubject(user.id), ...fromOf(ctx), detail: { how: 'erasure' } });
  throw wrongPassword();
};

const eraseMe = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { id, email } = await userOf(ctx);
  await deps.limits.spend('erase of a user', id, ctx);
  // Normalised when the account was created.
  const account = await deps.accountOf(email as EmailAddress);
  if (!account || account.user.id !== id) throw wrongPassword();
  await prove(ctx, deps, account);
  if (account.user.isAdmin || account.user.isAuditor) throw runsTheShop();
  const outcome = await deps.erasing.erase(id, fromOf(ctx));
  await signOut(ctx);
  for (const cookie of ['device', 'registration', 'attempt'] as const) deps.cookies.clear(ctx, cookie);
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: outcome === 'erased' ? ERASED : UNDER_WAY };
};

const ownerOf = async (ctx: ShopContext, { load }: ErasureRoutesDeps): Promise<string> =>
  requireOrder((await load(order, orderStream(orderIdIn(ctx)))).state).shopper;

const eraseGuest = async (deps: ErasureRoutesDeps, ctx: ShopContext, guest: string, admin?: string): Promise<void> => {
  const wish = { from: fromOf(ctx), ...(admin !== undefined && { admin }) };
  const whose = admin === undefined ? 'Your personal data' : 'The personal data of this guest';
  const outcome = await deps.erasing.eraseVisitor(guest, wish);
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: `${whose} are ${outcome === 'erased' ? 'erased' : 'being erased, which may take a few minutes'}` };
};

const eraseMyOrders = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const shopper = await shopperIfKnown(ctx);
  if (!shopper || shopper.id !== (await ownerOf(ctx, deps))) throw orderNotFound();
  await deps.limits.spend('erase of a user', shopper.id, ctx);
  await eraseGuest(deps, ctx, shopper.id);
};

const eraseByStaff = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { id } = await userOf(ctx);
  await eraseGuest(deps, ctx, await ownerOf(ctx, deps), id);
};

const ERASED = 'Your account and your data are erased';
const UNDER_WAY = 'Your account is closed. Your data are being erased, which may take a few minutes';

/**
 * `GET /user/export`: the user's data as a JSON file; within 15 minutes of a sign-in, else 403 `sign_in_again`, and at most five times an
 * hour. `POST /user/erase {password}`: erases the account; 403 `Wrong password`. An account without a password (third-party sign-in) needs
 * a sign-in within 15 minutes instead. 202 if it could not be finished at once; it will be.
 * `POST /order/erase/:id`: erases a guest's personal data in this order and all others from this browser, and ends its session. `POST
 * /admin/order/:id/erase`: the same by staff. 409 `order_is_open` while one of these orders needs its address, 409 `has_account` if the
 * order belongs to an account.
 */
export const erasureRoutes = (deps: ErasureRoutesDeps): Router<State> => {
  const current = fresh(readModel(deps.progress, myOrders.name), ['order', 'payment']);
  const built = [myOrders, papers].map(({ name }) => requireReadModel(deps.progress, name));
  return new Router<State>()
    .get('/user/export', signedIn, ...built, current, sendExport(deps))
    .post('/user/erase', eraseMe(deps))
    .post('/order/erase/:id', eraseMyOrders(deps))
    .post('/admin/order/:id/erase', adminOnly, eraseByStaff(deps));
};
