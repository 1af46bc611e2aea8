import { Ban, Mail, ShieldCheck, ShieldOff } from 'lucide-react';
import { type ReactNode, use } from 'react';
import { roleTitles, staffRoles, type StaffRole } from '#domain/staff/duties.ts';
import { shortMomentText } from '../../../lib/dates.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { cx } from '../../../ui/cx.ts';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { useNotify } from '../Notices.tsx';
import { OwnAccount } from '../use-may.ts';
import { type StaffMember, useChangeStaffMutation, useInviteStaffMutation } from './staff-api.ts';

type RoleBoxesProps = {
  readonly chosen: readonly StaffRole[];
  readonly locked?: StaffRole | undefined;
  readonly onChoose: (roles: readonly StaffRole[]) => void;
};

export const toggle = (roles: readonly StaffRole[], role: StaffRole): readonly StaffRole[] =>
  staffRoles.filter((each) => (each === role) !== roles.includes(each));

export const RoleBoxes = ({ chosen, locked, onChoose }: RoleBoxesProps) => (
  <fieldset className="min-w-0">
    <legend className="text-[0.875rem] font-medium">May do</legend>
    <div className="flex flex-wrap gap-x-5">
      {staffRoles.map((role) => (
        <Checkbox
          key={role}
          label={roleTitles[role]}
          checked={chosen.includes(role)}
          disabled={role === locked}
          onChange={() => onChoose(toggle(chosen, role))}
        />
      ))}
    </div>
  </fieldset>
);

export const nameOf = ({ name, email }: StaffMember): string => name || email;

/** Returns the role that nobody can take from this member: somebody has to run the staff. */
export const findLocked = (member: StaffMember, staff: readonly StaffMember[]): StaffRole | undefined => {
  const owners = staff.filter(({ roles, disabled, invitedUntil }) => roles.includes('owner') && !disabled && !invitedUntil);
  return owners.length === 1 && owners[0] === member ? 'owner' : undefined;
};

/** Returns the commands for a member; a refusal is notified. */
export const useMemberChanges = (member: StaffMember) => {
  const notify = useNotify();
  const own = use(OwnAccount);
  const [changeStaff, { isLoading: isChanging }] = useChangeStaffMutation();
  const [invite, { isLoading: isInviting }] = useInviteStaffMutation();
  const change = async (wish: { readonly roles?: readonly StaffRole[]; readonly disabled?: boolean }, done: string): Promise<boolean> => {
    const { error } = await changeStaff({ id: member._id, ...wish });
    notify(error ? { kind: 'failure', message: getMessage(error), stays: true } : { kind: 'success', message: done });
    if (member._id === own.id) own.onChanged?.();
    return error === undefined;
  };
  const name = nameOf(member);
  return {
    isBusy: isChanging || isInviting,
    setRoles: (roles: readonly StaffRole[]) =>
      change(
        { roles },
        `${name}: ${roles.map((role) => roleTitles[role]).join(', ') || (member.invitedUntil ? 'taken back' : 'no rights')}`,
      ),
    switchOff: () => change({ disabled: true }, `${name} is switched off`),
    switchOn: () => change({ disabled: false }, `${name} is switched on`),
    takeBack: () => change({ roles: [] }, `The invitation to ${name} is taken back`),
    inviteAgain: async (): Promise<boolean> => {
      const { error } = await invite({ email: member.email, roles: member.roles });
      notify(
        error
          ? { kind: 'failure', message: getMessage(error), stays: true }
          : { kind: 'success', message: `A new link to ${member.email} is on its way. The older one is dead.` },
      );
      return error === undefined;
    },
  };
};

export const Seen = ({
  member: { disabled, invitedUntil, lastSeenAt },
  isSelf,
}: {
  readonly member: StaffMember;
  readonly isSelf: boolean;
}) => {
  if (invitedUntil) return <Noted icon={Mail} text={`Invited, open until ${shortMomentText(invitedUntil)}`} className="text-haldi-deep" />;
  if (disabled) return <Noted icon={Ban} text="Switched off" />;
  if (isSelf) return 'Now';
  return lastSeenAt ? shortMomentText(lastSeenAt) : 'Never';
};

type SecondFactorProps = { readonly member: StaffMember; readonly text: (isOn: boolean) => string };

export const SecondFactor = ({ member: { totp, invitedUntil }, text }: SecondFactorProps) =>
  !invitedUntil && <Noted icon={totp ? ShieldCheck : ShieldOff} text={text(totp)} className={totp ? undefined : 'text-kesar'} />;

type NotedProps = { readonly icon: typeof Mail; readonly text: string; readonly className?: string | undefined };

const Noted = ({ icon: Icon, text, className }: NotedProps) => (
  <span className={cx('inline-flex items-center gap-2 align-middle', className)}>
    <Icon className="size-4 shrink-0" strokeWidth={1.5} />
    <span>{text}</span>
  </span>
);

type ActionsProps = { readonly member: StaffMember; readonly isSelf: boolean; readonly changes: ReturnType<typeof useMemberChanges> };

export const Actions = ({ member, isSelf, changes }: ActionsProps) => {
  const action = (text: string, act: () => Promise<boolean>): ReactNode => (
    <button
      type="button"
      disabled={changes.isBusy}
      aria-label={`${text}, ${nameOf(member)}`}
      onClick={() => void act()}
      className="inline-flex min-h-11 items-center px-2 text-[0.875rem] font-medium whitespace-nowrap text-oxblood hover:text-garnet lg:-mr-2 lg:min-h-9"
    >
      <span className="link">{text}</span>
    </button>
  );
  if (isSelf) return <span className="text-[0.8125rem] text-clove">You</span>;
  if (member.invitedUntil)
    return (
      <span className="inline-flex gap-x-4">
        {action('Take back', changes.takeBack)}
        {action('Invite again', changes.inviteAgain)}
      </span>
    );
  return member.disabled ? action('Switch on', changes.switchOn) : action('Switch off', changes.switchOff);
};
