import type { SerializedError } from '@reduxjs/toolkit';
import { useId, useState } from 'react';
import { getMessage, type CallError } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmErasure } from '../../ui/overlay/ConfirmErasure.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextButton } from '../../ui/TextLink.tsx';
import { useEraseAccountMutation } from './account-api.ts';

const CONSEQUENCES = [
  'Your account, cart, letters and messages to us go, and you are signed out everywhere.',
  'The names and addresses of your orders can no longer be read. An order that has not reached you yet may go astray.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

type EraseAccountProps = { readonly onSignInAgain: () => void; readonly onErased: (message: string) => void };

export const EraseAccount = (props: EraseAccountProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(true)} className="mt-6">
        Erase my account
      </Button>
      {open && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

type RefusalProps = {
  readonly error: CallError | SerializedError;
  readonly onSignInAgain: () => void;
};

export const Refusal = ({ error, onSignInAgain }: RefusalProps) => (
  <Alert className="mt-5" action={error.code === 'sign_in_again' && <TextButton onClick={onSignInAgain}>Sign in again</TextButton>}>
    {getMessage(error)}
  </Alert>
);

const EraseDialog = ({ onSignInAgain, onErased, onClose }: EraseAccountProps & { readonly onClose: () => void }) => {
  const [erase, { error }] = useEraseAccountMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ password: string }>({
    // An account that has only signed in with Google has no password.
    validate: () => ({}),
    send: async ({ password }) => onErased(await erase(password).unwrap()),
    blamed: ({ code, message: refusal, errors = {} }) => (code === 'wrong_password' ? { password: refusal } : errors),
  });
  const password = field('password');
  const id = useId();
  return (
    <ConfirmErasure
      title="Erase your account?"
      warning="This cannot be undone, by you or by us."
      consequences={CONSEQUENCES}
      keep="Keep my account"
      isBusy={isSending}
      onClose={onClose}
      confirm={id}
    >
      <form id={id} noValidate onSubmit={submit} className="mt-6">
        <Field
          {...password}
          label="Password"
          type="password"
          autoComplete="current-password"
          hint="Leave it empty if you have always signed in with Google."
        />
        {message !== undefined && password.error === undefined && error && <Refusal error={error} onSignInAgain={onSignInAgain} />}
      </form>
    </ConfirmErasure>
  );
};
