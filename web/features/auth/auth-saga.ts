import type { UnknownAction } from '@reduxjs/toolkit';
import { call, put, race, take, takeLeading } from 'redux-saga/effects';
import { pages } from '#domain/pages.ts';
import { fieldErrorsOf, messageOf, refusalOf } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { fetchUser, logIn, logInWithGoogle, logOut, register, resendCode, signInOptions, verifyCode } from './auth-api.ts';
import { CONSENT } from './auth-forms.ts';
import { optionsLoaded, optionsFailed, optionsRequested, selectAuthScreen } from './auth-screen-slice.ts';
import {
  answeredLate,
  type Failure,
  googleLoggedIn,
  googleLoginFailed,
  googleLoginRequested,
  newsletterOptedIn,
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
} from './auth-slice.ts';

/** Which account was signed up with the wish for letters, until its code is entered: the page may be loaded again before that. */
type NewsletterOptIn = { readonly note: (userId: string, wished: boolean) => void; readonly isOf: (userId: string) => boolean };

const NAME = 'letters-wished';

const newsletterOptIn: NewsletterOptIn = {
  note: (userId, wished) => writeSession(NAME, wished ? userId : undefined),
  isOf: (userId) => readSession(NAME) === userId,
};

const failureOf = (error: unknown, fallback: string): Failure => ({ message: messageOf(error, fallback), fields: fieldErrorsOf(error) });

/** The form that is shown. What becomes of what it asks for is told to it by `tellForm`. */
function* shownForm() {
  return (yield* read(selectAuthScreen)).form;
}

/** Under another form, to which the shopper has gone on meanwhile, it would be about something else. */
function* tellForm(form: number, outcome: UnknownAction) {
  yield put((yield* shownForm()) === form ? outcome : answeredLate());
}

function* fetchCurrentUser() {
  const { api } = yield* services();
  try {
    yield put(userFetched(yield* run(() => fetchUser(api))));
  } catch (error) {
    yield put(userFetchFailed(messageOf(error, 'Failed to fetch user')));
  }
}

/** Who gets in or leaves meanwhile is the newer answer. */
function* retryFetchUser() {
  yield race([call(fetchCurrentUser), take([verified, loggedIn, googleLoggedIn, loggedOut])]);
}

function* signUp(wish: NewsletterOptIn, { payload }: ReturnType<typeof registerRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    const { [CONSENT]: consent, ...values } = payload;
    const userId = yield* run(() => register(api, values));
    yield call(wish.note, userId, consent === 'yes');
    yield* tellForm(form, registered({ userId, email: values['email'] ?? '' }));
  } catch (error) {
    yield* tellForm(form, registerFailed(failureOf(error, 'Registration failed')));
  }
}

function* enterCode(wish: NewsletterOptIn, { payload: { userId, otp } }: ReturnType<typeof verifyRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    const user = yield* run(() => verifyCode(api, userId, otp));
    yield put(verified(user));
    if (wish.isOf(userId)) yield put(newsletterOptedIn(user.email));
    yield call(wish.note, userId, false);
  } catch (error) {
    yield* tellForm(form, verifyFailed(messageOf(error, 'OTP verification failed')));
  }
}

function* resendCodeTo({ payload: userId }: ReturnType<typeof resendRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield* run(() => resendCode(api, userId));
    yield* tellForm(form, resent());
  } catch (error) {
    yield* tellForm(form, resendFailed(messageOf(error, 'The code could not be sent')));
  }
}

function* signIn({ payload }: ReturnType<typeof loginRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield put(loggedIn(yield* run(() => logIn(api, payload))));
  } catch (error) {
    const { code, userId } = refusalOf(error);
    const isUnverified = code === 'email_not_verified' && typeof userId === 'string';
    yield* tellForm(
      form,
      isUnverified ? loginFoundUnverified({ userId, email: payload['email'] ?? '' }) : loginFailed(failureOf(error, 'Login failed')),
    );
  }
}

function* signInWithGoogle({ payload: token }: ReturnType<typeof googleLoginRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield put(googleLoggedIn(yield* run(() => logInWithGoogle(api, token))));
  } catch (error) {
    const message = messageOf(error, 'Google login failed');
    // Not the error itself: an axios error carries the request, and the request the token.
    console.error(`Google login: ${message}`);
    yield* tellForm(form, googleLoginFailed(message));
    // The attempt may have ended in another tab: the next one needs what is asked of its token.
    if (refusalOf(error).code === 'invalid_token') yield put(optionsRequested());
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

function* fetchOptions() {
  const { api } = yield* services();
  try {
    yield put(optionsLoaded(yield* run(() => signInOptions(api))));
  } catch {
    // The form works without; the screen says that the other way is not there now.
    yield put(optionsFailed());
  }
}

/** The server leaves a readable cookie beside the session, which itself no script can see. */
const hasSignedInCookie = (cookies: string): boolean => /(?:^|;\s*)signed_in=1(?:;|$)/.test(cookies);

/** At the start it asks who is signed in, unless nobody can be: a visitor's first page makes no call that can only be refused. */
export function* authSaga(cookies = () => document.cookie, wish = newsletterOptIn) {
  yield takeLeading(userFetchRequested, retryFetchUser);
  yield takeLeading(registerRequested, signUp, wish);
  yield takeLeading(verifyRequested, enterCode, wish);
  yield takeLeading(resendRequested, resendCodeTo);
  yield takeLeading(loginRequested, signIn);
  yield takeLeading(googleLoginRequested, signInWithGoogle);
  yield takeLeading(logoutRequested, signOut);
  yield takeLeading(optionsRequested, fetchOptions);
  if (hasSignedInCookie(cookies())) yield put(userFetchRequested());
}
