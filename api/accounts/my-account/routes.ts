import type Router from '@koa/router';

import { getOrigin, type ShopContext, type State } from '../../http/context.ts';
import { notFound } from '../../http/http-error.ts';
import { parse } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import { ChangePasswordInput, ProfileInput } from '../inputs.ts';
import { userSubject, type SecurityLog } from '../security-log.ts';
import { findSession, getUser, signOut } from '../sessions/session.ts';
import type { Sessions } from '../sessions/session-store.ts';
import type { ProveOwner } from '../sign-in/prove-owner.ts';
import { userView } from '../user.ts';
import type { MyAccount } from './my-account.ts';

type Deps = {
  readonly myAccount: MyAccount;
  readonly proveOwner: ProveOwner;
  readonly securityLog: SecurityLog;
  readonly sessions: Sessions;
};

const changePassword =
  ({ myAccount, proveOwner }: Deps) =>
  async (ctx: ShopContext) => {
    const { current, password } = parse(ChangePasswordInput, getBody(ctx));
    const account = await proveOwner(ctx, { password: current, toDo: 'to change your password', field: 'current' });
    await myAccount.changePassword(account, password, await findSession(ctx), getOrigin(ctx));
    ctx.body = { message: 'Your password is changed. Your other devices are signed out.' };
  };

const listSessions =
  ({ sessions }: Deps) =>
  async (ctx: ShopContext) => {
    const [user, session] = [await getUser(ctx), await findSession(ctx)];
    const listed = await sessions.list(user);
    ctx.body = { sessions: listed.map((each) => ({ ...each, current: each._id === session?.id })) };
  };

const isSessionId = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const endSession =
  ({ sessions, securityLog }: Deps) =>
  async (ctx: ShopContext) => {
    const user = await getUser(ctx);
    const { id }: Record<string, string> = ctx['params'];
    const isCurrent = (await findSession(ctx))?.id === id;
    if (!isSessionId(id) || !(await sessions.endOne(user.id, id))) throw notFound('There is no such session');
    securityLog.record({ kind: 'session_ended', subject: userSubject(user.id), ...getOrigin(ctx) });
    if (isCurrent) await signOut(ctx);
    ctx.body = { message: 'That device is signed out' };
  };

/**
 * Serves `GET /user/account` (`AccountView`), `PUT /user/profile {name, phone}`: the user, `PUT /user/password {current, password,
 * confirm_password}`: 403 `Wrong password`, ends the other sessions; `GET /user/sessions` and `DELETE /user/sessions/:id`: 404 for another's.
 */
export const myAccountRoutes = (deps: Deps): Router<State> =>
  createRouter()
    .get('/user/account', async (ctx) => {
      ctx.body = await deps.myAccount.read((await getUser(ctx)).id);
    })
    .put('/user/profile', async (ctx) => {
      const { id } = await getUser(ctx);
      ctx.body = userView(await deps.myAccount.changeProfile(id, parse(ProfileInput, getBody(ctx))));
    })
    .put('/user/password', changePassword(deps))
    .get('/user/sessions', listSessions(deps))
    .delete('/user/sessions/:id', endSession(deps));
