import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Actor, CommandMetadata } from '#domain/event-store.ts';

import type { SecurityLog } from '../security-log.ts';
import { userSubject } from '../security-log.ts';
import type { Session, Sessions } from './session-store.ts';
import type { User } from '../user.ts';
import { requestIdOf, type ShopContext, type ShopMiddleware } from '../../http/context.ts';
import { HttpError } from '../../http/http-error.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { RequestMetadata } from '../../command-handler/execute.ts';

/** A visitor, known by a session only, or a signed-in user. */
export type Shopper = { readonly kind: 'visitor' | 'user'; readonly id: string };

/** Moves the cart and orders of a visitor to the user at sign-in. When it throws, the sign-in fails and nothing is lost. */
export type OnRecognised = (visitorId: string, userId: string, ctx: ShopContext) => Promise<void>;

/** Runs at every sign-in, with or without a visitor before it. Throws as `OnRecognised` does. */
export type OnSignedIn = (visitorId: string | undefined, userId: string, ctx: ShopContext) => Promise<void>;

type Parts = {
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly onSignedIn: OnSignedIn;
  readonly securityLog: SecurityLog;
};

/** The session of one request: looked up when it is first asked for, once. */
type Visit = { readonly parts: Parts; current?: Promise<Session | undefined>; today?: Promise<Session | undefined> };

const visits = new WeakMap<IncomingMessage, Visit>();

type Asking = Pick<ShopContext, 'req'>;

/** Stands before all that asks for sessions. By itself it asks the database nothing and leaves no cookie. */
export const withSessions =
  (parts: Parts): ShopMiddleware =>
  ({ req }, next) => {
    visits.set(req, { parts });
    return next();
  };

const visitOf = ({ req }: Asking): Visit => {
  const visit = visits.get(req);
  if (!visit) throw new Error('A session was asked for before withSessions');
  return visit;
};

const look = ({ parts: { cookies, sessions } }: Visit, { req }: Asking, today?: 'today'): Promise<Session | undefined> => {
  const token = cookies.read(req, 'session');
  return token ? sessions.find(token, today) : Promise.resolve(undefined);
};

/** The session that the request belongs to, if it has one. */
export const sessionOf = (asking: Asking): Promise<Session | undefined> => {
  const visit = visitOf(asking);
  visit.current ??= look(visit, asking);
  return visit.current;
};

const shopperOfSession = ({ owner }: Session): Shopper =>
  owner.kind === 'user' ? { kind: 'user', id: owner.user.id } : { kind: 'visitor', id: owner.id };

/** The shopper of the session, if there is one: for queries. Leaves no cookie. */
export const shopperIfKnown = async (ctx: ShopContext): Promise<Shopper | undefined> => {
  const session = await sessionOf(ctx);
  return session && shopperOfSession(session);
};

/** The shopper of the session: for commands. Without a session a visitor is created, with a session and its cookie. */
export const shopperOf = async (ctx: ShopContext): Promise<Shopper> => {
  const visit = visitOf(ctx);
  const known = await sessionOf(ctx);
  if (known) return shopperOfSession(known);
  const { cookies, sessions } = visit.parts;
  const { token, session } = await sessions.openForVisitor();
  visit.current = Promise.resolve(session);
  cookies.leave(ctx, 'session', token);
  cookies.leave(ctx, 'visitor', '1');
  return shopperOfSession(session);
};

/** The signed-in user, if one asks. */
export const userIfAny = async (asking: Asking): Promise<User | undefined> => {
  const session = await sessionOf(asking);
  return session?.owner.kind === 'user' ? session.owner.user : undefined;
};

const notSignedIn = (): HttpError => new HttpError({ status: 401, code: 'not_signed_in', message: 'Not signed in' });

/** The signed-in user. Throws a 401 when there is none. */
export const userOf = async (ctx: ShopContext): Promise<User> => {
  const user = await userIfAny(ctx);
  if (!user) throw notSignedIn();
  return user;
};

/** The signed-in user, if one asks, with the rights of this moment: one that was taken away in another process is gone. */
export const userToday = (asking: Asking): Promise<User | undefined> => {
  const visit = visitOf(asking);
  visit.today ??= look(visit, asking, 'today');
  visit.current = visit.today;
  return userIfAny(asking);
};

/** The actor of a command, for the log. */
export const actorOf = async (ctx: ShopContext): Promise<Actor> => {
  const user = await userIfAny(ctx);
  if (user) return { kind: user.isAdmin ? 'admin' : 'user', id: user.id };
  const { id } = await shopperOf(ctx);
  return { kind: 'visitor', id };
};

/** Lets only signed-in users pass: 401 for anybody else. */
export const signedIn: ShopMiddleware = async (ctx, next) => {
  await userOf(ctx);
  return next();
};

/** Rights are read anew for every call that needs one, so taking one away works at once, in whichever process it was taken. */
const onlyWith =
  (right: string, has: (user: User) => boolean): ShopMiddleware =>
  async (ctx, next) => {
    const user = await userToday(ctx);
    if (!user) throw notSignedIn();
    if (has(user)) return next();
    const { securityLog } = visitOf(ctx).parts;
    securityLog.record({
      kind: 'right_refused',
      subject: userSubject(user.id),
      address: ctx.ip,
      requestId: requestIdOf(ctx),
      detail: { right, path: ctx.path },
    });
    throw new HttpError({ status: 403, code: 'not_allowed', message: 'You are not authorised to do this' });
  };

/** Lets only admins pass: 401 signed out, 403 otherwise. */
export const adminOnly = onlyWith('admin', ({ isAdmin }) => isAdmin);

/** Lets only auditors and admins pass: 401 signed out, 403 otherwise. */
export const auditorOnly = onlyWith('auditor', ({ isAdmin, isAuditor }) => isAdmin || isAuditor);

/**
 * Signs the user in: cart and orders of the visitor become the user's, and the browser gets a new token. The former token is
 * invalid, so that a token planted or seen by an attacker is not signed in.
 */
export const signIn = async (ctx: ShopContext, user: User, how: 'password' | 'code' | 'third party'): Promise<void> => {
  const visit = visitOf(ctx);
  const { sessions, cookies, onSignedIn, securityLog } = visit.parts;
  const before = await sessionOf(ctx);
  await onSignedIn(before?.owner.kind === 'visitor' ? before.owner.id : undefined, user.id, ctx);
  const { token, session } = await sessions.openForUser(user, before);
  visit.current = Promise.resolve(session);
  cookies.leave(ctx, 'session', token);
  cookies.leave(ctx, 'hint', '1');
  securityLog.record({ kind: 'signed_in', subject: userSubject(user.id), address: ctx.ip, requestId: requestIdOf(ctx), detail: { how } });
};

/** Ends the user's session on the server and in the browser. Without one, or for a visitor, nothing happens to what they have gathered. */
export const signOut = async (ctx: ShopContext): Promise<void> => {
  const visit = visitOf(ctx);
  const session = await sessionOf(ctx);
  const { sessions, cookies } = visit.parts;
  if (session?.owner.kind === 'user') await sessions.end(session);
  // Also when the session is dead: the answer that cleared the cookies may have been lost.
  if (session?.owner.kind !== 'visitor') {
    visit.current = Promise.resolve(undefined);
    cookies.clear(ctx, 'session');
    cookies.clear(ctx, 'visitor');
  }
  cookies.clear(ctx, 'hint');
};

/** The metadata that the log keeps with the events of this request's command. */
export const commandMetadata = async (ctx: ShopContext, actor?: CommandMetadata['actor']): Promise<RequestMetadata> => ({
  commandId: ctx.state.command?.id ?? randomUUID(),
  correlationId: requestIdOf(ctx),
  causationId: requestIdOf(ctx),
  actor: actor ?? (await actorOf(ctx)),
  ...(ctx.state.command && { isRepeated: ctx.state.command.isRepeated }),
});
