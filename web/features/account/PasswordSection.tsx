import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { blameWrongPassword, useChangePasswordMutation, useSessionsQuery } from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';
import { Refusal } from './Refusal.tsx';

type PasswordSectionProps = { readonly hasPassword: boolean | undefined; readonly onSignInAgain: () => void };

export const PasswordSection = (props: PasswordSectionProps) => {
  const [changed, setChanged] = useState<{ readonly message: string; readonly times: number }>();
  const onChanged = (message: string): void => setChanged({ message, times: (changed?.times ?? 0) + 1 });
  return (
    <AccountSection id="password">
      {props.hasPassword === false && !changed && (
        <p className="mt-1.5 max-w-[36rem] text-[0.9375rem] text-clove">
          You sign in with Google. With a password you can sign in without it too.
        </p>
      )}
      {/* The key empties the fields. */}
      <PasswordForm key={changed?.times} {...props} onChanged={onChanged} />
      {changed && (
        <FocusedMessage key={`done-${changed.times}`} className="mt-5">
          {changed.message}
        </FocusedMessage>
      )}
    </AccountSection>
  );
};

type PasswordValues = { readonly current: string; readonly password: string; readonly confirm_password: string };

const PasswordForm = ({
  hasPassword = true,
  onSignInAgain,
  onChanged,
}: PasswordSectionProps & { readonly onChanged: (message: string) => void }) => {
  const [change, { error }] = useChangePasswordMutation();
  const others = (useSessionsQuery().data ?? []).filter(({ current }) => !current).length;
  const { field, submit, message, isSending } = useValidatedForm<PasswordValues>({
    defaultValues: { current: '', password: '', confirm_password: '' },
    validate: (values) => findMissing([...(hasPassword ? ['current'] : []), 'password', 'confirm_password'], values),
    send: async (values) => onChanged(await change(values).unwrap()),
    blamed: blameWrongPassword('current'),
  });
  return (
    <form noValidate onSubmit={submit} className="mt-5 grid gap-x-5 gap-y-5 sm:grid-cols-2">
      {hasPassword && (
        <Field
          {...field('current')}
          label="Current password"
          type="password"
          required
          autoComplete="current-password"
          className="sm:col-span-2 sm:max-w-[25.4rem]"
        />
      )}
      <Field
        {...field('password')}
        label="New password"
        type="password"
        required
        autoComplete="new-password"
        hint="At least 8 characters"
      />
      <Field {...field('confirm_password')} label="Confirm password" type="password" required autoComplete="new-password" />
      {message !== undefined && error && <Refusal error={error} onSignInAgain={onSignInAgain} className="sm:col-span-2" />}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 sm:col-span-2">
        <Button type="submit" kind="outline" busy={isSending ? 'Changing...' : undefined}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
        {others > 0 && (
          <p className="text-[0.875rem] text-clove">{`Ends your ${others === 1 ? 'other session' : `${others} other sessions`}.`}</p>
        )}
      </div>
    </form>
  );
};
