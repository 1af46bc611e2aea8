import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { pages } from '#domain/site/pages.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useSubmission, type RefusedSubmission } from '../../lib/use-submission.ts';
import { Alert } from '../../ui/Alert.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { FocusedMessage } from '../../ui/FocusedMessage.tsx';
import type { FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { authForms, type FormDefinition } from './auth-forms.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { loggedOut } from './auth-slice.ts';
import { resetPassword } from './password-api.ts';

const form: FormDefinition = {
  submit: 'Set the Password',
  inputs: authForms.signUp.inputs.filter(({ type }) => type === 'password'),
};

/** The target of the link in the mail. */
export const ResetPasswordPage = () => {
  const token = useLinkToken();
  usePageTitle('Set a New Password');
  return (
    <AuthFrame picture={authForms.signUp.picture}>
      <h1 className="display text-h1">Set a new password</h1>
      {token === '' ? (
        <BadLink>This link is not whole. Please open it as it stands in the mail.</BadLink>
      ) : (
        <ResetForm key={token} token={token} />
      )}
    </AuthFrame>
  );
};

const ResetForm = ({ token }: { readonly token: string }) => {
  const [values, setValues] = useState<FormValues>({});
  const dispatch = useDispatch();
  const { submission, submit } = useSubmission(async ({ password = '', confirm_password = '' }: FormValues) => {
    const message = await resetPassword({ token, password, confirm_password });
    // The server has ended all sessions of the account.
    dispatch(loggedOut());
    return message;
  }, 'The password could not be set');

  if (submission.state === 'done')
    return (
      <>
        <FocusedMessage>{submission.message}</FocusedMessage>
        <ButtonLink to={pages.signIn} size="lg" className="mt-6 w-full">
          Sign In
        </ButtonLink>
      </>
    );
  if (submission.state === 'refused' && isOfTheLink(submission)) return <BadLink>{submission.message}</BadLink>;
  return (
    <>
      <p className="mt-3 text-clove">You are signed out everywhere with it, and sign in anew.</p>
      {submission.state === 'refused' && <Alert className="mt-7">{submission.message}</Alert>}
      <AuthForm
        form={form}
        values={values}
        onChange={setValues}
        onSubmit={(given) => void submit(given)}
        loading={submission.state === 'sending'}
        errors={submission.state === 'refused' ? submission.fieldErrors : {}}
      />
    </>
  );
};

/** Whether the link itself was refused: used, expired or invalid. Another password would not help. */
const isOfTheLink = ({ status, fieldErrors }: RefusedSubmission): boolean =>
  status === 400 && !('password' in fieldErrors || 'confirm_password' in fieldErrors);

const BadLink = ({ children }: { readonly children: string }) => (
  <>
    <Alert className="mt-7">{children}</Alert>
    <ButtonLink to={pages.forgotPassword} size="lg" className="mt-6 w-full">
      Ask for a New Link
    </ButtonLink>
  </>
);
