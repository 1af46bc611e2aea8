import { use, useState } from 'react';
import { roleTitles, type StaffRole } from '#domain/staff/duties.ts';
import { shortMomentText } from '../../../lib/dates.ts';
import { Button } from '../../../ui/Button.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { OwnAccount } from '../use-may.ts';
import { Actions, findLocked, nameOf, RoleBoxes, SecondFactor, Seen, useMemberChanges } from './member.tsx';
import type { StaffMember } from './staff-api.ts';

/** The staff on a narrow screen: what a person may do is changed in a dialog. */
export const StaffList = ({ staff }: { readonly staff: readonly StaffMember[] }) => {
  const [changing, setChanging] = useState<string>();
  const own = use(OwnAccount);
  const chosen = staff.find(({ _id }) => _id === changing);
  return (
    <>
      <ul aria-label="Staff" className="mt-3 border-t border-ink/80">
        {staff.map((member) => (
          <li key={member._id} data-row={member._id} className="border-b border-sandal/70 py-4">
            <div className="flex items-baseline justify-between gap-3">
              <p className="font-medium wrap-anywhere">{nameOf(member)}</p>
              <p className="figures shrink-0 text-[0.8125rem] text-clove">
                {member._id === own.id ? 'You' : member.lastSeenAt && shortMomentText(member.lastSeenAt)}
              </p>
            </div>
            {member.name !== '' && <p className="text-[0.875rem] wrap-anywhere text-clove">{member.email}</p>}
            <p className="mt-2 flex flex-wrap gap-2">
              {member.roles.map((role) => (
                <span key={role} className="inline-flex h-6 items-center rounded-xs bg-ash px-2 text-xs font-medium text-ash-deep">
                  {roleTitles[role]}
                </span>
              ))}
              {member.roles.length === 0 && <span className="text-[0.875rem] text-clove">No rights</span>}
            </p>
            <div className="mt-1 flex items-center justify-between gap-3 text-[0.8125rem] text-clove">
              <span>
                {(member.invitedUntil ?? member.disabled) ? (
                  <Seen member={member} isSelf={false} />
                ) : (
                  <SecondFactor member={member} text={(isOn) => (isOn ? 'Second factor on' : 'No second factor')} />
                )}
              </span>
              <button
                type="button"
                aria-label={`Change, ${nameOf(member)}`}
                onClick={() => setChanging(member._id)}
                className="-my-1 inline-flex min-h-11 items-center gap-2 text-[0.875rem] font-medium whitespace-nowrap text-ink"
              >
                <span className="link">Change</span>
              </button>
            </div>
          </li>
        ))}
      </ul>
      {chosen && <ChangeDialog member={chosen} locked={findLocked(chosen, staff)} onClose={() => setChanging(undefined)} />}
    </>
  );
};

const ChangeDialog = ({
  member,
  locked,
  onClose,
}: { readonly member: StaffMember; readonly locked: StaffRole | undefined } & { readonly onClose: () => void }) => {
  const changes = useMemberChanges(member);
  const isSelf = use(OwnAccount).id === member._id;
  const [roles, setRoles] = useState(member.roles);
  const save = async (): Promise<void> => {
    if (await changes.setRoles(roles)) onClose();
  };
  const closing = (act: () => Promise<boolean>) => async () => {
    const isDone = await act();
    if (isDone) onClose();
    return isDone;
  };
  const { takeBack, inviteAgain, switchOn, switchOff } = changes;
  return (
    <Modal
      open
      isBusy={changes.isBusy}
      onClose={onClose}
      title={nameOf(member)}
      description={<p>A change works at the next click of the person.</p>}
      foot={
        <>
          <Button kind="quiet" disabled={changes.isBusy} onClick={onClose}>
            Back
          </Button>
          <Button busy={changes.isBusy ? 'Saving...' : undefined} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="mt-5 grid gap-4">
        <RoleBoxes chosen={roles} locked={locked} onChoose={setRoles} />
        {!isSelf && (
          <p>
            <Actions
              member={member}
              isSelf={false}
              changes={{
                ...changes,
                takeBack: closing(takeBack),
                inviteAgain: closing(inviteAgain),
                switchOn: closing(switchOn),
                switchOff: closing(switchOff),
              }}
            />
          </p>
        )}
      </div>
    </Modal>
  );
};
