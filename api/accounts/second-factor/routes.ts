import type Router from '@koa/router';

import { getOrigin, type ShopContext, type State } from '../../http/context.ts';
import { parse } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import { ConfirmTotpInput, RemoveTotpInput } from '../inputs.ts';
import type { Limits } from '../limits/limits.ts';
import { getUser } from '../sessions/session.ts';
import type { ProveOwner } from '../sign-in/prove-owner.ts';
import type { SecondFactor } from './second-factor.ts';

type Deps = { readonly secondFactor: SecondFactor; readonly proveOwner: ProveOwner; readonly limits: Limits };

/** Counts a guess at a code. A right one is taken back. */
const countGuess = async <Result>({ limits }: Deps, ctx: ShopContext, userId: string, guess: () => Promise<Result>): Promise<Result> => {
  await limits.spend('code of a user', userId, ctx);
  const result = await guess();
  await limits.giveBack('code of a user', userId);
  return result;
};

const confirm = (deps: Deps) => async (ctx: ShopContext) => {
  const { id } = await getUser(ctx);
  const { code } = parse(ConfirmTotpInput, getBody(ctx));
  const recoveryCodes = await countGuess(deps, ctx, id, () => deps.secondFactor.confirm(id, code, getOrigin(ctx)));
  ctx.body = { recoveryCodes };
};

const remove = (deps: Deps) => async (ctx: ShopContext) => {
  const { id } = await getUser(ctx);
  const { password, code } = parse(RemoveTotpInput, getBody(ctx));
  await deps.proveOwner(ctx, { password, toDo: 'to turn the second factor off' });
  await countGuess(deps, ctx, id, () => deps.secondFactor.remove(id, code, getOrigin(ctx)));
  ctx.body = { message: 'The second factor is off' };
};

/**
 * Serves `POST /user/totp/begin`: `{secret, otpauthUrl}`, 409 while active; `/confirm {code}`: `{recoveryCodes}`, which are shown this once;
 * `/remove {password, code}`: 403 `Wrong password`. Both are 401 `Wrong code` for a wrong or used code.
 */
export const secondFactorRoutes = (deps: Deps): Router<State> =>
  createRouter()
    .post('/user/totp/begin', async (ctx) => {
      ctx.body = await deps.secondFactor.begin((await getUser(ctx)).id);
    })
    .post('/user/totp/confirm', confirm(deps))
    .post('/user/totp/remove', remove(deps));
