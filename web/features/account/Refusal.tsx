import type { SerializedError } from '@reduxjs/toolkit';
import { getMessage, type CallError } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { TextButton } from '../../ui/TextLink.tsx';

type RefusalProps = {
  readonly error: CallError | SerializedError;
  readonly onSignInAgain: () => void;
  readonly className?: string | undefined;
};

/** A refusal's message; if the sign-in is too old for what was asked, with the way to a new one. */
export const Refusal = ({ error, onSignInAgain, className = 'mt-5' }: RefusalProps) => (
  <Alert className={className} action={error.code === 'sign_in_again' && <TextButton onClick={onSignInAgain}>Sign in again</TextButton>}>
    {getMessage(error)}
  </Alert>
);
