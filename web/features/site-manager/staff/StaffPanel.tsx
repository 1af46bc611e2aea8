import { ChevronDown, ChevronUp, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { pages } from '#domain/site/pages.ts';
import { roleTitles, staffRoles, type StaffRole } from '#domain/staff/duties.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { RoleBoxes } from './member.tsx';
import { StaffList } from './StaffList.tsx';
import { StaffTable } from './StaffTable.tsx';
import { useInviteStaffMutation, useStaffQuery } from './staff-api.ts';

const meanings: Readonly<Record<StaffRole, string>> = {
  owner: 'everything, and staff',
  catalogue: 'products, stock, tax; no addresses of shoppers',
  orders: 'desk, returns, messages, customers',
  money: 'payments, refunds, cash, invoices; moves no order',
  auditor: 'reads the log and every order, changes nothing',
};

/** Persons by roles, open invitations among them. */
export const StaffPanel = () => {
  const { data: staff, error, isFetching, refetch } = useStaffQuery();
  const [isInviting, setInviting] = useState(false);
  const isWide = useMedia('(min-width: 64rem)');
  const count = staff?.filter(({ roles, disabled, invitedUntil }) => roles.length > 0 && !disabled && !invitedUntil).length;
  const Chevron = isInviting ? ChevronUp : ChevronDown;
  return (
    <section aria-label="Staff">
      <PanelHead title="Staff" count={count === undefined ? undefined : `${count} with rights`}>
        <ButtonLink kind="outline" to={`${pages.audit}#security-log`} className="max-lg:flex-1">
          <ScrollText className="size-4" strokeWidth={1.5} />
          Security log
        </ButtonLink>
        <Button
          kind="outline"
          aria-expanded={isInviting}
          aria-controls="invite"
          onClick={() => setInviting(!isInviting)}
          className="max-lg:flex-1"
        >
          <Chevron className="size-4" strokeWidth={1.5} />
          Invite
        </Button>
      </PanelHead>
      {isInviting && <InviteForm />}
      {staff && (isWide ? <StaffTable staff={staff} /> : <StaffList staff={staff} />)}
      {!staff && error && !isFetching && <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>}
      {!staff && isFetching && <Skeleton className="mt-6 h-64" />}
      <dl className="mt-7 grid gap-x-10 gap-y-1 text-[0.875rem] lg:grid-cols-2">
        {staffRoles.map((role) => (
          <div key={role} className="flex gap-3">
            <dt className="w-20 shrink-0 font-medium">{roleTitles[role]}</dt>
            <dd className="text-clove">{meanings[role]}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-[0.8125rem] text-clove">
        A change works at the next click of the person. Switching off ends their sessions. Both are in the security log.
      </p>
    </section>
  );
};

const InviteForm = () => {
  const notify = useNotify();
  const [invite] = useInviteStaffMutation();
  const [roles, setRoles] = useState<readonly StaffRole[]>(['orders']);
  const { field, message, submit, change, errors, isSending } = useValidatedForm<{ email: string }>({
    defaultValues: { email: '' },
    validate: (values) => ({ ...findMissing(['email'], values), ...(roles.length === 0 && { roles: 'Choose at least one' }) }),
    send: async ({ email }) => {
      await invite({ email: email.trim(), roles }).unwrap();
      notify({ kind: 'success', message: `The invitation to ${email.trim()} is on its way` });
      change({ email: '' });
    },
  });
  return (
    <form id="invite" noValidate onSubmit={submit} className="mt-3 bg-paper px-5 py-4">
      {message !== undefined && <Alert className="mb-4">{message}</Alert>}
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <Field {...field('email')} label="E-mail" type="email" autoComplete="off" className="w-full sm:w-72" />
        <div>
          <RoleBoxes chosen={roles} onChoose={setRoles} />
          {errors['roles'] !== undefined && roles.length === 0 && (
            <p role="alert" className="text-[0.875rem] font-medium text-sindoor">
              {errors['roles']}
            </p>
          )}
        </div>
        <Button type="submit" className="max-sm:w-full lg:ml-auto" busy={isSending ? 'Sending...' : undefined}>
          Send invitation
        </Button>
      </div>
    </form>
  );
};
