import type Router from '@koa/router';

import { getClientAddress, getOrigin, type ShopContext, type State } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';
import { parse } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import { ChangeEmailInput, ConfirmEmailInput, TakeBackInput } from '../inputs.ts';
import type { Limits } from '../limits/limits.ts';
import { getUser, signOut } from '../sessions/session.ts';
import type { ProveOwner } from '../sign-in/prove-owner.ts';
import { userView } from '../user.ts';
import type { EmailChange } from './email-change.ts';

type Deps = {
  readonly emailChange: EmailChange;
  readonly proveOwner: ProveOwner;
  readonly limits: Limits;
};

const ask =
  ({ emailChange, proveOwner, limits }: Deps) =>
  async (ctx: ShopContext) => {
    const { email, password } = parse(ChangeEmailInput, getBody(ctx));
    const { user } = await proveOwner(ctx, { password, toDo: 'to change your e-mail address' });
    await limits.spend('resend to an account', user.id, ctx);
    try {
      await emailChange.ask(user.id, email);
    } catch (error) {
      // Only this refusal tells nothing of other accounts.
      if (error instanceof HttpError && error.answer.code === 'otp_too_soon') await limits.giveBack('resend to an account', user.id);
      throw error;
    }
    ctx.body = { message: 'We have sent a 6-digit code to your new address' };
  };

const confirm =
  ({ emailChange, limits }: Deps) =>
  async (ctx: ShopContext) => {
    const { id } = await getUser(ctx);
    const { code } = parse(ConfirmEmailInput, getBody(ctx));
    await limits.spend('verify from an address', getClientAddress(ctx), ctx);
    ctx.body = userView(await emailChange.confirm(id, code, getOrigin(ctx)));
  };

const takeBack =
  ({ emailChange }: Deps) =>
  async (ctx: ShopContext) => {
    const { token } = parse(TakeBackInput, getBody(ctx));
    await emailChange.takeBack(token, getOrigin(ctx));
    // This browser may have the session of another user. The page shows it as signed out, so that session has to end too.
    await signOut(ctx);
    ctx.body = {
      message:
        'Your account has this address again. Every device is signed out, and the old password opens nothing. Please set a new one now.',
    };
  };

/**
 * Serves `POST /user/email {email, password}`: mails a code to the new address; 409 if it is taken, 403 `Wrong password`, 429 after ten an
 * hour; `/confirm {code}`: the user with the new address; and for the link mailed to the former address `/take-back {token}`: 400 when it is
 * used or older than 72 hours.
 */
export const emailChangeRoutes = (deps: Deps): Router<State> =>
  createRouter().post('/user/email', ask(deps)).post('/user/email/confirm', confirm(deps)).post('/user/email/take-back', takeBack(deps));
