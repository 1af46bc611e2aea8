import { useDispatch } from 'react-redux';
import type { CallError } from '../../lib/http/api.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { authApi, type CodeRequired, type FormValues } from './auth-api.ts';
import { CONSENT } from './auth-forms.ts';
import { loggedIn, newsletterOptedIn } from './auth-slice.ts';

const { useRegisterMutation, useLogInMutation, useLogInWithCodeMutation, useVerifyCodeMutation } = authApi;

export type Unverified = { readonly userId: string; readonly email: string; readonly isMailed: boolean };

/** What a form leads to: a mailed code, the code of a second factor, or undefined when the shopper is signed in. */
export type NextStep = Unverified | CodeRequired | undefined;

/** Sends a form. Rejects with a `CallError`. */
export type SendForm = (values: FormValues) => Promise<NextStep>;

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
      if ('totpRequired' in entered) return entered;
      dispatch(loggedIn(entered.user, entered.noRoomFor));
      return undefined;
    }
    // The code mailed at registration may have expired, so a new one can be requested at once.
    if ('status' in error && isUnverified(error))
      return { userId: String(error.refusal?.['userId']), email: values['email'] ?? '', isMailed: false };
    throw error;
  };
};

/** Signs in with the code of the second factor. It rejects with a `CallError`. */
export const useSecondFactor = (loginToken: string) => {
  const dispatch = useDispatch();
  const [enter] = useLogInWithCodeMutation();
  return async (code: string): Promise<void> => {
    const { user, noRoomFor } = await enter({ loginToken, code }).unwrap();
    dispatch(loggedIn(user, noRoomFor));
  };
};

/** Signs in with the mailed code, unless a second factor is required too. It rejects with a `CallError`. */
export const useVerification = (userId: string) => {
  const dispatch = useDispatch();
  const [verify] = useVerifyCodeMutation();
  return async (otp: string): Promise<CodeRequired | undefined> => {
    const entered = await verify({ userId, otp }).unwrap();
    if ('totpRequired' in entered) return entered;
    const { user, noRoomFor } = entered;
    dispatch(loggedIn(user, noRoomFor));
    if (hasOptedIn(userId)) dispatch(newsletterOptedIn(user.email));
    noteOptIn(undefined);
    return undefined;
  };
};
