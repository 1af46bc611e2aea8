import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Actor, CommandMetadata } from '#domain/event-store.ts';

import type { SecurityLog } from '../security-log.ts';
import { userSubject } from '../security-log.ts';
import type { Session, Sessions } from './session-store.ts';
import type { User } from '../user.ts';
import { requestIdOf, type ShopContext, type ShopMiddleware } from '../../http/context.ts';
import { answerFor } from '../../http/errors.ts';
import { HttpError } from '../../http/http-error.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { RequestMetadata } from '../../command-handler/execute.ts';

export type Shopper = { readonly kind: 'visitor' | 'user'; readonly id: string };

/** Moves a visitor's cart and orders to the user. If it throws, the sign-in fails. */
export type OnRecognised = (visitorId: string, userId: string, ctx: ShopContext) => Promise<void>;

/** At every sign-in, with or without a visitor before. */
export type OnSignedIn = (visitorId: string | undefined, userId: string, ctx: ShopContext) => Promise<void>;

type Parts = {
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly onSignedIn: OnSignedIn;
  readonly securityLog: SecurityLog;
};

/** The session of a request, looked up when it is first needed. */
type Visit = {
  readonly parts: Parts;
  current?: Promise<Session | undefined>;
  today?: Promise<Session | undefined>;
  /** The token of a visitor's session that this request opened. */
  opened?: string;
};

const visits = new WeakMap<IncomingMessage, Visit>();

type Asking = Pick<ShopContext, 'req' | 'cookies'>;

/** Makes no query and sets no cookie unless a handler asks. */
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
      // After an outage the command may still be done, under a key that counts for this session only once it was answered. Repeated without
      // a session, it is another visitor's.
      if (answerFor(error).status < 500) leaveOpened();
      throw error;
    }
    leaveOpened();
  };

const visitOf = ({ req }: Asking): Visit => {
  const visit = visits.get(req);
  if (!visit) throw new Error('A session was asked for before withSessions');
  return visit;
};

const look = ({ parts: { cookies, sessions } }: Visit, asking: Asking, today?: 'today'): Promise<Session | undefined> => {
  const token = cookies.read(asking, 'session');
  return token ? sessions.find(token, today) : Promise.resolve(undefined);
};

export const sessionOf = (asking: Asking): Promise<Session | undefined> => {
  const visit = visitOf(asking);
  visit.current ??= look(visit, asking);
  return visit.current;
};

const shopperOfSession = ({ owner }: Session): Shopper =>
  owner.kind === 'user' ? { kind: 'user', id: owner.user.id } : { kind: 'visitor', id: owner.id };

/** For queries: sets no cookie. */
export const shopperIfKnown = async (ctx: ShopContext): Promise<Shopper | undefined> => {
  const session = await sessionOf(ctx);
  return session && shopperOfSession(session);
};

/** For commands: makes a visitor with a session if there is none. */
export const shopperOf = async (ctx: ShopContext): Promise<Shopper> => {
  const visit = visitOf(ctx);
  const known = await sessionOf(ctx);
  if (known) return shopperOfSession(known);
  const { token, session } = await visit.parts.sessions.openForVisitor();
  visit.current = Promise.resolve(session);
  visit.opened = token;
  return shopperOfSession(session);
};

export const userIfAny = async (asking: Asking): Promise<User | undefined> => {
  const session = await sessionOf(asking);
  return session?.owner.kind === 'user' ? session.owner.user : undefined;
};

const notSignedIn = (): HttpError => new HttpError({ status: 401, code: 'not_signed_in', message: 'Not signed in' });

/** Throws a 401. */
export const userOf = async (ctx: ShopContext): Promise<User> => {
  const user = await userIfAny(ctx);
  if (!user) throw notSignedIn();
  return user;
};

/** With the current rights, also if another process changed them. */
export const userToday = (asking: Asking): Promise<User | undefined> => {
  const visit = visitOf(asking);
  visit.today ??= look(visit, asking, 'today');
  visit.current = visit.today;
  return userIfAny(asking);
};

export const actorOf = async (ctx: ShopContext): Promise<Actor> => {
  const user = await userIfAny(ctx);
  if (user) return { kind: user.isAdmin ? 'admin' : 'user', id: user.id };
  const { id } = await shopperOf(ctx);
  return { kind: 'visitor', id };
};

export const signedIn: ShopMiddleware = async (ctx, next) => {
  await userOf(ctx);
  return next();
};

/** Whenever rights were looked up, since they may change during a session. */
export const noteStaff = (ctx: ShopContext, user: User | undefined): void => {
  const { cookies } = visitOf(ctx).parts;
  const isMarked = cookies.read(ctx, 'staff') !== undefined;
  if (user?.isAdmin && !isMarked) cookies.leave(ctx, 'staff', '1');
  if (!user?.isAdmin && isMarked) cookies.clear(ctx, 'staff');
};

/** 401 or 403. Rights are read for every call, so that removing one works at once in all processes. */
const onlyWith =
  (right: string, has: (user: User) => boolean): ShopMiddleware =>
  async (ctx, next) => {
    const user = await userToday(ctx);
    if (!user) throw notSignedIn();
    noteStaff(ctx, user);
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

export const adminOnly = onlyWith('admin', ({ isAdmin }) => isAdmin);

export const auditorOnly = onlyWith('auditor', ({ isAdmin, isAuditor }) => isAdmin || isAuditor);

/** The visitor's cart and orders become the user's. The browser gets a new token, because an attacker may know the former one. */
export const signIn = async (ctx: ShopContext, user: User, how: 'password' | 'code' | 'third party'): Promise<void> => {
  const visit = visitOf(ctx);
  const { sessions, cookies, onSignedIn, securityLog } = visit.parts;
  const before = await sessionOf(ctx);
  await onSignedIn(before?.owner.kind === 'visitor' ? before.owner.id : undefined, user.id, ctx);
  const { token, session } = await sessions.openForUser(user, before);
  visit.current = Promise.resolve(session);
  delete visit.opened;
  cookies.leave(ctx, 'session', token);
  cookies.leave(ctx, 'hint', '1');
  noteStaff(ctx, user);
  securityLog.record({ kind: 'signed_in', subject: userSubject(user.id), address: ctx.ip, requestId: requestIdOf(ctx), detail: { how } });
};

/** A visitor's session stays. */
export const signOut = async (ctx: ShopContext): Promise<void> => {
  const visit = visitOf(ctx);
  const session = await sessionOf(ctx);
  const { sessions, cookies } = visit.parts;
  if (session?.owner.kind === 'user') await sessions.end(session);
  // Also for an ended session: the answer that cleared the cookies may have been lost.
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
  correlationId: requestIdOf(ctx),
  causationId: requestIdOf(ctx),
  actor: actor ?? (await actorOf(ctx)),
  ...(ctx.state.command && { isRepeated: ctx.state.command.isRepeated }),
});
