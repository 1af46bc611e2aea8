import type { Action } from '@reduxjs/toolkit';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/Alert.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import type { FormValues } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { AuthFrame } from './AuthFrame.tsx';
import { CONSENT, authForms, missingOf, type AuthFormDefinition } from './auth-forms.ts';
import { selectAuthScreen } from './auth-screen-slice.ts';
import {
  formChanged,
  loginRequested,
  registerRequested,
  resendRequested,
  selectAuth,
  verifyRequested,
  type Unverified,
} from './auth-slice.ts';
import { GoogleSignIn } from './GoogleSignIn.tsx';
import { OtpForm } from './OtpForm.tsx';
import { returnPathOf } from './return-path.ts';

/** Sign-in and sign-up in one screen, by the path. A signed-in shopper is sent back to where they came from. */
export const AuthPage = () => {
  const { pathname, search } = useLocation();
  const { user } = useSelector(selectAuth);
  if (user) return <Navigate to={returnPathOf(search)} replace />;
  // The key resets everything, typed values included, when the path changes.
  return <AuthScreen key={pathname} isSignUp={pathname === pages.signUp} />;
};

const AuthScreen = ({ isSignUp }: { readonly isSignUp: boolean }) => {
  const form: AuthFormDefinition = isSignUp ? authForms.signUp : authForms.signIn;
  const request = isSignUp ? registerRequested : loginRequested;
  const { unverified } = useSelector(selectAuthScreen);
  // Kept here and not in the form: returning from the code step to correct the address finds the values that were sent.
  const [values, setValues] = useState<FormValues>({});
  usePageTitle(unverified ? 'Verify Your OTP' : form.title);
  useFreshForm();
  return (
    <AuthFrame picture={form.picture}>
      {unverified ? <CodeView of={unverified} /> : <FormView form={form} request={request} values={values} onSent={setValues} />}
    </AuthFrame>
  );
};

const CodeView = ({ of: { userId, email } }: { readonly of: Unverified }) => {
  const dispatch = useDispatch();
  const { loading, error } = useSelector(selectAuth);
  const { codesSent } = useSelector(selectAuthScreen);
  return (
    <OtpForm
      email={email}
      codesSent={codesSent}
      loading={loading}
      error={error}
      onVerify={(otp) => dispatch(verifyRequested({ userId, otp }))}
      onResend={() => dispatch(resendRequested(userId))}
      onChangeEmail={() => dispatch(formChanged())}
    />
  );
};

type FormViewProps = {
  readonly form: AuthFormDefinition;
  /** Action creator that submits the form. */
  readonly request: (values: FormValues) => Action;
  readonly values: FormValues;
  readonly onSent: (values: FormValues) => void;
};

const FormView = ({ form, request, values, onSent }: FormViewProps) => {
  const dispatch = useDispatch();
  const { search } = useLocation();
  const { loading, error } = useSelector(selectAuth);
  const { sent, fieldErrors } = useSelector(selectAuthScreen);
  const { field, submit, refuse } = useValidatedForm<FormValues>({
    validate: (given) => missingOf(form, given),
    send: (given) => {
      onSent(given);
      // The box itself says true or false.
      const consent = form.consent === undefined ? {} : { [CONSENT]: given[CONSENT] ? 'yes' : 'no' };
      dispatch(request({ ...given, ...consent }));
    },
    defaultValues: values,
  });
  // A saga sends the values, so the answer comes by the store.
  const showErrors = useEffectEvent(() => refuse({ status: 400, message: error ?? '', errors: fieldErrors }));
  useEffect(() => {
    if (Object.keys(fieldErrors).length > 0) showErrors();
  }, [fieldErrors]);
  return (
    <>
      <h1 className="display text-h1">{form.heading}</h1>
      <p className="mt-3 text-clove">
        {form.other.question}{' '}
        <Link to={{ pathname: form.other.to, search }} className="link font-medium text-ink">
          {form.other.text}
        </Link>
      </p>
      {sent && error !== null && <Alert className="mt-7">{error}</Alert>}
      <AuthForm form={form} field={field} submit={submit} loading={loading} />
      {form === authForms.signIn && (
        <TextLink to={{ pathname: pages.forgotPassword, search }} className="mt-3">
          Forgot your password?
        </TextLink>
      )}
      <GoogleSignIn />
    </>
  );
};

/** Errors and a pending code step are cleared with the form they belong to. */
const useFreshForm = (): void => {
  const dispatch = useDispatch();
  // A layout effect, so that the other path's form is never painted here.
  useLayoutEffect(() => {
    dispatch(formChanged());
    return () => void dispatch(formChanged());
  }, [dispatch]);
};
