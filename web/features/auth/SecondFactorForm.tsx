import { useId, useState } from 'react';
import type { CallError } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextButton } from '../../ui/TextLink.tsx';
import { CodeInput, CODE_LENGTH } from './CodeInput.tsx';
import { useSecondFactor } from './use-sign-in.ts';

type SecondFactorFormProps = { readonly loginToken: string; readonly onSignInAgain: () => void };

/** The step after the password of an account with a second factor. A recovery code does as well. */
export const SecondFactorForm = ({ loginToken, onSignInAgain }: SecondFactorFormProps) => {
  const purpose = useId();
  const enter = useSecondFactor(loginToken);
  const [hasPhone, setHasPhone] = useState(true);
  const [isOver, setOver] = useState(false);
  const { field, submit, isSending } = useValidatedForm<{ code: string; recovery: string }>({
    validate: ({ code, recovery }) => {
      if (!hasPhone) return findMissing(['recovery'], { recovery });
      return code.length < CODE_LENGTH ? { code: 'Please enter all six digits.' } : {};
    },
    send: ({ code, recovery }) => enter(hasPhone ? code : recovery),
    blamed: ({ code, message, errors }: CallError) => {
      setOver(code === 'login_expired');
      return { [hasPhone ? 'code' : 'recovery']: errors?.['code'] ?? message };
    },
  });
  const { error, ...code } = field('code');
  return (
    <>
      <h1 className="display text-h1">Your second factor</h1>
      <p id={purpose} className="mt-3 text-lead text-clove">
        {hasPhone ? 'Please enter the six digits that your authenticator shows' : 'Please enter one of the codes that you have kept'}
      </p>
      <form noValidate onSubmit={submit} className="mt-9">
        {hasPhone ? (
          <CodeInput {...code} error={error} purpose={purpose} />
        ) : (
          <Field {...field('recovery')} label="Recovery code" required autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
        {hasPhone && error !== undefined && <Alert className="mt-5">{error}</Alert>}
        <Button type="submit" size="lg" disabled={isOver} busy={isSending ? 'Signing in...' : undefined} className="mt-6 w-full">
          Sign In
        </Button>
      </form>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-4">
        <TextButton onClick={() => setHasPhone(!hasPhone)}>{hasPhone ? 'Use a recovery code' : 'Use the authenticator'}</TextButton>
        <TextButton onClick={onSignInAgain}>Sign in again</TextButton>
      </div>
    </>
  );
};
