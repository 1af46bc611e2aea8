import { Readable } from 'node:stream';
import type Router from '@koa/router';
import { z } from 'zod';

import { taxDocuments } from '#projections/invoices/projector.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { AccountDeps } from '../accounts/routes.ts';
import { userSubject } from '../accounts/security-log.ts';
import { requireRecentSignIn } from '../accounts/sign-in/prove-owner.ts';
import { getOrigin, type ShopContext, type State } from '../http/context.ts';
import { requireReadModel, waitForReadModel, readModel } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { signOut, getUser } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import { reachOrder, type AccessDeps } from '../orders/order-access.ts';
import { orderNotFound } from '../orders/order-commands.ts';
import { findExportSubject, writeExport, type ExportParts, type ExportSubject } from './export.ts';
import type { Erasing } from './open-erasure.ts';

export type ErasureRoutesDeps = Pick<AccountDeps, 'proveOwner' | 'limits' | 'securityLog' | 'cookies'> &
  Omit<ExportParts, 'now'> &
  Pick<Shop, 'now'> &
  AccessDeps & {
    readonly erasing: Pick<Erasing, 'erase' | 'eraseGuest'>;
    readonly progress: Progress;
  };

const FILE = 'ruhani-my-data.json';

/** Sends the export as a file of this name. It is a stream, so that it is not kept for an `Idempotency-Key`. */
export const sendExport = (ctx: ShopContext, parts: ExportParts, of: ExportSubject, name: string): void => {
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.body = Readable.from(writeExport(parts, of), { objectMode: false });
};

const exportMine = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const user = await getUser(ctx);
  await requireRecentSignIn(ctx, new Date(deps.now()), 'to download your data');
  await deps.limits.spend('export of a user', user.id, ctx);
  deps.securityLog.record({ kind: 'exported', subject: userSubject(user.id), ...getOrigin(ctx) });
  sendExport(ctx, deps, await findExportSubject(deps, user), FILE);
};

/** Passwords are shorter: a long wrong password is refused as wrong instead of invalid. */
const EraseInput = z.object({ password: z.string().max(1_024).optional() });

const eraseMe = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { password } = parse(EraseInput, getBody(ctx));
  const { user } = await deps.proveOwner(ctx, { password, toDo: 'to erase your account' });
  const outcome = await deps.erasing.erase(user.id, { from: getOrigin(ctx), who: { by: 'user' } });
  await signOut(ctx);
  for (const cookie of ['device', 'registration', 'attempt'] as const) deps.cookies.clear(ctx, cookie);
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: outcome === 'erased' ? ERASED : UNDER_WAY };
};

const eraseMyOrders = (deps: ErasureRoutesDeps) => async (ctx: ShopContext) => {
  const { state, access } = await reachOrder(ctx, deps);
  // Whoever only has the link of one order may not erase the others of its shopper.
  if (access !== 'shopper') throw orderNotFound();
  await deps.limits.spend('erase of a guest', state.shopper, ctx);
  const outcome = await deps.erasing.eraseGuest({ visitors: [state.shopper] }, { from: getOrigin(ctx), who: { by: 'guest' } });
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: `Your personal data are ${outcome === 'erased' ? 'erased' : 'being erased, which may take a few minutes'}` };
};

const ERASED = 'Your account and your data are erased';
const UNDER_WAY = 'Your account is closed. Your data are being erased, which may take a few minutes';

/**
 * Serves `GET /user/export`: the user's data as a JSON file, within 15 minutes of a sign-in (else 403 `sign_in_again`) and at most five
 * times an hour. `POST /user/erase {password}`: erases the account; 403 `Wrong password`. An account without a password (third-party
 * sign-in) needs a sign-in within 15 minutes instead. The answer is 202 if it could not be finished immediately; it will be finished later.
 * `POST /order/erase/:id`: erases a guest's personal data in this order and all others from this browser, and ends its session; 409
 * `has_account` if the order belongs to an account. Both erasures answer 409 `order_is_open` while a parcel is on its way, and change nothing then.
 */
export const erasureRoutes = (deps: ErasureRoutesDeps): Router<State> => {
  const current = waitForReadModel(readModel(deps.progress, myOrders.name), ['order', 'payment']);
  const built = [myOrders, taxDocuments].map(({ name }) => requireReadModel(deps.progress, name));
  return createRouter()
    .get('/user/export', ...built, current, exportMine(deps))
    .post('/user/erase', eraseMe(deps))
    .post('/order/erase/:id', eraseMyOrders(deps));
};
