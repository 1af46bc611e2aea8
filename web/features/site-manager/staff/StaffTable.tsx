import { use } from 'react';
import { roleTitles, staffRoles, type StaffRole } from '#domain/staff/duties.ts';
import { cx } from '../../../ui/cx.ts';
import { Tick } from '../Tick.tsx';
import { OwnAccount } from '../use-may.ts';
import { Actions, findLocked, nameOf, SecondFactor, Seen, toggle, useMemberChanges } from './member.tsx';
import type { StaffMember } from './staff-api.ts';

const HEAD = 'py-2.5 pr-4 text-left text-[0.8125rem] font-medium text-clove';

export const StaffTable = ({ staff }: { readonly staff: readonly StaffMember[] }) => (
  <table className="mt-3 w-full">
    <caption className="sr-only">Who may do what</caption>
    <thead className="sticky top-30 z-10 bg-ivory xl:top-16">
      <tr className="shadow-[inset_0_1px_0_var(--color-ink),inset_0_-1px_0_var(--color-sandal)]">
        <th scope="col" className={HEAD}>
          Name
        </th>
        {staffRoles.map((role) => (
          <th key={role} scope="col" className="w-22 py-2.5 text-center text-[0.8125rem] font-medium text-clove">
            {roleTitles[role]}
          </th>
        ))}
        <th scope="col" className={cx(HEAD, 'pl-6')}>
          Second factor
        </th>
        <th scope="col" className={HEAD}>
          Last seen
        </th>
        <th scope="col" className={HEAD}>
          <span className="sr-only">Action</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {staff.map((member) => (
        <Row key={member._id} member={member} locked={findLocked(member, staff)} />
      ))}
    </tbody>
  </table>
);

type RowProps = { readonly member: StaffMember; readonly locked: StaffRole | undefined };

const Row = ({ member, locked }: RowProps) => {
  const changes = useMemberChanges(member);
  const isSelf = use(OwnAccount).id === member._id;
  return (
    <tr data-row={member._id} className={cx('border-b border-sandal/70 text-[0.875rem] hover:bg-white', member.disabled && 'text-clove')}>
      <th scope="row" className="py-2 pr-4 text-left font-normal wrap-anywhere">
        {member.name !== '' && <span className="block text-[0.9375rem] font-medium">{member.name}</span>}
        <span className="block text-[0.8125rem] text-clove">{member.email}</span>
      </th>
      {staffRoles.map((role) => (
        <td key={role} className="w-22">
          <Tick
            label={`${roleTitles[role]}, ${nameOf(member)}`}
            isOn={member.roles.includes(role)}
            lock={role === locked ? 'The last owner keeps this role' : undefined}
            isBusy={changes.isBusy}
            onTick={() => void changes.setRoles(toggle(member.roles, role))}
            className="h-11 w-full items-center justify-center"
          />
        </td>
      ))}
      <td className="pr-4 pl-6">
        <SecondFactor member={member} text={(isOn) => (isOn ? 'On' : 'Off')} />
      </td>
      <td className="figures pr-4 text-clove">
        <Seen member={member} isSelf={isSelf} />
      </td>
      <td className="text-right">
        <Actions member={member} isSelf={isSelf} changes={changes} />
      </td>
    </tr>
  );
};
