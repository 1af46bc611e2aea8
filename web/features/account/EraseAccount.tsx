import { useId, useState, type SubmitEventHandler } from 'react';
import { useFocusFirstError, type FieldErrors } from '../../lib/use-focus-first-error.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmErasure } from '../../ui/overlay/ConfirmErasure.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { eraseAccount } from './account-api.ts';

const CONSEQUENCES = [
  'Your account, cart, letters and messages to us go, and you are signed out everywhere.',
  'The names and addresses of your orders can no longer be read. An order that has not reached you yet may go astray.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

type EraseAccountProps = { readonly onSignInAgain: () => void; readonly onErased: (message: string) => void };

/** Confirms once more, listing the consequences, and asks for the password. */
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

const NO_ERRORS: FieldErrors = {};

/** Refusals that are shown at the password field. */
const CODES = new Set(['wrong_password']);

const useErasure = (onErased: (message: string) => void) => {
  const { submission, submit } = useSubmission(async (password: string) => {
    const message = await eraseAccount(password);
    onErased(message);
    return message;
  }, 'Your account could not be erased');
  if (submission.state !== 'refused')
    return { submit, busy: submission.state !== 'open', errors: NO_ERRORS, message: undefined, code: undefined };
  const { code, message, fieldErrors } = submission;
  const isOfPassword = (code !== undefined && CODES.has(code)) || fieldErrors['password'] !== undefined;
  const errors: FieldErrors = isOfPassword ? { password: fieldErrors['password'] ?? message } : NO_ERRORS;
  return { submit, busy: false, errors, message: isOfPassword ? undefined : message, code };
};

const EraseDialog = ({ onSignInAgain, onErased, onClose }: EraseAccountProps & { readonly onClose: () => void }) => {
  const [password, setPassword] = useState('');
  const { submit, busy, errors, message, code } = useErasure(onErased);
  const form = useFocusFirstError(errors);
  const id = useId();
  const send: SubmitEventHandler = (event) => {
    event.preventDefault();
    void submit(password);
  };
  return (
    <ConfirmErasure
      title="Erase your account?"
      warning="This cannot be undone, by you or by us."
      consequences={CONSEQUENCES}
      keep="Keep my account"
      isBusy={busy}
      onClose={onClose}
      confirm={id}
    >
      <form ref={form} id={id} noValidate onSubmit={send} className="mt-6">
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          hint="Leave it empty if you have always signed in with Google."
          value={password}
          error={errors['password']}
          onChange={({ target }) => setPassword(target.value)}
        />
        {message !== undefined && (
          <Alert className="mt-5" action={code === 'sign_in_again' && <TextButton onClick={onSignInAgain}>Sign in again</TextButton>}>
            {message}
          </Alert>
        )}
      </form>
    </ConfirmErasure>
  );
};
