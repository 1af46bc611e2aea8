import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';

import { isUuid } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import type { InvitationId, MemberId } from '#domain/staff/events.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { staff, STAFF, type Staff, type StaffCommand } from '#domain/staff/staff.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { Rejected } from '../../command-handler/execute.ts';
import type { ShopContext, State } from '../../http/context.ts';
import { parse } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import type { Shop } from '../../shop.ts';
import { invitationOfAnother, mustSignInToJoin } from '../account-errors.ts';
import { InvitationInput, InvitedInput, InviteInput, MemberInput } from '../inputs.ts';
import { openSession, type AccountDeps } from '../routes.ts';
import { userSubject } from '../security-log.ts';
import { endAccess, lockForEntry, type Sessions } from '../sessions/session-store.ts';
import { commandMetadata, userToday } from '../sessions/session.ts';
import { findUser, openUser, USER_COLUMNS } from '../user.ts';
import type { Invitations } from './invitations.ts';
import { applyRights } from './rights.ts';

export type StaffRoutesDeps = Pick<AccountDeps, 'accountOf' | 'cookies' | 'devices'> &
  Pick<Shop, 'db' | 'sealed' | 'store' | 'execute' | 'load' | 'now'> & {
    readonly invitations: Invitations;
    readonly sessions: Pick<Sessions, 'forget'>;
  };

export type StaffView = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly StaffRole[];
  readonly disabled: boolean;
  /** Signing in takes a second factor. */
  readonly totp: boolean;
  readonly lastSeenAt: string | null;
  /** Until then the invitation can be accepted. A member has none. */
  readonly invitedUntil?: string;
};

/** Returns when each of these was last seen: their sessions are noted every ten minutes, and end. */
const lastSeen = async ({ db }: StaffRoutesDeps, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> => {
  const [sessions, signIns] = await Promise.all([
    db
      .selectFrom('sessions')
      .select(({ fn }) => ['user_id', fn.max('seen_at').as('at')])
      .where('user_id', '=', anyOf(ids))
      .groupBy('user_id')
      .execute(),
    db
      .selectFrom('security_log')
      .select(({ fn }) => ['subject', fn.max('at').as('at')])
      .where('subject', '=', anyOf(ids.map(userSubject)))
      .where('kind', '=', 'signed_in')
      .groupBy('subject')
      .execute(),
  ]);
  const seen = new Map(signIns.map(({ subject, at }) => [subject?.slice(userSubject('').length) ?? '', at]));
  for (const { user_id, at } of sessions) if (user_id !== null && at > (seen.get(user_id) ?? 0)) seen.set(user_id, at);
  return seen;
};

const viewMembers = async (deps: StaffRoutesDeps, { members }: Staff, only?: string): Promise<readonly StaffView[]> => {
  const present = new Map<string, { readonly roles: readonly StaffRole[]; readonly status: string }>(
    [...members].filter(([id, { status }]) => status !== 'left' && (only === undefined || id === only)),
  );
  const ids = [...present.keys()];
  const { db, sealed } = deps;
  const [rows, seen] = await Promise.all([
    db.selectFrom('users').select(USER_COLUMNS).where('id', '=', anyOf(ids)).orderBy('created_at').orderBy('id').execute(),
    lastSeen(deps, ids),
  ]);
  const users = await Promise.all(rows.map((row) => openUser(sealed, row)));
  return users.map(({ id, name, email, hasSecondFactor }) => ({
    _id: id,
    name,
    email,
    roles: present.get(id)?.roles ?? [],
    disabled: present.get(id)?.status === 'disabled',
    totp: hasSecondFactor,
    lastSeenAt: seen.get(id)?.toISOString() ?? null,
  }));
};

const viewInvitations = async ({ invitations }: StaffRoutesDeps, state: Staff): Promise<readonly StaffView[]> =>
  (await invitations.list()).flatMap(({ id, email, expiresAt }) => {
    const open = state.invitations.get(id);
    if (!open) return [];
    return [{ _id: id, name: '', email, roles: open.roles, disabled: false, totp: false, lastSeenAt: null, invitedUntil: expiresAt }];
  });

/** Decides, and changes the accounts before the answer. */
const decide = async (ctx: ShopContext, deps: StaffRoutesDeps, command: StaffCommand): Promise<Staff> => {
  const { state } = await deps.execute(staff, STAFF, command, await commandMetadata(ctx));
  await applyRights(deps);
  return state;
};

const listStaff = async (ctx: ShopContext, deps: StaffRoutesDeps): Promise<void> => {
  const { state } = await deps.load(staff, STAFF);
  const [members, invited] = await Promise.all([viewMembers(deps, state), viewInvitations(deps, state)]);
  ctx.body = { staff: [...members, ...invited] };
};

const invite = async (ctx: ShopContext, deps: StaffRoutesDeps): Promise<void> => {
  const { email, roles } = parse(InviteInput, getBody(ctx));
  const { invitations, sealed, now } = deps;
  const [account, before] = await Promise.all([deps.accountOf(email), sealed.hashOf(email).then(invitations.idOf)]);
  // The same request again, by its Idempotency-Key, is the same invitation.
  const invitation = (ctx.state.command?.id ?? randomUUID()) as InvitationId;
  const member = account?.isVerified ? (account.user.id as MemberId) : undefined;
  const replaces = before === undefined || before === invitation ? [] : [before];
  const expiresAt = invitations.expiry();
  const state = await decide(ctx, deps, { type: 'InviteStaff', invitation, member, roles, expiresAt, replaces, now: now() });
  const open = state.invitations.get(invitation);
  if (open) await invitations.send({ id: invitation, email, expiresAt: open.expiresAt }, open.roles);
  ctx.status = 201;
  ctx.body = {
    _id: invitation,
    name: '',
    email,
    roles: open?.roles ?? [],
    disabled: false,
    totp: false,
    lastSeenAt: null,
    invitedUntil: open?.expiresAt,
  };
};

/** Without roles, or disabled, an open invitation is taken back. Throws a 404 for one that is over. */
const changeInvitation = async (ctx: ShopContext, deps: StaffRoutesDeps, before: Staff, invitation: InvitationId): Promise<void> => {
  const { roles, disabled } = parse(MemberInput, getBody(ctx));
  const view = (await viewInvitations(deps, before)).find(({ _id }) => _id === invitation);
  if (!view) throw new Rejected({ code: 'member_not_found' });
  const wish = disabled === true ? [] : (roles ?? view.roles);
  const state = await decide(ctx, deps, { type: 'ChangeInvitation', invitation, roles: wish, now: deps.now() });
  const now = state.invitations.get(invitation)?.roles ?? [];
  if (now.length === 0) await deps.invitations.end([invitation]);
  ctx.body = { ...view, roles: now };
};

const changeMember = async (ctx: ShopContext, deps: StaffRoutesDeps): Promise<void> => {
  const { id = '' } = ctx['params'];
  if (!isUuid(id)) throw new Rejected({ code: 'member_not_found' });
  const { state: before } = await deps.load(staff, STAFF);
  if (before.invitations.has(id as InvitationId)) return changeInvitation(ctx, deps, before, id as InvitationId);
  const wish = parse(MemberInput, getBody(ctx));
  const user = await findUser(deps, id);
  const open = user && (await deps.sealed.hashOf(user.email).then(deps.invitations.idOf));
  const invitations = open === undefined ? [] : [open];
  const member = id as MemberId;
  const state = await decide(ctx, deps, { type: 'ChangeMember', member, ...wish, invitations, now: deps.now() });
  await deps.invitations.end(invitations);
  deps.sessions.forget(id);
  [ctx.body] = await viewMembers(deps, state, id);
};

/** An account accepts as itself; an address without one gets one. */
const acceptInvitation = async (ctx: ShopContext, deps: StaffRoutesDeps): Promise<void> => {
  const { token } = parse(InvitationInput, getBody(ctx));
  const invitation = await deps.invitations.find(token);
  const known = await deps.accountOf(invitation.email);
  const signedIn = await userToday(ctx);
  if (signedIn && signedIn.id !== known?.user.id) throw invitationOfAnother();
  if (known?.isVerified && !signedIn) throw mustSignInToJoin();
  const user = signedIn ?? (await deps.invitations.makeAccount(invitation, parse(InvitedInput, getBody(ctx))));
  const member = user.id as MemberId;
  const now = instant(deps.now());
  const metadata = await commandMetadata(ctx, { kind: 'user', id: user.id });
  const { state } = await deps.db.transaction().execute(async (tx) => {
    // An erasure that closes the account waits, and then takes the rights; after one nobody joins.
    await lockForEntry(tx, user);
    return deps.execute(staff, STAFF, { type: 'AcceptInvitation', invitation: invitation.id, member, now }, metadata);
  });
  await applyRights(deps);
  await deps.invitations.end([invitation.id]);
  // An older session may belong to a person who does not own the address.
  const registration = await deps.db.transaction().execute((tx) => endAccess(tx, [user.id]));
  deps.sessions.forget(user.id);
  const joined = { ...user, registration, roles: state.members.get(member)?.roles ?? [] };
  ctx.body = await openSession(deps, ctx, joined, 'invitation');
};

/**
 * Serves owners `GET /admin/staff` → `{staff}` with open invitations, `POST {email, roles}` → 201, which mails a link for 72 hours and one use,
 * and `PUT /admin/staff/:id {roles?, disabled?}`. `POST /user/invitation {token, name, phone, password, confirm_password}` accepts → `{user}`;
 * an address with an account accepts while signed in, with `{token}`.
 */
export const staffRoutes = (deps: StaffRoutesDeps): Router<State> =>
  createRouter()
    .get('/admin/staff', (ctx) => listStaff(ctx, deps))
    .post('/admin/staff', (ctx) => invite(ctx, deps))
    .put('/admin/staff/:id', (ctx) => changeMember(ctx, deps))
    .post('/user/invitation', (ctx) => acceptInvitation(ctx, deps));
