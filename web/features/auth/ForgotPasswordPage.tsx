import { useLocation } from 'react-router-dom';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import type { FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { authForms, findMissingFields, type FormDefinition } from './auth-forms.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { useAskForResetLinkMutation } from './sign-in-api.ts';
import { signInAddress } from './return-path.ts';

const form: FormDefinition = {
  submit: 'Send the Link',
  inputs: [{ label: 'Email', type: 'email', required: true, autoComplete: 'username' }],
};

/** Requests a mail with a link to set a new password. The answer is the same whether or not the account exists. */
export const ForgotPasswordPage = () => {
  const location = useLocation();
  const [ask, { data }] = useAskForResetLinkMutation();
  const { field, submit, message, isSending } = useValidatedForm<FormValues>({
    validate: (values) => findMissingFields(form, values),
    send: ({ email = '' }) => ask(email).unwrap(),
  });
  usePageTitle('Forgot Password');
  return (
    <AuthFrame picture={authForms.signIn.picture}>
      <h1 className="display text-h1">Forgot your password?</h1>
      <p className="mt-3 text-clove">Tell us the e-mail of your account, and we send you a link to set a new one.</p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      {data === undefined ? (
        <AuthForm form={form} field={field} submit={submit} loading={isSending} />
      ) : (
        <FocusedMessage>{data}. It is good for 30 minutes.</FocusedMessage>
      )}
      <TextLink to={signInAddress(location)} className="mt-3">
        Back to sign in
      </TextLink>
    </AuthFrame>
  );
};
