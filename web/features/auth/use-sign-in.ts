import { useDispatch } from 'react-redux';
import type { CallError } from '../../lib/http/api.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { authApi, type FormValues } from './auth-api.ts';
import { CONSENT } from './auth-forms.ts';
import { loggedIn, newsletterOptedIn } from './auth-slice.ts';

const { useRegisterMutation, useLogInMutation, useVerifyCodeMutation } = authApi;

export type Unverified = { readonly userId: string; readonly email: string; readonly isMailed: boolean };

/** Sends a form and returns the account that must enter a code, or undefined when the shopper is signed in. Rejects with a `CallError`. */
export type SendForm = (values: FormValues) => Promise<Unverified | undefined>;

const NAME = 'letters-wished';

/** Remembers which account ticked the newsletter box at sign-up until its code is entered, also after a reload. */
const noteOptIn = (userId: string | undefined): void => writeSession(NAME, userId);
const hasOptedIn = (userId: string): boolean => readSession(NAME) === userId;

export const useSignUp = (): SendForm => {
  const [register] = useRegisterMutation();
  return async ({ [CONSENT]: consent, ...values }) => {
    const userId = await register(values).unwrap();
    noteOptIn(consent ? userId : undefined);
    return { userId, email: values['email'] ?? '', isMailed: true };
  };
};

const isUnverified = ({ code, refusal }: CallError): boolean => code === 'email_not_verified' && typeof refusal?.['userId'] === 'string';

export const useSignIn = (): SendForm => {
  const dispatch = useDispatch();
  const [logIn] = useLogInMutation();
  return async (values) => {
    const { data: entered, error } = await logIn(values);
    if (entered) {
      dispatch(loggedIn(entered.user, entered.noRoomFor));
      return undefined;
    }
    // The code mailed at registration may have expired, so a new one can be requested at once.
    if ('status' in error && isUnverified(error))
      return { userId: String(error.refusal?.['userId']), email: values['email'] ?? '', isMailed: false };
    throw error;
  };
};

/** Signs in with the mailed code. It rejects with a `CallError`. */
export const useVerification = (userId: string) => {
  const dispatch = useDispatch();
  const [verify] = useVerifyCodeMutation();
  return async (otp: string): Promise<void> => {
    const { user, noRoomFor } = await verify({ userId, otp }).unwrap();
    dispatch(loggedIn(user, noRoomFor));
    if (hasOptedIn(userId)) dispatch(newsletterOptedIn(user.email));
    noteOptIn(undefined);
  };
};
