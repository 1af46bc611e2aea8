import { describe, expect, test } from 'vitest';

import { instant } from '../shared/time.ts';
import { testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import type { InvitationId, MemberId, StaffEvent } from './events.ts';
import { duties, hasDuty, sortRoles, type StaffRole } from './duties.ts';
import { staff, type AcceptInvitation, type ChangeMember, type InviteStaff, type StaffCommand } from './staff.ts';

const now = instant('2026-11-14T12:00:00.000Z');
const [yesterday, inThreeDays] = [instant('2026-11-13T12:00:00.000Z'), instant('2026-11-17T12:00:00.000Z')];
const [meera, ravi] = ['meera' as MemberId, 'ravi' as MemberId];
const [first, second] = ['first' as InvitationId, 'second' as InvitationId];

const joined = (member: MemberId, ...roles: StaffRole[]): StaffEvent => ({
  type: 'StaffJoined',
  data: { member, roles, invitation: null, joinedAt: now },
});
const invited = (invitation = first, expiresAt = inThreeDays): StaffEvent => ({
  type: 'StaffInvited',
  data: { invitation, roles: ['orders', 'money'], expiresAt, invitedAt: now },
});
const withdrawn = (invitation = first): StaffEvent => ({ type: 'InvitationWithdrawn', data: { invitation, withdrawnAt: now } });
const accepted: StaffEvent = {
  type: 'StaffJoined',
  data: { member: ravi, roles: ['orders', 'money'], invitation: first, joinedAt: now },
};
const changed = (member: MemberId, ...roles: StaffRole[]): StaffEvent => ({
  type: 'StaffRolesChanged',
  data: { member, roles, changedAt: now },
});
const disabled = (member: MemberId): StaffEvent => ({ type: 'StaffDisabled', data: { member, disabledAt: now } });
const enabled = (member: MemberId): StaffEvent => ({ type: 'StaffEnabled', data: { member, enabledAt: now } });
const left = (member: MemberId): StaffEvent => ({ type: 'StaffLeft', data: { member, leftAt: now } });

const invite = (more: Partial<InviteStaff> = {}): InviteStaff => ({
  type: 'InviteStaff',
  invitation: first,
  member: undefined,
  roles: ['money', 'orders'],
  expiresAt: inThreeDays,
  replaces: [],
  now,
  ...more,
});
const takeUp = (member = ravi): AcceptInvitation => ({ type: 'AcceptInvitation', invitation: first, member, now });
const changeInvitation = (...roles: StaffRole[]): StaffCommand => ({ type: 'ChangeInvitation', invitation: first, roles, now });
const reinvited: StaffEvent = {
  type: 'StaffInvited',
  data: { invitation: first, roles: ['auditor'], expiresAt: inThreeDays, invitedAt: now },
};
const change = (member: MemberId, wish: Partial<ChangeMember>): ChangeMember => ({
  type: 'ChangeMember',
  member,
  invitations: [],
  now,
  ...wish,
});
const leave = (member: MemberId): StaffCommand => ({ type: 'LeaveStaff', member, now });
const admit = (member: MemberId, ...roles: StaffRole[]): StaffCommand => ({ type: 'AdmitMember', member, roles, now });
const secure = (member: MemberId, ...lost: MemberId[]): StaffCommand => ({ type: 'SecureOwner', member, lost, now });

const owner = joined(meera, 'owner');
const lastOwner = { code: 'last_owner' } as const;

describe('an invitation', () =>
  testDecisions(staff, [
    ['names roles and its end', [owner], invite(), [invited()]],
    ['replaces the one before', [owner, invited()], invite({ invitation: second, replaces: [first] }), [withdrawn(), invited(second)]],
    ['is not for who is on the staff', [owner, joined(ravi, 'money')], invite({ member: ravi }), { code: 'already_on_staff' }],
    ['is not for who is disabled', [owner, joined(ravi), disabled(ravi)], invite({ member: ravi }), { code: 'already_on_staff' }],
    ['is for who has lost every right', [owner, joined(ravi)], invite({ member: ravi }), [invited()]],
    ['is accepted', [owner, invited()], takeUp(), [accepted]],
    ['is accepted once', [owner, invited(), accepted], takeUp(meera), { code: 'invitation_over' }],
    ['ends with its time', [owner, invited(first, yesterday)], takeUp(), { code: 'invitation_over' }],
    ['ends at its time', [owner, invited(first, now)], takeUp(), { code: 'invitation_over' }],
    ['ends when it is withdrawn', [owner, invited(), withdrawn()], takeUp(), { code: 'invitation_over' }],
    ['gives nothing to who has rights meanwhile', [owner, invited(), joined(ravi, 'auditor')], takeUp(), { code: 'already_on_staff' }],
    ['is withdrawn', [owner, invited()], changeInvitation(), [withdrawn()]],
    ['gets other roles', [owner, invited()], changeInvitation('auditor'), [reinvited]],
    ['keeps the same roles', [owner, invited()], changeInvitation('money', 'orders'), []],
    ['is not changed once it is withdrawn', [owner, invited(), withdrawn()], changeInvitation('money'), []],
  ]));

describe('a member', () =>
  testDecisions(staff, [
    [
      'gets roles, in order and once each',
      [owner, joined(ravi, 'money')],
      change(ravi, { roles: ['money', 'orders', 'money'] }),
      [changed(ravi, 'orders', 'money')],
    ],
    ['keeps the same roles', [owner, joined(ravi, 'orders', 'money')], change(ravi, { roles: ['money', 'orders'] }), []],
    ['loses every right', [owner, joined(ravi, 'money')], change(ravi, { roles: [] }), [changed(ravi)]],
    [
      'loses an invitation with it',
      [owner, joined(ravi, 'money'), invited()],
      change(ravi, { roles: [], invitations: [first] }),
      [withdrawn(), changed(ravi)],
    ],
    ['is disabled', [owner, joined(ravi, 'money')], change(ravi, { disabled: true }), [disabled(ravi)]],
    ['is disabled once', [owner, joined(ravi, 'money'), disabled(ravi)], change(ravi, { disabled: true }), []],
    ['is enabled', [owner, joined(ravi, 'money'), disabled(ravi)], change(ravi, { disabled: false }), [enabled(ravi)]],
    ['must be one', [owner], change(ravi, { roles: ['money'] }), { code: 'member_not_found' }],
    ['must not have left', [owner, joined(ravi), left(ravi)], change(ravi, { roles: ['money'] }), { code: 'member_not_found' }],
    ['leaves', [owner, joined(ravi, 'money')], leave(ravi), [left(ravi)]],
    ['leaves once, and others never', [owner, joined(ravi), left(ravi)], leave(ravi), []],
  ]));

describe('the last enabled owner', () =>
  testDecisions(staff, [
    ['keeps the role', [owner], change(meera, { roles: ['orders'] }), lastOwner],
    ['is not disabled', [owner], change(meera, { disabled: true }), lastOwner],
    ['does not leave', [owner], leave(meera), lastOwner],
    ['is the last when the other one is disabled', [owner, joined(ravi, 'owner'), disabled(ravi)], change(meera, { roles: [] }), lastOwner],
    ['is the last when the other one has left', [owner, joined(ravi, 'owner'), left(ravi)], leave(meera), lastOwner],
    ['gets further roles', [owner], change(meera, { roles: ['owner', 'auditor'] }), [changed(meera, 'owner', 'auditor')]],
    ['goes once there is another', [owner, joined(ravi, 'owner')], change(meera, { roles: [] }), [changed(meera)]],
    [
      'loses the role when both take it from each other',
      [owner, joined(ravi, 'owner'), changed(ravi)],
      change(meera, { roles: [] }),
      lastOwner,
    ],
  ]));

describe('the accounts of the environment', () =>
  testDecisions(staff, [
    ['are admitted', [], admit(ravi, 'auditor'), [joined(ravi, 'auditor')]],
    ['are admitted once, whatever happened since', [joined(ravi, 'auditor'), changed(ravi)], admit(ravi, 'auditor'), []],
    ['have the first owner', [], secure(meera), [owner]],
    ['stay as they are while there is an owner', [joined(ravi, 'owner')], secure(meera), []],
    ['have an owner beside those as whom nobody can sign in', [joined(ravi, 'owner')], secure(meera, ravi), [owner]],
    ['have an owner again', [owner, disabled(meera)], secure(meera), [enabled(meera)]],
    ['have an owner besides other roles', [joined(meera, 'money')], secure(meera), [changed(meera, 'owner', 'money')]],
  ]));

test('an event of a later release changes nothing', () =>
  expect(staff.evolve(staff.initial, laterEvent('StaffPromoted'))).toEqual(staff.initial));

test('an owner has every duty', () =>
  expect(Object.keys(duties).filter((duty) => !hasDuty(['owner'], duty as keyof typeof duties))).toEqual([]));

test('catalogue has no duty that shows addresses of shoppers', () =>
  expect((['orders', 'customers', 'money', 'audit'] as const).filter((duty) => hasDuty(['catalogue'], duty))).toEqual([]));

test('roles are sorted', () => expect(sortRoles(['auditor', 'owner', 'owner'])).toEqual(['owner', 'auditor']));
