import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { LineWithoutRoom } from '#domain/cart/events.ts';
import type { Actor, CommandMetadata } from '#domain/event-store.ts';
import { hasDuty, type Duty } from '#domain/staff/duties.ts';

import type { SecurityLog } from '../security-log.ts';
import { userSubject } from '../security-log.ts';
import { nameDevice } from './device-name.ts';
import type { Place, Session, Sessions } from './session-store.ts';
import { isAdmin, onlyReads, type User } from '../user.ts';
import { getOrigin, getRequestId, type ShopContext, type ShopMiddleware } from '../../http/context.ts';
import { answerFor } from '../../http/errors.ts';
import { HttpError } from '../../http/http-error.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { RequestMetadata } from '../../command-handler/execute.ts';

export type Shopper = { readonly kind: 'visitor' | 'user'; readonly id: string };

/** Moves a visitor's cart or orders to the user. If it throws, the sign-in fails. */
export type OnRecognised<Result = void> = (visitorId: string, userId: string, ctx: ShopContext) => Promise<Result>;

/** The lines of the visitor's cart that did not fit into the user's. */
export type LinesWithoutRoom = readonly LineWithoutRoom[];

/** The function is called at every sign-in, whether or not there was a visitor before. */
export type OnSignedIn = (visitorId: string | undefined, userId: string, ctx: ShopContext) => Promise<LinesWithoutRoom>;

type Parts = {
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly onSignedIn: OnSignedIn;
  readonly securityLog: SecurityLog;
};

/** A visit has the session of a request, which is looked up when it is first needed. */
type Visit = {
  readonly parts: Parts;
  current?: Promise<Session | undefined>;
  today?: Promise<Session | undefined>;
  /** This request opened a visitor's session with this token. */
  opened?: string;
};

const visits = new WeakMap<IncomingMessage, Visit>();

type Asking = Pick<ShopContext, 'req' | 'cookies' | 'ip'>;

const getPlace = ({ req, ip }: Asking): Place => ({ device: nameDevice(req.headers['user-agent']), address: ip });

/** Makes no query and sets no cookie unless a handler asks for the session. */
export const withSessions =
  (parts: Parts): ShopMiddleware =>
  async (ctx, next) => {
    const visit: Visit = { parts };
    visits.set(ctx.req, visit);
    const leaveOpened = () => {
      if (visit.opened === undefined) return;
      parts.cookies.leave(ctx, 'session', visit.opened);
      parts.cookies.leave(ctx, 'visitor', '1');
    };
    try {
      await next();
    } catch (error) {
      // After an outage the command may still be done, under a key that belongs to this session only once it was answered. Repeated without
      // a session, it belongs to another visitor.
      if (answerFor(error).status < 500) leaveOpened();
      throw error;
    }
    leaveOpened();
  };

const getVisit = ({ req }: Asking): Visit => {
  const visit = visits.get(req);
  if (!visit) throw new Error('A session was asked for before withSessions');
  return visit;
};

const look = ({ parts: { cookies, sessions } }: Visit, asking: Asking, today?: 'today'): Promise<Session | undefined> => {
  const token = cookies.read(asking, 'session');
  return token ? sessions.find(token, () => getPlace(asking), today) : Promise.resolve(undefined);
};

export const findSession = (asking: Asking): Promise<Session | undefined> => {
  const visit = getVisit(asking);
  visit.current ??= look(visit, asking);
  return visit.current;
};

/** Looks the session up again, for a response that lasts: it may have ended since the request began. */
export const findSessionNow = (ctx: ShopContext): Promise<Session | undefined> => look(getVisit(ctx), ctx);

export const shopperOfSession = ({ owner }: Session): Shopper =>
  owner.kind === 'user' ? { kind: 'user', id: owner.user.id } : { kind: 'visitor', id: owner.id };

/** Returns the shopper for queries, and sets no cookie. */
export const findShopper = async (ctx: ShopContext): Promise<Shopper | undefined> => {
  const session = await findSession(ctx);
  return session && shopperOfSession(session);
};

/** Returns the shopper for commands; makes a visitor with a session if there is none. */
export const getShopper = async (ctx: ShopContext): Promise<Shopper> => {
  const visit = getVisit(ctx);
  const known = await findSession(ctx);
  if (known) return shopperOfSession(known);
  const { token, session } = await visit.parts.sessions.openForVisitor();
  visit.current = Promise.resolve(session);
  visit.opened = token;
  return shopperOfSession(session);
};

export const userIfAny = async (asking: Asking): Promise<User | undefined> => {
  const session = await findSession(asking);
  return session?.owner.kind === 'user' ? session.owner.user : undefined;
};

const notSignedIn = (): HttpError => new HttpError({ status: 401, code: 'not_signed_in', message: 'Not signed in' });

/** Returns the signed-in user. Throws a 401 without one. */
export const getUser = async (ctx: ShopContext): Promise<User> => {
  const user = await userIfAny(ctx);
  if (!user) throw notSignedIn();
  return user;
};

/** Returns the user with the current permissions, even if another process changed them. */
export const userToday = (asking: Asking): Promise<User | undefined> => {
  const visit = getVisit(asking);
  visit.today ??= look(visit, asking, 'today');
  visit.current = visit.today;
  return userIfAny(asking);
};

export const getActor = async (ctx: ShopContext): Promise<Actor> => {
  const user = await userIfAny(ctx);
  if (user) return { kind: isAdmin(user) ? 'admin' : 'user', id: user.id };
  const { id } = await getShopper(ctx);
  return { kind: 'visitor', id };
};

/** Updates the cookie whenever permissions were looked up, since they may change during a session. */
export const noteStaff = (ctx: ShopContext, user: User | undefined): void => {
  const { cookies } = getVisit(ctx).parts;
  const isMarked = cookies.read(ctx, 'staff') !== undefined;
  const isStaff = user !== undefined && isAdmin(user);
  if (isStaff && !isMarked) cookies.leave(ctx, 'staff', '1');
  if (!isStaff && isMarked) cookies.clear(ctx, 'staff');
};

/** Throws a 403, which is recorded. */
export const refuseRight = (ctx: ShopContext, { id }: User, right: Duty, message = 'You are not authorised to do this'): never => {
  const { securityLog } = getVisit(ctx).parts;
  securityLog.record({ kind: 'right_refused', subject: userSubject(id), ...getOrigin(ctx), detail: { right, path: ctx.path } });
  throw new HttpError({ status: 403, code: 'not_allowed', message });
};

/** Throws a 401 or 403. Roles are read for every call, so that taking one takes effect immediately in all processes. */
export const requireDuty = async (ctx: ShopContext, duty: Duty): Promise<void> => {
  const user = await userToday(ctx);
  if (!user) throw notSignedIn();
  noteStaff(ctx, user);
  if (!hasDuty(user.roles, duty)) refuseRight(ctx, user, duty);
};

/** Returns whether the user has the duty now, where others get another answer instead of a refusal. */
export const hasDutyToday = async (asking: Asking, duty: Duty): Promise<boolean> => hasDuty((await userToday(asking))?.roles ?? [], duty);

export type SignInKind = 'password' | 'code' | 'third party' | 'invitation';
/** The code that a sign-in with a second factor used. */
export type SecondFactorCode = 'totp' | 'recovery code';

/**
 * Gives the visitor's cart, wishlist and orders to the user, unless the user only reads. The browser gets a new token, because an attacker may
 * know the former one.
 */
export const signIn = async (ctx: ShopContext, user: User, how: SignInKind, code?: SecondFactorCode): Promise<LinesWithoutRoom> => {
  const visit = getVisit(ctx);
  const { sessions, cookies, onSignedIn, securityLog } = visit.parts;
  const before = await findSession(ctx);
  const visitorId = before?.owner.kind === 'visitor' && !onlyReads(user) ? before.owner.id : undefined;
  const noRoomFor = await onSignedIn(visitorId, user.id, ctx);
  const { token, session } = await sessions.openForUser(user, before, getPlace(ctx));
  visit.current = Promise.resolve(session);
  delete visit.opened;
  cookies.leave(ctx, 'session', token);
  cookies.leave(ctx, 'hint', '1');
  noteStaff(ctx, user);
  const secondFactor = user.hasSecondFactor && { secondFactor: true };
  const detail = { how, ...secondFactor, ...(code === 'recovery code' && { recoveryCode: true }) };
  securityLog.record({ kind: 'signed_in', subject: userSubject(user.id), address: ctx.ip, requestId: getRequestId(ctx), detail });
  return noRoomFor;
};

/** Ends a user's session. A visitor's session stays. */
export const signOut = async (ctx: ShopContext): Promise<void> => {
  const visit = getVisit(ctx);
  const session = await findSession(ctx);
  const { sessions, cookies } = visit.parts;
  if (session?.owner.kind === 'user') await sessions.end(session);
  // This runs for an ended session too: the response that cleared the cookies may have been lost.
  if (session?.owner.kind !== 'visitor') {
    visit.current = Promise.resolve(undefined);
    delete visit.opened;
    cookies.clear(ctx, 'session');
    cookies.clear(ctx, 'visitor');
  }
  cookies.clear(ctx, 'hint');
  noteStaff(ctx, undefined);
};

export const commandMetadata = async (ctx: ShopContext, actor?: CommandMetadata['actor']): Promise<RequestMetadata> => ({
  commandId: ctx.state.command?.id ?? randomUUID(),
  correlationId: getRequestId(ctx),
  causationId: getRequestId(ctx),
  actor: actor ?? (await getActor(ctx)),
  ...(ctx.state.command && { isRepeated: ctx.state.command.isRepeated }),
});
