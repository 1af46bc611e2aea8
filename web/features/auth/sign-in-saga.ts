import type { UnknownAction } from '@reduxjs/toolkit';
import { call, put, takeLeading } from 'redux-saga/effects';
import { fieldErrorsOf, messageOf, refusalOf } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { logIn, logInWithGoogle, register, resendCode, signInOptions, verifyCode } from './auth-api.ts';
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
  loginFailed,
  loginFoundUnverified,
  loginRequested,
  registered,
  registerFailed,
  registerRequested,
  resendFailed,
  resendRequested,
  resent,
  verified,
  verifyFailed,
  verifyRequested,
} from './auth-slice.ts';

/** Remembers which account ticked the newsletter box at sign-up until its code is entered, also over a reload. */
type NewsletterOptIn = { readonly note: (userId: string, wished: boolean) => void; readonly isOf: (userId: string) => boolean };

const NAME = 'letters-wished';

const newsletterOptIn: NewsletterOptIn = {
  note: (userId, wished) => writeSession(NAME, wished ? userId : undefined),
  isOf: (userId) => readSession(NAME) === userId,
};

const failureOf = (error: unknown, fallback: string): Failure => ({ message: messageOf(error, fallback), fields: fieldErrorsOf(error) });

/** The id of the form that is shown, to be passed to `tellForm` with the outcome. */
function* shownForm() {
  return (yield* read(selectAuthScreen)).form;
}

/** Dispatches an outcome only while its form is still shown; under another form it would be misleading. */
function* tellForm(form: number, outcome: UnknownAction) {
  yield put((yield* shownForm()) === form ? outcome : answeredLate());
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
    // Only the message: an axios error contains the request with the token.
    console.error(`Google login: ${message}`);
    yield* tellForm(form, googleLoginFailed(message));
    // The nonce may have been used in another tab: the next attempt needs a new one.
    if (refusalOf(error).code === 'invalid_token') yield put(optionsRequested());
  }
}

function* fetchOptions() {
  const { api } = yield* services();
  try {
    yield put(optionsLoaded(yield* run(() => signInOptions(api))));
  } catch {
    // The form works without; the screen says that Google is not available.
    yield put(optionsFailed());
  }
}

/** Signing up and in. It comes with the sign-in screen. */
export function* signInSaga(wish = newsletterOptIn) {
  yield takeLeading(registerRequested, signUp, wish);
  yield takeLeading(verifyRequested, enterCode, wish);
  yield takeLeading(resendRequested, resendCodeTo);
  yield takeLeading(loginRequested, signIn);
  yield takeLeading(googleLoginRequested, signInWithGoogle);
  yield takeLeading(optionsRequested, fetchOptions);
}
