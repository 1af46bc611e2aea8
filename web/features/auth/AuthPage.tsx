import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import type { CodeRequired, FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { authForms, findMissingFields, type AuthFormDefinition } from './auth-forms.ts';
import { selectUser } from './auth-slice.ts';
import { GoogleSignIn } from './GoogleSignIn.tsx';
import { OtpForm } from './OtpForm.tsx';
import { parseReturnPath } from './return-path.ts';
import { SecondFactorForm } from './SecondFactorForm.tsx';
import { useSignIn, useSignUp, type NextStep, type SendForm } from './use-sign-in.ts';

/** Sign-in and sign-up are one screen; the path decides which is shown. A signed-in shopper is sent back to where they came from. */
export const AuthPage = () => {
  const { pathname, search } = useLocation();
  const user = useSelector(selectUser);
  if (user) return <Navigate to={parseReturnPath(search)} replace />;
  // The key resets typed values and the code step when the path changes.
  return pathname === pages.signUp ? <SignUp key={pathname} /> : <SignIn key={pathname} />;
};

const SignIn = () => <AuthScreen form={authForms.signIn} send={useSignIn()} />;

const SignUp = () => <AuthScreen form={authForms.signUp} send={useSignUp()} />;

const titleOf = (step: NextStep): string | undefined => step && ('userId' in step ? 'Verify Your OTP' : 'Your second factor');

type AuthScreenProps = { readonly form: AuthFormDefinition; readonly send: SendForm };

const AuthScreen = ({ form, send }: AuthScreenProps) => {
  const [step, setStep] = useState<NextStep>();
  // The values are kept outside of the form, so that a shopper who returns from the code step to correct the address finds them.
  const [values, setValues] = useState<FormValues>({});
  usePageTitle(titleOf(step) ?? form.title);
  const sendForm = async (given: FormValues): Promise<void> => {
    setValues(given);
    setStep(await send(given));
  };
  const goBack = (): void => setStep(undefined);
  return (
    <AuthFrame picture={form.picture}>
      {step === undefined && <FormView form={form} values={values} send={sendForm} onCodeRequired={setStep} />}
      {step && 'userId' in step && <OtpForm {...step} onChangeEmail={goBack} onCodeRequired={setStep} />}
      {step && 'loginToken' in step && <SecondFactorForm loginToken={step.loginToken} onSignInAgain={goBack} />}
    </AuthFrame>
  );
};

type FormViewProps = {
  readonly form: AuthFormDefinition;
  readonly values: FormValues;
  readonly send: (values: FormValues) => Promise<void>;
  readonly onCodeRequired: (required: CodeRequired) => void;
};

const FormView = ({ form, values, send, onCodeRequired }: FormViewProps) => {
  const { search } = useLocation();
  const { field, submit, message, isSending } = useValidatedForm<FormValues>({
    validate: (given) => findMissingFields(form, given),
    send,
    defaultValues: values,
  });
  return (
    <>
      <h1 className="display text-h1">{form.heading}</h1>
      <p className="mt-3 text-clove">
        {form.other.question}{' '}
        <Link to={{ pathname: form.other.to, search }} className="link font-medium text-ink">
          {form.other.text}
        </Link>
      </p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      <AuthForm form={form} field={field} submit={submit} loading={isSending} />
      {form === authForms.signIn && (
        <TextLink to={{ pathname: pages.forgotPassword, search }} className="mt-3">
          Forgot your password?
        </TextLink>
      )}
      <GoogleSignIn onCodeRequired={onCodeRequired} />
      {form === authForms.signIn && (
        <p className="mt-6 text-[0.9375rem] text-clove">
          Ordered without an account?{' '}
          <Link to={pages.findOrder} className="link font-medium text-ink">
            Find your order
          </Link>
        </p>
      )}
    </>
  );
};
