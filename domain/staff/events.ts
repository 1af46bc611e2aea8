import type { Brand } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { StaffRole } from './duties.ts';

/** The id is that of a user's account. */
export type MemberId = Brand<string, 'MemberId'>;
/** The invitation's address and the hash of its link are a row, which goes when it is over. */
export type InvitationId = Brand<string, 'InvitationId'>;

/** Events are stored for ever: a field may be added as optional, but never renamed or retyped. */
export type StaffEvent =
  /** Again with the same id: with other roles. */
  | { type: 'StaffInvited'; data: { invitation: InvitationId; roles: readonly StaffRole[]; expiresAt: Instant; invitedAt: Instant } }
  /** It was taken back, or a newer one to the same address has replaced it. */
  | { type: 'InvitationWithdrawn'; data: { invitation: InvitationId; withdrawnAt: Instant } }
  /** `invitation` is null for the accounts that the environment names, and for those whose rights are older than these events. */
  | {
      type: 'StaffJoined';
      data: { member: MemberId; roles: readonly StaffRole[]; invitation: InvitationId | null; joinedAt: Instant };
    }
  | { type: 'StaffRolesChanged'; data: { member: MemberId; roles: readonly StaffRole[]; changedAt: Instant } }
  | { type: 'StaffDisabled'; data: { member: MemberId; disabledAt: Instant } }
  | { type: 'StaffEnabled'; data: { member: MemberId; enabledAt: Instant } }
  /** Their account is being erased. */
  | { type: 'StaffLeft'; data: { member: MemberId; leftAt: Instant } };
