import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { getMessage } from '../../lib/http/api.ts';
import { dayText } from '../../lib/dates.ts';
import { count } from '../../lib/format.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useFirstFieldFocus } from '../../ui/form/use-first-field-focus.ts';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextButton } from '../../ui/TextLink.tsx';
import {
  blameWrongPassword,
  useBeginSecondFactorMutation,
  useRemoveSecondFactorMutation,
  type Account,
  type AccountHolder,
  type Seed,
} from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';
import { EnrolSecondFactor, RecoveryCodes } from './EnrolSecondFactor.tsx';
import { Refusal } from './Refusal.tsx';

type SecondFactorSectionProps = {
  readonly user: AccountHolder;
  /** Undefined until it is known. */
  readonly account: Account | undefined;
  readonly onChanged: (change: Partial<AccountHolder>) => void;
  readonly onSignInAgain: () => void;
};

export const SecondFactorSection = ({ user, account, onChanged, onSignInAgain }: SecondFactorSectionProps) => {
  const [begin, { error, isLoading }] = useBeginSecondFactorMutation();
  const [seed, setSeed] = useState<Seed>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isRemoving, setRemoving] = useState(false);
  const [isRemoved, setRemoved] = useState(false);
  const start = async (): Promise<void> => {
    setRemoved(false);
    const { data } = await begin();
    if (data) setSeed(data);
  };
  const confirmed = (given: readonly string[]): void => {
    setSeed(undefined);
    setCodes(given);
    onChanged({ totp: true });
  };
  const removed = (): void => {
    setRemoving(false);
    setRemoved(true);
    onChanged({ totp: false });
  };
  return (
    <AccountSection id="second-factor">
      <p className="mt-1.5 max-w-[36rem] text-[0.9375rem] text-clove">
        A code from your telephone, asked for when you sign in. With it, your password alone opens nothing.
      </p>
      {user.totp && <IsOn account={account} onRemove={isRemoving ? undefined : () => setRemoving(true)} />}
      {user.totp && isRemoving && (
        <Remove
          hasPassword={account?.hasPassword !== false}
          onRemoved={removed}
          onCancel={() => setRemoving(false)}
          onSignInAgain={onSignInAgain}
        />
      )}
      {isRemoved && !seed && <FocusedMessage className="mt-5">The second factor is off.</FocusedMessage>}
      {!user.totp && !seed && (
        <Button kind="outline" className="mt-5" busy={isLoading ? 'One moment...' : undefined} onClick={() => void start()}>
          Turn it on
        </Button>
      )}
      {!user.totp && seed && <EnrolSecondFactor seed={seed} onConfirmed={confirmed} onCancel={() => setSeed(undefined)} />}
      {error && !seed && <Alert className="mt-5">{getMessage(error)}</Alert>}
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
    </AccountSection>
  );
};

type IsOnProps = { readonly account: Account | undefined; readonly onRemove: (() => void) | undefined };

const IsOn = ({ account, onRemove }: IsOnProps) => (
  <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
    <span className="inline-flex items-center gap-2 font-medium text-khus-deep">
      <ShieldCheck className="size-5" strokeWidth={1.5} />
      {account?.totpSince ? `On since ${dayText(account.totpSince)}` : 'On'}
    </span>
    {account?.totpSince && (
      <span className="text-[0.9375rem] text-clove">{`${count(account.recoveryCodesLeft, 'recovery code')} left`}</span>
    )}
    {onRemove && <TextButton onClick={onRemove}>Turn it off</TextButton>}
  </div>
);

type RemoveProps = {
  readonly hasPassword: boolean;
  readonly onRemoved: () => void;
  readonly onCancel: () => void;
  readonly onSignInAgain: () => void;
};

const Remove = ({ hasPassword, onRemoved, onCancel, onSignInAgain }: RemoveProps) => {
  const [remove, { error }] = useRemoveSecondFactorMutation();
  const form = useFirstFieldFocus();
  const { field, submit, message, isSending } = useValidatedForm<{ password: string; code: string }>({
    defaultValues: { password: '', code: '' },
    validate: (values) => findMissing(hasPassword ? ['password', 'code'] : ['code'], values),
    send: async (values) => {
      await remove(values).unwrap();
      onRemoved();
    },
    blamed: (refusal) => (refusal.code === 'wrong_code' ? { code: refusal.message } : blameWrongPassword('password')(refusal)),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-5 grid gap-x-5 gap-y-5 sm:grid-cols-2">
      {hasPassword && <Field {...field('password')} label="Your password" type="password" required autoComplete="current-password" />}
      <Field
        {...field('code')}
        label="Code from your telephone"
        required
        autoComplete="one-time-code"
        hint="A recovery code does as well."
      />
      {message !== undefined && error && <Refusal error={error} onSignInAgain={onSignInAgain} className="sm:col-span-2" />}
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" kind="outline" busy={isSending ? 'Turning it off...' : undefined}>
          Turn it off
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Keep it on
        </Button>
      </div>
    </form>
  );
};
