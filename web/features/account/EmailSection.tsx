import { Check } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useFirstFieldFocus } from '../../ui/form/use-first-field-focus.ts';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextButton } from '../../ui/TextLink.tsx';
import { blameWrongPassword, useChangeEmailMutation, useConfirmEmailMutation, type AccountHolder } from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';
import { Refusal } from './Refusal.tsx';

type EmailSectionProps = {
  readonly user: AccountHolder;
  /** Undefined until it is known. */
  readonly hasPassword: boolean | undefined;
  readonly onChanged: (change: Partial<AccountHolder>) => void;
  readonly onSignInAgain: () => void;
};

/** The new address is in use once its code is typed here. */
export const EmailSection = ({ user, hasPassword, onChanged, onSignInAgain }: EmailSectionProps) => {
  const [step, setStep] = useState<'address' | 'changing' | { readonly mailedTo: string } | 'changed'>('address');
  const confirmed = (change: Partial<AccountHolder>): void => {
    onChanged(change);
    setStep('changed');
  };
  const isIdle = step === 'address' || step === 'changed';
  return (
    <AccountSection
      id="email"
      aside={
        isIdle && (
          <TextButton aria-label="Change e-mail" className="-my-2" onClick={() => setStep('changing')}>
            Change
          </TextButton>
        )
      }
    >
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="wrap-anywhere">{user.email}</span>
        <span className="inline-flex items-center gap-1.5 text-[0.875rem] text-khus-deep">
          <Check className="size-4" strokeWidth={2} />
          proved
        </span>
      </p>
      {step === 'changed' && <FocusedMessage className="mt-4">Your e-mail address is changed.</FocusedMessage>}
      {step === 'changing' && (
        <AskForCode
          hasPassword={hasPassword !== false}
          onMailed={(mailedTo) => setStep({ mailedTo })}
          onCancel={() => setStep('address')}
          onSignInAgain={onSignInAgain}
        />
      )}
      {typeof step === 'object' && <EnterCode email={step.mailedTo} onConfirmed={confirmed} onCancel={() => setStep('address')} />}
    </AccountSection>
  );
};

type AskForCodeProps = {
  readonly hasPassword: boolean;
  readonly onMailed: (email: string) => void;
  readonly onCancel: () => void;
  readonly onSignInAgain: () => void;
};

const AskForCode = ({ hasPassword, onMailed, onCancel, onSignInAgain }: AskForCodeProps) => {
  const form = useFirstFieldFocus();
  const [ask, { error }] = useChangeEmailMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ email: string; password: string }>({
    defaultValues: { email: '', password: '' },
    validate: (values) => findMissing(hasPassword ? ['email', 'password'] : ['email'], values),
    send: async (values) => {
      await ask(values).unwrap();
      onMailed(values.email.trim());
    },
    blamed: blameWrongPassword('password'),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-5 grid gap-x-5 gap-y-5 sm:grid-cols-2">
      <Field {...field('email')} label="New e-mail" type="email" required autoComplete="email" />
      {hasPassword && <Field {...field('password')} label="Your password" type="password" required autoComplete="current-password" />}
      {message !== undefined && error && <Refusal error={error} onSignInAgain={onSignInAgain} className="sm:col-span-2" />}
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" kind="outline" busy={isSending ? 'Sending...' : undefined}>
          Send a code to it
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Keep the old one
        </Button>
      </div>
    </form>
  );
};

type EnterCodeProps = {
  readonly email: string;
  readonly onConfirmed: (change: Partial<AccountHolder>) => void;
  readonly onCancel: () => void;
};

const EnterCode = ({ email, onConfirmed, onCancel }: EnterCodeProps) => {
  const form = useFirstFieldFocus();
  const [confirm] = useConfirmEmailMutation();
  const { field, submit, isSending } = useValidatedForm<{ code: string }>({
    validate: (values) => findMissing(['code'], values),
    send: async ({ code }) => onConfirmed(await confirm(code).unwrap()),
    blamed: ({ message, errors }) => ({ code: errors?.['code'] ?? message }),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-5 space-y-5">
      <Alert kind="success">{`We have sent a 6-digit code to ${email}.`}</Alert>
      <Field
        {...field('code')}
        label="Code from the mail"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        className="sm:max-w-[15rem]"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="outline" busy={isSending ? 'Changing...' : undefined}>
          Change e-mail
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Keep the old one
        </Button>
      </div>
    </form>
  );
};
