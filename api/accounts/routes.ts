import type Router from '@koa/router';

import { getClientAddress, getOrigin, type ShopContext, type State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import type { Limits } from './limits/limits.ts';
import { HttpError, unavailable } from '../http/http-error.ts';
import { createRouter } from '../http/router.ts';
import type { SessionCookies } from './sessions/session-cookies.ts';
import {
  type LinesWithoutRoom,
  type SecondFactorCode,
  type SignInKind,
  noteStaff,
  signIn,
  signOut,
  userToday,
  getUser,
} from './sessions/session.ts';
import type { IdTokens } from './sign-in/id-tokens.ts';
import { ForgotInput, GoogleInput, LoginInput, LoginTotpInput, RegisterInput, ResendInput, ResetInput, VerifyInput } from './inputs.ts';
import type { BrowserOfIdentity } from './sign-in/identities.ts';
import type { KnownDevices } from './sign-in/known-devices.ts';
import type { PasswordReset } from './sign-in/password-reset.ts';
import type { ProveOwner } from './sign-in/prove-owner.ts';
import type { MyAccount } from './my-account/my-account.ts';
import { myAccountRoutes } from './my-account/routes.ts';
import type { EmailChange } from './email-change/email-change.ts';
import { emailChangeRoutes } from './email-change/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { Sessions } from './sessions/session-store.ts';
import { userSubject, type From, type SecurityLog } from './security-log.ts';
import type { Account } from './sign-in/sign-in.ts';
import type { Registration, SignUp } from './sign-in/sign-up.ts';
import { isToken, newToken, createNonce } from './sessions/tokens.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { userView, type User } from './user.ts';

export type AccountDeps = {
  readonly signUp: SignUp;
  readonly accountOf: (email: EmailAddress) => Promise<Account | undefined>;
  readonly logIn: (email: EmailAddress, account: Account | undefined, password: string, from: From) => Promise<User>;
  readonly passwordReset: PasswordReset;
  readonly proveOwner: ProveOwner;
  readonly myAccount: MyAccount;
  readonly secondFactor: SecondFactor;
  readonly emailChange: EmailChange;
  readonly sessions: Sessions;
  readonly idTokens: IdTokens | undefined;
  /** The client id is not secret. */
  readonly googleClientId: string | null;
  readonly enter: (claims: Awaited<ReturnType<IdTokens['verify']>>, browser: BrowserOfIdentity, from: From) => Promise<User>;
  readonly devices: KnownDevices;
  readonly cookies: SessionCookies;
  readonly limits: Limits;
  readonly securityLog: SecurityLog;
};

const readRegistration = ({ cookies }: AccountDeps, ctx: ShopContext): Registration | undefined => {
  const [userId, registration] = cookies.read(ctx, 'registration')?.split('.') ?? [];
  return userId && registration ? { userId, registration } : undefined;
};
const leaveRegistration = ({ cookies }: AccountDeps, ctx: ShopContext, { userId, registration }: Registration): void =>
  cookies.leave(ctx, 'registration', `${userId}.${registration}`);

type Entered = { readonly user: ReturnType<typeof userView>; readonly noRoomFor?: LinesWithoutRoom };
type CodeRequired = { readonly totpRequired: true; readonly loginToken: string };

/** Opens the session, and marks this browser as known to the account. `noRoomFor` has the lines of the visitor's cart that did not fit. */
export const openSession = async (
  { cookies, devices }: Pick<AccountDeps, 'cookies' | 'devices'>,
  ctx: ShopContext,
  user: User,
  how: SignInKind,
  code?: SecondFactorCode,
): Promise<Entered> => {
  const noRoomFor = await signIn(ctx, user, how, code);
  cookies.leave(ctx, 'device', devices.mark(user.id));
  return { user: userView(user), ...(noRoomFor.length > 0 && { noRoomFor }) };
};

/** Every sign-in passes through here: an account with a second factor gets no session before its code. */
const enterOn = async (deps: AccountDeps, ctx: ShopContext, user: User, how: SignInKind): Promise<Entered | CodeRequired> =>
  user.hasSecondFactor ? { totpRequired: true, loginToken: await deps.secondFactor.wait(user, how) } : openSession(deps, ctx, user, how);

const withMessage = (entered: Entered | CodeRequired) => ('user' in entered ? { ...entered, message: 'Signed in' } : entered);

/** Counts an attempt for account and network address. The returned function takes it back after the right password. */
const countLogin = async ({ limits, devices, cookies }: AccountDeps, ctx: ShopContext, email: EmailAddress, userId: string | undefined) => {
  await limits.spend('login from an address', getClientAddress(ctx), ctx);
  const device = userId && devices.read(userId, cookies.read(ctx, 'device'));
  const count = device
    ? ({ name: 'login on a known device', of: `${userId}:${device}` } as const)
    : ({ name: 'login of an account', of: email } as const);
  await limits.spend(count.name, count.of, ctx);
  return () => limits.giveBack(count.name, count.of);
};

const register = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { name, email, phone, password } = parse(RegisterInput, getBody(ctx));
  await deps.limits.spend('register from an address', getClientAddress(ctx), ctx);
  await deps.limits.spend('register of an account', email, ctx);
  const registered = await deps.signUp.register({ name, email, phone, password });
  leaveRegistration(deps, ctx, registered);
  ctx.status = 201;
  ctx.body = { userId: registered.userId, message: 'We have sent a 6-digit code to your email' };
};

const verifyCode = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { userId, otp } = parse(VerifyInput, getBody(ctx));
  await deps.limits.spend('verify from an address', getClientAddress(ctx), ctx);
  const user = await deps.signUp.verify(userId, otp, readRegistration(deps, ctx), getOrigin(ctx));
  const entered = await enterOn(deps, ctx, user, 'code');
  deps.cookies.clear(ctx, 'registration');
  if (!('user' in entered)) return void (ctx.body = entered);
  const { user: view, ...merged } = entered;
  ctx.body = { ...view, ...merged };
};

const resendCode = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { userId } = parse(ResendInput, getBody(ctx));
  await deps.limits.spend('resend to an account', userId, ctx);
  try {
    await deps.signUp.resend(userId);
  } catch (error) {
    // It was too early: nothing was sent, so it does not count.
    await deps.limits.giveBack('resend to an account', userId);
    throw error;
  }
  ctx.body = { message: 'We have sent a new code to your email' };
};

const logIn = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { email, password } = parse(LoginInput, getBody(ctx));
  const account = await deps.accountOf(email);
  const takeBack = await countLogin(deps, ctx, email, account?.user.id);
  try {
    const user = await deps.logIn(email, account, password, getOrigin(ctx));
    await takeBack();
    ctx.body = withMessage(await enterOn(deps, ctx, user, 'password'));
  } catch (error) {
    // The password was right, so the registration may be continued in any browser.
    if (account && error instanceof HttpError && error.answer.code === 'email_not_verified')
      leaveRegistration(deps, ctx, { userId: account.user.id, registration: account.user.registration });
    throw error;
  }
};

/** Wrong codes count as attempts to log in, right ones as none. */
const logInWithCode = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { loginToken, code } = parse(LoginTotpInput, getBody(ctx));
  const { user, how, isLast } = await deps.secondFactor.takeTry(loginToken);
  const takeBack = await countLogin(deps, ctx, user.email, user.id);
  let used: SecondFactorCode;
  try {
    used = await deps.secondFactor.finish(loginToken, user, code);
  } catch (error) {
    const event = { subject: userSubject(user.id), ...getOrigin(ctx), detail: { how: 'second factor' } };
    deps.securityLog.record({ kind: isLast ? 'code_burnt' : 'login_failed', ...event });
    throw error;
  }
  await takeBack();
  await deps.limits.giveBack('login from an address', getClientAddress(ctx));
  ctx.body = withMessage(await openSession(deps, ctx, user, how, used));
};

const forgotPassword = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { email } = parse(ForgotInput, getBody(ctx));
  await deps.limits.spend('forgot-password from an address', getClientAddress(ctx), ctx);
  await deps.limits.spend('forgot-password of an account', email, ctx);
  await deps.passwordReset.ask(email, getOrigin(ctx));
  ctx.body = { message: 'If there is an account with this address, a link to set a new password is on its way' };
};

const resetPassword = (deps: AccountDeps) => async (ctx: ShopContext) => {
  const { token, password } = parse(ResetInput, getBody(ctx));
  const userId = await deps.passwordReset.set(token, password, getOrigin(ctx));
  // The mail has proven who owns the account: the browser is known again, even if strangers' guesses had locked the account.
  deps.cookies.leave(ctx, 'device', deps.devices.mark(userId));
  // This browser may have the session of another user. The page shows it as signed out, so that session has to end too.
  await signOut(ctx);
  ctx.body = { message: 'Your password is changed. Please sign in.' };
};

/** Reads the attempt, which the tabs of this browser share. */
const readAttempt = ({ cookies }: AccountDeps, ctx: ShopContext): string | undefined => {
  const attempt = cookies.read(ctx, 'attempt');
  return attempt !== undefined && isToken(attempt) ? attempt : undefined;
};

const signInOptions = (deps: AccountDeps) => (ctx: ShopContext) => {
  const { googleClientId, cookies } = deps;
  ctx.body = { googleClientId };
  if (googleClientId === null) return;
  const attempt = readAttempt(deps, ctx) ?? newToken();
  cookies.leave(ctx, 'attempt', attempt);
  ctx.body = { googleClientId, googleNonce: createNonce(attempt) };
};

const googleLogin = (deps: AccountDeps) => async (ctx: ShopContext) => {
  if (!deps.idTokens) throw unavailable('Google login is not set up in this shop');
  const { token, join } = parse(GoogleInput, getBody(ctx));
  if (join) await getUser(ctx);
  await deps.limits.spend('login from an address', getClientAddress(ctx), ctx);
  const attempt = readAttempt(deps, ctx);
  try {
    const claims = await deps.idTokens.verify(token, attempt && createNonce(attempt));
    const user = await deps.enter(claims, { signedInAs: (await userToday(ctx))?.id, joins: join }, getOrigin(ctx));
    ctx.body = withMessage(await enterOn(deps, ctx, user, 'third party'));
    deps.cookies.clear(ctx, 'attempt');
  } catch (error) {
    if (error instanceof HttpError && error.answer.status === 401)
      deps.securityLog.record({ kind: 'login_failed', ...getOrigin(ctx), detail: { how: 'third party', code: error.answer.code } });
    throw error;
  }
};

const fetchUser =
  ({ cookies }: AccountDeps) =>
  async (ctx: ShopContext) => {
    // Another process may have changed the user within the last half second.
    const user = await userToday(ctx);
    noteStaff(ctx, user);
    // The session has ended: without this cookie the page does not ask again.
    if (!user && cookies.read(ctx, 'hint')) cookies.clear(ctx, 'hint');
    ctx.body = userView(await getUser(ctx));
  };

export const accountRoutes = (deps: AccountDeps): Router<State> =>
  createRouter()
    .get('/user/fetch-user', fetchUser(deps))
    .get('/user/sign-in-options', signInOptions(deps))
    .post('/user/register', register(deps))
    .post('/user/verify-otp', verifyCode(deps))
    .post('/user/resend-otp', resendCode(deps))
    .post('/user/login', logIn(deps))
    .post('/user/logout', async (ctx) => {
      await signOut(ctx);
      ctx.body = { message: 'Signed out' };
    })
    .post('/user/forgot-password', forgotPassword(deps))
    .post('/user/reset-password', resetPassword(deps))
    .post('/user/google-login', googleLogin(deps))
    .post('/user/login-totp', logInWithCode(deps))
    .use(secondFactorRoutes(deps).routes())
    .use(emailChangeRoutes(deps).routes())
    .use(myAccountRoutes(deps).routes());
