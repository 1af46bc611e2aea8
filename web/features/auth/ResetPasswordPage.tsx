import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { pages } from '#domain/site/pages.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import type { CallError } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import type { FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { authForms, findMissingFields, type FormDefinition } from './auth-forms.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { loggedOut } from './auth-slice.ts';
import { useResetPasswordMutation } from './sign-in-api.ts';

const form: FormDefinition = { submit: 'Set the Password', inputs: authForms.signUp.inputs.filter(({ type }) => type === 'password') };

/** The page that the link in the mail opens. */
export const ResetPasswordPage = () => {
  const token = useLinkToken();
  usePageTitle('Set a New Password');
  return (
    <AuthFrame picture={authForms.signUp.picture}>
      <h1 className="display text-h1">Set a new password</h1>
      {token === '' ? (
        <BadLink>This link is incomplete. Please copy the whole link from the mail.</BadLink>
      ) : (
        <ResetForm key={token} token={token} />
      )}
    </AuthFrame>
  );
};

const ResetForm = ({ token }: { readonly token: string }) => {
  const dispatch = useDispatch();
  const [reset, { error }] = useResetPasswordMutation();
  // The mutation's own answer is dropped when the session ends.
  const [done, setDone] = useState<string>();
  const { field, submit, message, isSending } = useValidatedForm<FormValues>({
    validate: (values) => findMissingFields(form, values),
    send: async ({ password = '', confirm_password = '' }) => {
      setDone(await reset({ token, password, confirm_password }).unwrap());
      // The server has ended all sessions of the account.
      dispatch(loggedOut());
    },
  });

  if (done !== undefined)
    return (
      <>
        <FocusedMessage>{done}</FocusedMessage>
        <ButtonLink to={pages.signIn} size="lg" className="mt-6 w-full">
          Sign In
        </ButtonLink>
      </>
    );
  if (error && 'status' in error && isOfTheLink(error)) return <BadLink>{error.message}</BadLink>;
  return (
    <>
      <p className="mt-3 text-clove">You are signed out everywhere with it, and sign in anew.</p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      <AuthForm form={form} field={field} submit={submit} loading={isSending} />
    </>
  );
};

/** Returns whether the link was refused, as used, expired or invalid. Another password would not help then. */
const isOfTheLink = ({ status, errors = {} }: CallError): boolean =>
  status === 400 && !('password' in errors || 'confirm_password' in errors);

const BadLink = ({ children }: { readonly children: string }) => (
  <>
    <Alert className="mt-7">{children}</Alert>
    <ButtonLink to={pages.forgotPassword} size="lg" className="mt-6 w-full">
      Ask for a New Link
    </ButtonLink>
  </>
);
