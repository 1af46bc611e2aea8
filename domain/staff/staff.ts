import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { Instant } from '../shared/time.ts';
import type { InvitationId, MemberId, StaffEvent } from './events.ts';
import { sortRoles, type StaffRole } from './duties.ts';

/**
 * All rights are one stream, so that "the last enabled owner" is one decision: of two owners who take each other's role at once, in any two
 * processes, the second decides on what the first has done. Rights change a few times a month, so the stream stays short.
 */
export const STAFF: StreamName = 'staff-rights';

export type Member = { readonly roles: readonly StaffRole[]; readonly status: 'enabled' | 'disabled' | 'left' };
export type OpenInvitation = { readonly roles: readonly StaffRole[]; readonly expiresAt: Instant };

export type Staff = {
  /** Everybody who ever joined. */
  readonly members: ReadonlyMap<MemberId, Member>;
  readonly invitations: ReadonlyMap<InvitationId, OpenInvitation>;
};

type At = { readonly now: Instant };

export type InviteStaff = At & {
  readonly type: 'InviteStaff';
  readonly invitation: InvitationId;
  /** Has an account, if the address does. */
  readonly member: MemberId | undefined;
  readonly roles: readonly StaffRole[];
  readonly expiresAt: Instant;
  /** Earlier invitations to this address. */
  readonly replaces: readonly InvitationId[];
};
/** Without roles it is withdrawn. */
export type ChangeInvitation = At & {
  readonly type: 'ChangeInvitation';
  readonly invitation: InvitationId;
  readonly roles: readonly StaffRole[];
};
export type AcceptInvitation = At & { readonly type: 'AcceptInvitation'; readonly invitation: InvitationId; readonly member: MemberId };
/** What is undefined stays. */
export type ChangeMember = At & {
  readonly type: 'ChangeMember';
  readonly member: MemberId;
  readonly roles?: readonly StaffRole[] | undefined;
  readonly disabled?: boolean | undefined;
  /** Invitations to the member's address, which would bring back what is taken. */
  readonly invitations: readonly InvitationId[];
};
export type LeaveStaff = At & { readonly type: 'LeaveStaff'; readonly member: MemberId };
/** Gives these roles to an account that never was a member, and changes nothing for others. */
export type AdmitMember = At & { readonly type: 'AdmitMember'; readonly member: MemberId; readonly roles: readonly StaffRole[] };
/** Makes this account an enabled owner if there is none but the lost ones, as which nobody can sign in. */
export type SecureOwner = At & { readonly type: 'SecureOwner'; readonly member: MemberId; readonly lost: readonly MemberId[] };

export type StaffCommand = InviteStaff | ChangeInvitation | AcceptInvitation | ChangeMember | LeaveStaff | AdmitMember | SecureOwner;

export type StaffRejection =
  | { readonly code: 'last_owner' }
  | { readonly code: 'already_on_staff' }
  | { readonly code: 'member_not_found' }
  | { readonly code: 'invitation_over' };

type Decided = Decision<StaffEvent, StaffRejection>;

const isEnabledOwner = ({ roles, status }: Member): boolean => status === 'enabled' && roles.includes('owner');

/** Returns the enabled owners, other than these. */
export const listOwners = ({ members }: Staff, without: readonly MemberId[] = []): readonly MemberId[] =>
  [...members].filter(([id, member]) => !without.includes(id) && isEnabledOwner(member)).map(([id]) => id);

const hasOwner = (state: Staff, without: readonly MemberId[]): boolean => listOwners(state, without).length > 0;

const findMember = ({ members }: Staff, id: MemberId): Member | undefined => {
  const member = members.get(id);
  return member?.status === 'left' ? undefined : member;
};

/** Returns whether the account has rights, or had some and is disabled. */
const isOnStaff = (state: Staff, id: MemberId): boolean => {
  const member = findMember(state, id);
  return member !== undefined && (member.roles.length > 0 || member.status === 'disabled');
};

const isSame = (one: readonly StaffRole[], other: readonly StaffRole[]): boolean => one.join() === other.join();

const withdraw = ({ invitations }: Staff, ids: readonly InvitationId[], withdrawnAt: Instant): readonly StaffEvent[] =>
  ids.filter((id) => invitations.has(id)).map((invitation) => ({ type: 'InvitationWithdrawn', data: { invitation, withdrawnAt } }));

const invite = (state: Staff, { invitation, member, roles, expiresAt, replaces, now: invitedAt }: InviteStaff): Decided => {
  if (member !== undefined && isOnStaff(state, member)) return reject({ code: 'already_on_staff' });
  const data = { invitation, roles: sortRoles(roles), expiresAt, invitedAt };
  return accept(...withdraw(state, replaces, invitedAt), { type: 'StaffInvited', data });
};

const changeInvitation = (state: Staff, { invitation, roles: wish, now: invitedAt }: ChangeInvitation): Decided => {
  const open = state.invitations.get(invitation);
  if (!open || wish.length === 0) return accept(...withdraw(state, [invitation], invitedAt));
  const roles = sortRoles(wish);
  if (isSame(roles, open.roles)) return accept();
  return accept({ type: 'StaffInvited', data: { invitation, roles, expiresAt: open.expiresAt, invitedAt } });
};

const acceptInvitation = (state: Staff, { invitation, member, now }: AcceptInvitation): Decided => {
  const open = state.invitations.get(invitation);
  if (!open || open.expiresAt <= now) return reject({ code: 'invitation_over' });
  if (isOnStaff(state, member)) return reject({ code: 'already_on_staff' });
  return accept({ type: 'StaffJoined', data: { member, roles: open.roles, invitation, joinedAt: now } });
};

const changeMember = (state: Staff, { member, invitations, now, ...wish }: ChangeMember): Decided => {
  const before = findMember(state, member);
  if (!before) return reject({ code: 'member_not_found' });
  const roles = wish.roles ? sortRoles(wish.roles) : before.roles;
  const status = wish.disabled === undefined ? before.status : wish.disabled ? 'disabled' : 'enabled';
  if (isEnabledOwner(before) && !isEnabledOwner({ roles, status }) && !hasOwner(state, [member])) return reject({ code: 'last_owner' });
  const events: StaffEvent[] = [...withdraw(state, invitations, now)];
  if (!isSame(roles, before.roles)) events.push({ type: 'StaffRolesChanged', data: { member, roles, changedAt: now } });
  if (status !== before.status)
    events.push(
      status === 'disabled'
        ? { type: 'StaffDisabled', data: { member, disabledAt: now } }
        : { type: 'StaffEnabled', data: { member, enabledAt: now } },
    );
  return accept(...events);
};

const leave = (state: Staff, { member, now: leftAt }: LeaveStaff): Decided => {
  const before = findMember(state, member);
  if (!before) return accept();
  if (isEnabledOwner(before) && !hasOwner(state, [member])) return reject({ code: 'last_owner' });
  return accept({ type: 'StaffLeft', data: { member, leftAt } });
};

const admit = (state: Staff, { member, roles, now: joinedAt }: AdmitMember): Decided =>
  state.members.has(member)
    ? accept()
    : accept({ type: 'StaffJoined', data: { member, roles: sortRoles(roles), invitation: null, joinedAt } });

const secureOwner = (state: Staff, { member, lost, now }: SecureOwner): Decided => {
  if (hasOwner(state, lost)) return accept();
  const before = findMember(state, member);
  if (!before) return accept({ type: 'StaffJoined', data: { member, roles: ['owner'], invitation: null, joinedAt: now } });
  const roles = sortRoles([...before.roles, 'owner']);
  return changeMember(state, { type: 'ChangeMember', member, roles, disabled: false, invitations: [], now });
};

const decide = (state: Staff, command: StaffCommand): Decided => {
  switch (command.type) {
    case 'InviteStaff':
      return invite(state, command);
    case 'ChangeInvitation':
      return changeInvitation(state, command);
    case 'AcceptInvitation':
      return acceptInvitation(state, command);
    case 'ChangeMember':
      return changeMember(state, command);
    case 'LeaveStaff':
      return leave(state, command);
    case 'AdmitMember':
      return admit(state, command);
    case 'SecureOwner':
      return secureOwner(state, command);
  }
};

const withMember = (state: Staff, id: MemberId, change: Partial<Member>): Staff => {
  const before: Member = state.members.get(id) ?? { roles: [], status: 'enabled' };
  return { ...state, members: new Map(state.members).set(id, { ...before, ...change }) };
};

const withoutInvitation = (state: Staff, id: InvitationId | null): Staff =>
  id === null ? state : { ...state, invitations: new Map([...state.invitations].filter(([each]) => each !== id)) };

const evolve = (state: Staff, event: StaffEvent): Staff => {
  switch (event.type) {
    case 'StaffInvited': {
      const { invitation, roles, expiresAt } = event.data;
      return { ...state, invitations: new Map(state.invitations).set(invitation, { roles, expiresAt }) };
    }
    case 'InvitationWithdrawn':
      return withoutInvitation(state, event.data.invitation);
    case 'StaffJoined': {
      const { member, roles, invitation } = event.data;
      return withMember(withoutInvitation(state, invitation), member, { roles, status: 'enabled' });
    }
    case 'StaffRolesChanged':
      return withMember(state, event.data.member, { roles: event.data.roles });
    case 'StaffDisabled':
      return withMember(state, event.data.member, { status: 'disabled' });
    case 'StaffEnabled':
      return withMember(state, event.data.member, { status: 'enabled' });
    case 'StaffLeft':
      return withMember(state, event.data.member, { roles: [], status: 'left' });
    default:
      return afterUnknown(event, state);
  }
};

/** Decides about the rights of the staff. There is one stream, `staff-rights`. */
export const staff: Decider<Staff, StaffCommand, StaffEvent, StaffRejection> = {
  initial: { members: new Map(), invitations: new Map() },
  decide,
  evolve,
};
