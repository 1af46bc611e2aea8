import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { Alert } from '../../ui/Alert.tsx';
import { FocusedMessage } from '../../ui/FocusedMessage.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import type { FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { authForms, type FormDefinition } from './auth-forms.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { askForResetLink } from './password-api.ts';
import { signInAddress } from './return-path.ts';

const form: FormDefinition = {
  submit: 'Send the Link',
  inputs: [{ label: 'Email', type: 'email', required: true, autoComplete: 'username' }],
};

/** Requests a mail with a link to set a new password. The answer is the same whether or not the account exists. */
export const ForgotPasswordPage = () => {
  const location = useLocation();
  const [values, setValues] = useState<FormValues>({});
  const { submission, submit } = useSubmission(({ email = '' }: FormValues) => askForResetLink(email), 'The link could not be sent');
  const { state } = submission;
  usePageTitle('Forgot Password');
  return (
    <AuthFrame picture={authForms.signIn.picture}>
      <h1 className="display text-h1">Forgot your password?</h1>
      <p className="mt-3 text-clove">Tell us the e-mail of your account, and we send you a link to set a new one.</p>
      {state === 'refused' && <Alert className="mt-7">{submission.message}</Alert>}
      {state === 'done' ? (
        <FocusedMessage>{submission.message}. It is good for 30 minutes.</FocusedMessage>
      ) : (
        <AuthForm
          form={form}
          values={values}
          onChange={setValues}
          onSubmit={(given) => void submit(given)}
          loading={state === 'sending'}
          errors={state === 'refused' ? submission.fieldErrors : {}}
        />
      )}
      <TextLink to={signInAddress(location)} className="mt-3">
        Back to sign in
      </TextLink>
    </AuthFrame>
  );
};
