import type { StaffEvent } from '#domain/staff/events.ts';

import { applyRights, type RightsParts } from '../accounts/staff/rights.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/** Changes the accounts if the process that appended the event died before it did. */
export const whenStaffChangesApplyRights = (parts: RightsParts): Reaction => {
  const apply = async (): Promise<[]> => {
    await applyRights(parts);
    return [];
  };
  return reactionTo<StaffEvent>({
    name: 'apply-rights',
    categories: ['staff'],
    from: 'beginning',
    on: {
      StaffInvited: apply,
      InvitationWithdrawn: apply,
      StaffJoined: apply,
      StaffRolesChanged: apply,
      StaffDisabled: apply,
      StaffEnabled: apply,
      StaffLeft: apply,
    },
  });
};
