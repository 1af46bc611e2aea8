import { put, select, takeLeading } from 'redux-saga/effects';
import { pages } from '#domain/pages.ts';
import { fieldErrorsOf, messageOf, refusalOf } from '../../lib/api.ts';
import { run, services } from '../../lib/saga.ts';
import { fetchUser, logIn, logInWithGoogle, logOut, register, resendCode, signInOptions, verifyCode } from './auth-api.ts';
import { CONSENT } from './auth-forms.ts';
import { optionsCame, optionsMissed, optionsRequested, selectAuthScreen } from './auth-screen-slice.ts';
import {
  googleLoggedIn,
  googleLoginFailed,
  googleLoginRequested,
  lettersWished,
  loggedIn,
  loggedOut,
  loginFailed,
  loginFoundUnverified,
  loginRequested,
  logoutFailed,
  logoutRequested,
  registered,
  registerFailed,
  registerRequested,
  resendFailed,
  resendRequested,
  resent,
  userFetched,
  userFetchFailed,
  userFetchRequested,
  verified,
  verifyFailed,
  verifyRequested,
  type Failure,
} from './auth-slice.ts';

const failureOf = (error: unknown, fallback: string): Failure => ({ message: messageOf(error, fallback), fields: fieldErrorsOf(error) });

function* askWhoIsSignedIn() {
  const { api } = yield* services();
  try {
    yield put(userFetched(yield* run(() => fetchUser(api))));
  } catch (error) {
    yield put(userFetchFailed(messageOf(error, 'Failed to fetch user')));
  }
}

function* signUp({ payload }: ReturnType<typeof registerRequested>) {
  const { api } = yield* services();
  try {
    const { [CONSENT]: consent, ...values } = payload;
    const userId = yield* run(() => register(api, values));
    yield put(registered({ userId, email: values['email'] ?? '', wantsLetters: consent === 'yes' }));
  } catch (error) {
    yield put(registerFailed(failureOf(error, 'Registration failed')));
  }
}

function* enterCode({ payload: { userId, otp } }: ReturnType<typeof verifyRequested>) {
  const { api } = yield* services();
  // Once the code is right the screen forgets what it asked for.
  const { unverified }: ReturnType<typeof selectAuthScreen> = yield select(selectAuthScreen);
  try {
    const user = yield* run(() => verifyCode(api, userId, otp));
    yield put(verified(user));
    if (unverified?.wantsLetters) yield put(lettersWished(user.email));
  } catch (error) {
    yield put(verifyFailed(messageOf(error, 'OTP verification failed')));
  }
}

function* askForNewCode({ payload: userId }: ReturnType<typeof resendRequested>) {
  const { api } = yield* services();
  try {
    yield* run(() => resendCode(api, userId));
    yield put(resent());
  } catch (error) {
    yield put(resendFailed(messageOf(error, 'The code could not be sent')));
  }
}

function* signIn({ payload }: ReturnType<typeof loginRequested>) {
  const { api } = yield* services();
  try {
    yield put(loggedIn(yield* run(() => logIn(api, payload))));
  } catch (error) {
    const { code, userId } = refusalOf(error);
    const isUnverified = code === 'email_not_verified' && typeof userId === 'string';
    yield put(
      isUnverified ? loginFoundUnverified({ userId, email: payload['email'] ?? '' }) : loginFailed(failureOf(error, 'Login failed')),
    );
  }
}

function* signInWithGoogle({ payload: token }: ReturnType<typeof googleLoginRequested>) {
  const { api } = yield* services();
  try {
    yield put(googleLoggedIn(yield* run(() => logInWithGoogle(api, token))));
  } catch (error) {
    const message = messageOf(error, 'Google login failed');
    // Not the error itself: an axios error carries the request, and the request the token.
    console.error(`Google login: ${message}`);
    yield put(googleLoginFailed(message));
  }
}

function* signOut() {
  const { api, navigate } = yield* services();
  try {
    yield* run(() => logOut(api));
    yield put(loggedOut());
    yield* run(async () => navigate(pages.signIn));
  } catch (error) {
    yield put(logoutFailed(messageOf(error, 'Logout failed')));
  }
}

function* askForOptions() {
  const { api } = yield* services();
  try {
    yield put(optionsCame(yield* run(() => signInOptions(api))));
  } catch {
    // The form works without; the screen says that the other way is not there now.
    yield put(optionsMissed());
  }
}

/** The server leaves a readable cookie beside the session, which itself no script can see. */
const saysSignedIn = (cookies: string): boolean => /(?:^|;\s*)signed_in=1(?:;|$)/.test(cookies);

/** At the start it asks who is signed in, unless nobody can be: a visitor's first page makes no call that can only be refused. */
export function* authSaga(cookies = () => document.cookie) {
  yield takeLeading(userFetchRequested, askWhoIsSignedIn);
  yield takeLeading(registerRequested, signUp);
  yield takeLeading(verifyRequested, enterCode);
  yield takeLeading(resendRequested, askForNewCode);
  yield takeLeading(loginRequested, signIn);
  yield takeLeading(googleLoginRequested, signInWithGoogle);
  yield takeLeading(logoutRequested, signOut);
  yield takeLeading(optionsRequested, askForOptions);
  if (saysSignedIn(cookies())) yield put(userFetchRequested());
}
